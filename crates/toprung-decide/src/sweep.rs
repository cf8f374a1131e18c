//! Which entries wait to be written, and in which order they are.

use std::collections::HashMap;

const PREFIX_BYTES: usize = 8;

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

/// A row with what tells its place: most comparisons need nothing else.
#[derive(Clone, Copy)]
struct Place {
    /// What follows in the player's id where not all ids are the same.
    prefix: u64,
    board: u32,
    player: u32,
    period: u32,
    row: u32,
}

/// Puts rows in the order of the store's table: by board, player and period.
///
/// `of` gives the period and the player of a row, `text` the id of a player.
pub(crate) fn sort<'a>(
    rows: &mut [u32],
    of: impl Fn(u32) -> (u32, u32),
    text: impl Fn(u32) -> &'a [u8],
    names: &HashMap<u32, PeriodName>,
) {
    let Some(first) = rows.first() else { return };
    let mut periods = Ordinals::default();
    let like = text(of(*first).1);
    let mut common = like.len();
    let mut places: Vec<Place> = rows
        .iter()
        .map(|row| {
            let (period, player) = of(*row);
            common = common_bytes(&like[..common], text(player));
            Place {
                prefix: 0,
                board: 0,
                player,
                period: periods.add(period),
                row: *row,
            }
        })
        .collect();
    let (board_of, period_of) = periods.sorted(names);
    for place in &mut places {
        place.prefix = prefix(&text(place.player)[common..]);
        place.board = board_of[place.period as usize];
        place.period = period_of[place.period as usize];
    }
    places.sort_unstable_by(|left, right| {
        (left.board, left.prefix)
            .cmp(&(right.board, right.prefix))
            .then_with(|| {
                if left.player == right.player {
                    left.period.cmp(&right.period)
                } else {
                    text(left.player).cmp(text(right.player))
                }
            })
    });
    for (row, place) in rows.iter_mut().zip(&places) {
        *row = place.row;
    }
}

/// Numbers from 0 for the periods that are met.
#[derive(Default)]
struct Ordinals {
    of: HashMap<u32, u32>,
    met: Vec<u32>,
}

impl Ordinals {
    fn add(&mut self, period: u32) -> u32 {
        *self.of.entry(period).or_insert_with(|| {
            self.met.push(period);
            index(self.met.len() - 1)
        })
    }

    /// For each period that was met where its board stands among the boards, and it among all.
    fn sorted(self, names: &HashMap<u32, PeriodName>) -> (Vec<u32>, Vec<u32>) {
        let mut places: Vec<usize> = (0..self.met.len()).collect();
        places.sort_unstable_by_key(|place| &names[&self.met[*place]]);
        let (mut boards, mut periods) = (vec![0; places.len()], vec![0; places.len()]);
        let mut board = 0;
        for (ordinal, place) in places.iter().enumerate() {
            let id = |place: usize| names[&self.met[place]].board_id;
            if ordinal > 0 && id(places[ordinal - 1]) != id(*place) {
                board += 1;
            }
            boards[*place] = board;
            periods[*place] = index(ordinal);
        }
        (boards, periods)
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
