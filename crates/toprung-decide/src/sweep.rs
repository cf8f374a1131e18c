//! Which entries wait to be written, and in which order they are.

use std::cmp::Ordering;
use std::collections::HashMap;

const PREFIX_BYTES: usize = 8;
/// How many ids are asked how they begin before all are.
const SAMPLE: usize = 1000;
/// How many periods are found without a look into a table: those of a board, for the most part.
const RECENT: usize = 4;

/// Where the entries of a period stand among those of a player: by board, window and key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PeriodName {
    pub board_id: i64,
    pub window: String,
    pub key: String,
}

/// Rows that wait to be written.
///
/// A sweep takes up all that wait when it begins, and gives them bit by bit. What begins to wait
/// meanwhile is for the next one.
#[derive(Default)]
pub(crate) struct Waiting {
    sweep: Vec<u32>,
    /// How many of the sweep are written, and how many were given after them.
    written: usize,
    given: usize,
    /// The first event that the store lacks of what the sweep has.
    since: u64,
    next: Vec<u32>,
    /// The same of what is for the next sweep.
    next_since: u64,
}

impl Waiting {
    /// How many rows wait.
    pub fn len(&self) -> usize {
        self.sweep.len() - self.written + self.next.len()
    }

    /// All rows that wait. Some may be there twice.
    pub fn rows(&self) -> impl Iterator<Item = u32> {
        let sweep = &self.sweep[self.written..];
        sweep.iter().chain(&self.next).copied()
    }

    /// How many rows the running sweep had at first; if none runs, how many one would have.
    pub fn size(&self) -> usize {
        if self.sweep.is_empty() {
            self.next.len()
        } else {
            self.sweep.len()
        }
    }

    /// The first event that the store lacks.
    pub fn oldest(&self) -> Option<u64> {
        if !self.sweep.is_empty() {
            Some(self.since)
        } else if !self.next.is_empty() {
            Some(self.next_since)
        } else {
            None
        }
    }

    /// Adds a row for the next sweep, whose entry the event at `since` changed first.
    pub fn push(&mut self, row: u32, since: u64) {
        if self.next.is_empty() {
            self.next_since = since;
        }
        self.next.push(row);
    }

    /// Whether so many can only be given, in order, by a sweep that is still to begin.
    pub fn must_begin(&self, limit: usize) -> bool {
        limit > 0 && !self.next.is_empty() && (self.sweep.is_empty() || limit >= self.len())
    }

    /// What is for the next sweep.
    pub fn next(&mut self) -> &mut Vec<u32> {
        &mut self.next
    }

    /// Begins a sweep, of what the last one has left and all that waited for the next one.
    pub fn begin(&mut self, order: impl FnOnce(&mut Vec<u32>)) {
        self.since = self.oldest().unwrap_or_default();
        self.sweep.drain(..self.written);
        self.sweep.append(&mut self.next);
        (self.written, self.given) = (0, 0);
        order(&mut self.sweep);
    }

    /// Gives the next `limit` of the sweep at most.
    pub fn give(&mut self, limit: usize) {
        self.given = limit.min(self.sweep.len() - self.written);
    }

    /// What was given last.
    pub fn given(&self) -> &[u32] {
        &self.sweep[self.written..self.written + self.given]
    }

    /// What was given last does not wait any more.
    pub fn end_giving(&mut self) {
        self.written += std::mem::take(&mut self.given);
        if self.written == self.sweep.len() {
            self.sweep.clear();
            self.written = 0;
        }
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        (self.sweep.capacity() + self.next.capacity()) * size_of::<u32>()
    }
}

/// Rows of one player on one board that follow each other, with what tells their place among others:
/// most comparisons need nothing else.
struct Group {
    board_id: i64,
    /// What follows in the player's id where not all ids are the same.
    prefix: u64,
    player: u32,
    start: u32,
    stop: u32,
}

/// Puts rows in the order of the store's table: by board, player and period.
///
/// Rows of a player mostly come together, so whole groups are sorted. `of` gives the period and the
/// player of a row, `text` the id of a player.
pub(crate) fn sort<'a>(
    rows: &mut Vec<u32>,
    of: impl Fn(u32) -> (u32, u32),
    text: impl Fn(u32) -> &'a [u8],
    names: &HashMap<u32, PeriodName>,
) {
    let mut periods = Periods::new(names);
    let mut keyed: Vec<(u32, u32)> = Vec::with_capacity(rows.len());
    let mut groups: Vec<Group> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let (period, player) = of(*row);
        let met = periods.meet(period);
        let board_id = periods.met[met as usize].board_id;
        keyed.push((met, *row));
        match groups.last_mut() {
            Some(last) if last.player == player && last.board_id == board_id => last.stop += 1,
            _ => groups.push(Group {
                board_id,
                prefix: 0,
                player,
                start: index(place),
                stop: index(place + 1),
            }),
        }
    }
    fill_prefixes(&mut groups, &text);
    groups.sort_unstable_by(|left, right| {
        (left.board_id, left.prefix)
            .cmp(&(right.board_id, right.prefix))
            .then_with(|| {
                if left.player == right.player {
                    Ordering::Equal
                } else {
                    text(left.player).cmp(text(right.player))
                }
            })
    });
    let ordinals = periods.ordinals();
    rows.clear();
    let mut of_player: Vec<(u32, u32)> = Vec::new();
    for same in groups
        .chunk_by(|left, right| left.player == right.player && left.board_id == right.board_id)
    {
        of_player.clear();
        for group in same {
            let keyed = &keyed[group.start as usize..group.stop as usize];
            of_player.extend(
                keyed
                    .iter()
                    .map(|(met, row)| (ordinals[*met as usize], *row)),
            );
        }
        of_player.sort_unstable();
        rows.extend(of_player.iter().map(|(_, row)| *row));
    }
}

/// Each id is looked at once, unless one begins otherwise than the first of them.
fn fill_prefixes<'a>(groups: &mut [Group], text: &impl Fn(u32) -> &'a [u8]) {
    let Some(first) = groups.first() else { return };
    let like = text(first.player);
    let mut common = like.len();
    for group in groups.iter().take(SAMPLE) {
        common = common_bytes(&like[..common], text(group.player));
    }
    let mut found = common;
    for group in &mut *groups {
        let id = text(group.player);
        found = common_bytes(&like[..found], id);
        group.prefix = prefix(&id[found..]);
    }
    if found < common {
        for group in groups {
            group.prefix = prefix(&text(group.player)[found..]);
        }
    }
}

/// The periods that are met, in few steps for those that were met last.
struct Periods<'a> {
    names: &'a HashMap<u32, PeriodName>,
    met: Vec<&'a PeriodName>,
    of: HashMap<u32, u32>,
    recent: [(u32, u32); RECENT],
    next: usize,
}

impl<'a> Periods<'a> {
    fn new(names: &'a HashMap<u32, PeriodName>) -> Self {
        Self {
            names,
            met: Vec::new(),
            of: HashMap::new(),
            recent: [(u32::MAX, 0); RECENT],
            next: 0,
        }
    }

    /// A number from 0 for a period.
    fn meet(&mut self, period: u32) -> u32 {
        if let Some((_, met)) = self.recent.iter().find(|recent| recent.0 == period) {
            return *met;
        }
        let met = *self.of.entry(period).or_insert_with(|| {
            self.met.push(&self.names[&period]);
            index(self.met.len() - 1)
        });
        self.recent[self.next] = (period, met);
        self.next = (self.next + 1) % RECENT;
        met
    }

    /// For each period that was met where it stands among them.
    fn ordinals(&self) -> Vec<u32> {
        let mut sorted: Vec<usize> = (0..self.met.len()).collect();
        sorted.sort_unstable_by_key(|met| self.met[*met]);
        let mut ordinals = vec![0; sorted.len()];
        for (ordinal, met) in sorted.into_iter().enumerate() {
            ordinals[met] = index(ordinal);
        }
        ordinals
    }
}

/// The number of a thing of which there are fewer than 2^32.
#[allow(clippy::cast_possible_truncation)]
fn index(place: usize) -> u32 {
    place as u32
}

/// How many bytes two texts begin with alike.
fn common_bytes(left: &[u8], right: &[u8]) -> usize {
    left.iter()
        .zip(right)
        .take_while(|(left, right)| left == right)
        .count()
}

/// The first bytes as a number that compares as they do; too few are filled up with zeros.
fn prefix(text: &[u8]) -> u64 {
    let mut word = [0; PREFIX_BYTES];
    let length = text.len().min(PREFIX_BYTES);
    word[..length].copy_from_slice(&text[..length]);
    u64::from_be_bytes(word)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{PeriodName, sort};

    #[test]
    fn rows_stand_by_board_player_and_period() {
        let name = |board_id, window: &str, key: &str| PeriodName {
            board_id,
            window: window.into(),
            key: key.into(),
        };
        let names = HashMap::from([
            (5, name(2, "all", "all")),
            (6, name(1, "weekly", "a")),
            (7, name(1, "daily", "b")),
            (8, name(1, "daily", "a")),
        ]);
        let texts: Vec<Vec<u8>> = ["p", "p\0", "p1234567890", "p1234567891", "p12345678", "pé"]
            .into_iter()
            .map(Into::into)
            .collect();
        let mut keyed: Vec<(u32, u32)> = Vec::new();
        for player in 0..6 {
            keyed.extend([5, 6, 7, 8].map(|period| (period, player)));
        }
        let mut rows: Vec<u32> = (0..24).map(|row| row * 7 % 24).collect();
        let text = |player: u32| &texts[player as usize][..];
        sort(&mut rows, |row| keyed[row as usize], text, &names);
        let key = |row: u32| {
            let (period, player) = keyed[row as usize];
            (
                names[&period].board_id,
                text(player),
                names[&period].clone(),
            )
        };
        assert!(rows.is_sorted_by(|left, right| key(*left) < key(*right)));
        assert_eq!(rows.len(), 24);
    }
}
