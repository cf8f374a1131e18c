//! The cache beside a plain model of it.

use std::collections::HashMap;

use super::Cache;
use crate::entry::{Columns, Standing};
use crate::sweep::PeriodName;

fn standing(value: i64) -> Standing {
    Standing {
        columns: Columns::new(&[value, 0, -value]).expect("three columns"),
        reached_at: value,
        events: 1,
        moved: true,
    }
}

type Key = (u32, Vec<u8>);

/// What waits, as the cache shall have it.
#[derive(Default)]
struct Model {
    sweep: Vec<Key>,
    given: Vec<Key>,
    since: u64,
    next: Vec<Key>,
    next_since: u64,
}

impl Model {
    fn len(&self) -> usize {
        self.sweep.len() + self.next.len()
    }

    fn oldest(&self) -> Option<u64> {
        match (self.sweep.is_empty(), self.next.is_empty()) {
            (false, _) => Some(self.since),
            (true, false) => Some(self.next_since),
            (true, true) => None,
        }
    }

    fn hold(&mut self, key: &Key, since: u64) {
        let comes = self.sweep.contains(key) && !self.given.contains(key);
        if comes || self.next.contains(key) {
            return;
        }
        if self.next.is_empty() {
            self.next_since = since;
        }
        self.next.push(key.clone());
    }

    fn take(&mut self, limit: usize) {
        if limit > 0 && (self.sweep.is_empty() || limit >= self.len()) {
            self.since = self.oldest().unwrap_or_default();
            self.sweep.append(&mut self.next);
            // Boards are numbered like periods, the other way round.
            self.sweep
                .sort_by_key(|(period, text)| (7 - period, text.clone()));
            self.sweep.dedup();
        }
        self.given = self.sweep[..limit.min(self.sweep.len())].to_vec();
    }

    fn written(&mut self) {
        self.sweep.drain(..self.given.len());
        self.given.clear();
    }
}

/// A run changes few entries; some of what waits is written, or not after all; the rest has
/// little room.
#[test]
fn what_waits_stays_and_what_is_found_is_right() {
    let mut chance = 9_u64;
    let mut draw = |limit: u64| {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (chance >> 33) % limit
    };
    let mut cache = Cache::new(5);
    for period in 0..7 {
        let name = PeriodName {
            board_id: 7 - i64::from(period),
            window: String::new(),
            key: String::new(),
        };
        cache.name(period, name);
    }
    let mut latest: HashMap<Key, i64> = HashMap::new();
    let mut store: HashMap<Key, i64> = HashMap::new();
    let mut model = Model::default();
    for seq in 1..5_000_i64 {
        cache.trim();
        assert!(cache.len().saturating_sub(cache.unwritten()) <= 5);
        let period = u32::try_from(draw(7)).expect("small");
        let long = usize::try_from(draw(2) * 40).expect("small");
        let text = [format!("p{}", draw(9)).as_bytes(), &vec![b'x'; long]].concat();
        let key = (period, text.clone());
        let player = cache.add_player(&text).expect("room");
        let row = cache.row(period, player).expect("room");
        if cache.asked().next().is_some() {
            assert!(!model.sweep.contains(&key) && !model.next.contains(&key));
            if let Some(value) = store.get(&key) {
                cache.fill(row, &standing(*value), b"e", 1).expect("asked");
            }
        }
        cache.settle();
        let found = cache.entry(row).map(|(found, _)| found.columns);
        let expected = latest.get(&key).map(|value| standing(*value).columns);
        assert_eq!(found, expected);
        let since = seq.unsigned_abs();
        cache.set(row, &standing(seq), Some(b"e"), since);
        cache.hold(row, since);
        latest.insert(key.clone(), seq);
        model.hold(&key, since);
        if draw(3) == 0 {
            let limit = usize::try_from(draw(30)).expect("small");
            cache.take(limit);
            model.take(limit);
            let taken = cache.taken().iter();
            let taken: Vec<Key> = taken
                .map(|row| {
                    (
                        cache.period_of(*row),
                        cache.text(cache.player_of(*row)).into(),
                    )
                })
                .collect();
            assert_eq!(taken, model.given);
            for key in &model.given {
                store.insert(key.clone(), latest[key]);
            }
        }
        if draw(3) == 0 {
            cache.written();
            model.written();
        }
        assert_eq!(cache.unwritten(), model.len());
        assert_eq!(cache.oldest(), model.oldest());
    }
}

#[test]
fn a_board_is_forgotten_but_not_what_waits() {
    let mut cache = Cache::new(9);
    for period in [1, 2, 3] {
        let name = PeriodName {
            board_id: i64::from(period / 2),
            window: String::new(),
            key: String::new(),
        };
        cache.name(period, name);
    }
    let player = cache.add_player(b"ana").expect("room");
    let rows = [1, 2, 3].map(|period| cache.row(period, player).expect("room"));
    cache.settle();
    cache.set(rows[2], &standing(1), None, 1);
    cache.hold(rows[2], 1);
    cache.forget_board(1);
    let found = [1, 2, 3].map(|period| cache.find_row(period, player).is_some());
    assert_eq!(found, [true, false, true]);
}

#[test]
fn players_of_a_board_are_forgotten_but_not_what_waits() {
    let mut cache = Cache::new(9);
    for period in [1, 2, 3] {
        let name = PeriodName {
            board_id: i64::from(period / 2),
            window: String::new(),
            key: String::new(),
        };
        cache.name(period, name);
    }
    let player = cache.add_player(b"ana").expect("room");
    let rows = [1, 2, 3].map(|period| cache.row(period, player).expect("room"));
    cache.settle();
    cache.set(rows[2], &standing(1), None, 1);
    cache.hold(rows[2], 1);
    let found = |cache: &Cache| [1, 2, 3].map(|period| cache.find_row(period, player).is_some());
    cache.forget_players(1, &[b"nobody"]);
    assert_eq!(found(&cache), [true, true, true]);
    cache.forget_players(1, &[b"nobody", b"ana"]);
    assert_eq!(found(&cache), [true, false, true]);
    cache.forget_players(0, &[b"ana"]);
    assert_eq!(found(&cache), [false, false, true]);
}
