//! Entries in memory: those that wait to be written, and as many others as there is room for.

use std::collections::{HashMap, HashSet};

use crate::entry::{COLUMNS_MAX, Columns, Standing};
use crate::error::Error;
use crate::hash::{place_hash, player_hash};
use crate::slots::{next_number, put, reserve};
use crate::sweep::{PeriodName, Waiting, sort};
use crate::tags::Tags;

const TABLE_BITS: u32 = 8;
/// How many columns a row holds itself.
const COLUMNS_HERE: usize = 2;
/// Of how many rows a player knows the place: of all, where a board has so many windows.
const HINTS: usize = 4;
/// The longest id that is held in place; a UUID is.
const SHORT_BYTES: usize = 38;
/// What no row and no player is numbered.
pub(crate) const NONE: u32 = u32::MAX;

/// The row is in use.
const USED: u16 = 1;
/// The entry waits for the next sweep.
const WAITING: u16 = 2;
/// The row was met since the hand of the clock came by.
const RECENT: u16 = 4;
/// Nobody knows yet whether the player has an entry.
const ASKED: u16 = 8;
/// The player has an entry.
const PRESENT: u16 = 16;
/// The entry was changed in this run.
const TOUCHED: u16 = 32;
/// See [`Standing::moved`].
const MOVED: u16 = 64;
/// The entry is one of the running sweep that are not written yet.
const SWEPT: u16 = 128;
/// It was given to be written, as it was then.
const GIVEN: u16 = 256;
/// What a row has to have to stay.
const UNWRITTEN: u16 = WAITING | SWEPT;

/// A player's line in a period, on one line of the processor's cache. Two columns stand in it; where
/// there is more, it is beside.
#[derive(Default)]
#[repr(align(64))]
struct Row {
    period: u32,
    player: u32,
    columns: [i64; COLUMNS_HERE],
    reached_at: i64,
    events: u64,
    seq: u64,
    more: Option<Box<More>>,
    width: u8,
    flags: u16,
}

/// What few entries have: further columns, or an event that is shown.
#[derive(Default)]
struct More {
    columns: [i64; COLUMNS_MAX - COLUMNS_HERE],
    event_id: Box<[u8]>,
}

/// An id. Most are short enough to be compared without a look elsewhere.
enum Text {
    Short([u8; SHORT_BYTES], u8),
    Long(Box<[u8]>),
}

/// A player who has rows.
///
/// A hint says where the player's row of a period was. The row itself tells whether it is still
/// there, so nobody keeps hints true. They spare a look into the tables, which lie far away.
struct Player {
    text: Text,
    rows: u32,
    /// Where the player stands among those of a batch of moves.
    shown: u32,
    hints: [(u32, u32); HINTS],
    next_hint: usize,
}

/// Rows by player and period.
///
/// A row stays while its entry waits to be written. Beyond `limit` others leave by the second-chance
/// rule (F. J. Corbató, A Paging Experiment with the Multics System, 1968): a hand goes round and
/// takes out what was not met since it last came by. That a player has no entry is held like one.
pub(crate) struct Cache {
    limit: usize,
    players: Vec<Player>,
    free_players: Vec<u32>,
    player_tags: Tags,
    rows: Vec<Row>,
    free_rows: Vec<u32>,
    row_tags: Tags,
    periods: HashMap<u32, PeriodName>,
    waiting: Waiting,
    hand: usize,
    asked: Vec<u32>,
    shown: Vec<u32>,
}

impl Cache {
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            players: Vec::new(),
            free_players: Vec::new(),
            player_tags: Tags::new(TABLE_BITS),
            rows: Vec::new(),
            free_rows: Vec::new(),
            row_tags: Tags::new(TABLE_BITS),
            periods: HashMap::new(),
            waiting: Waiting::default(),
            hand: 0,
            asked: Vec::new(),
            shown: Vec::new(),
        }
    }

    // Finding.

    /// The number of a player.
    pub fn player(&self, text: &[u8]) -> Option<u32> {
        self.player_tags
            .find(player_hash(text))
            .map(row_number)
            .find(|player| self.text(*player) == text)
    }

    /// The number of a player, who gets one if need be.
    pub fn add_player(&mut self, text: &[u8]) -> Result<u32, Error> {
        if let Some(player) = self.player(text) {
            return Ok(player);
        }
        let number = next_number(&self.free_players, self.players.len())?;
        reserve(&mut self.players)?;
        self.player_tags
            .insert(player_hash(text), u64::from(number) + 1)?;
        let player = Player {
            text: Text::new(text),
            rows: 0,
            shown: NONE,
            hints: [(NONE, NONE); HINTS],
            next_hint: 0,
        };
        put(&mut self.players, &mut self.free_players, number, player);
        Ok(number)
    }

    /// The row of a player in a period; one that is not there is made, and asked for.
    pub fn row(&mut self, period: u32, player: u32) -> Result<u32, Error> {
        if let Some(row) = self.hinted_row(period, player) {
            self.rows[row as usize].flags |= RECENT;
            return Ok(row);
        }
        if let Some(row) = self.find_row(period, player) {
            self.players[player as usize].hint(period, row);
            self.rows[row as usize].flags |= RECENT;
            return Ok(row);
        }
        let number = next_number(&self.free_rows, self.rows.len())?;
        reserve(&mut self.rows)?;
        reserve(&mut self.asked)?;
        self.row_tags
            .insert(place_hash(period, player), u64::from(number) + 1)?;
        let row = Row {
            period,
            player,
            flags: USED | RECENT | ASKED,
            ..Row::default()
        };
        put(&mut self.rows, &mut self.free_rows, number, row);
        let player = &mut self.players[player as usize];
        player.rows += 1;
        player.hint(period, number);
        self.asked.push(number);
        Ok(number)
    }

    pub fn find_row(&self, period: u32, player: u32) -> Option<u32> {
        self.row_tags
            .find(place_hash(period, player))
            .map(row_number)
            .find(|row| self.rows[*row as usize].is(period, player))
    }

    fn hinted_row(&self, period: u32, player: u32) -> Option<u32> {
        let hints = self.players[player as usize].hints.iter();
        hints
            .filter(|(hinted, _)| *hinted == period)
            .map(|(_, row)| *row)
            .find(|row| self.rows[*row as usize].is(period, player))
    }

    // Asking.

    /// The periods and players of rows that nobody has told anything about.
    pub fn asked(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.asked.iter().map(|row| {
            let row = &self.rows[*row as usize];
            (row.period, self.text(row.player))
        })
    }

    /// Takes up the entry of a row that was asked for.
    pub fn fill(
        &mut self,
        row: u32,
        standing: &Standing,
        event_id: &[u8],
        seq: u64,
    ) -> Result<(), Error> {
        let asked = &mut self.rows[row as usize];
        if asked.flags & ASKED == 0 {
            return Err(Error::BadAnswer);
        }
        asked.flags = (asked.flags & !ASKED) | PRESENT;
        asked.set(standing, Some(event_id), seq);
        Ok(())
    }

    /// Everything was told: a row that is still asked for has no entry.
    pub fn settle(&mut self) {
        for row in self.asked.drain(..) {
            self.rows[row as usize].flags &= !ASKED;
        }
    }

    /// Takes out the rows that were asked for in vain.
    pub fn abandon(&mut self) {
        for row in std::mem::take(&mut self.asked) {
            self.remove(row);
        }
    }

    // Entries.

    /// A row's entry with the event that is shown; `None`: the player has none.
    pub fn entry(&self, row: u32) -> Option<(Standing, &[u8])> {
        let row = &self.rows[row as usize];
        (row.flags & PRESENT != 0).then(|| (row.standing(), row.event_id()))
    }

    /// The entry of a row that has one.
    pub fn held(&self, row: u32) -> (Standing, &[u8]) {
        let row = &self.rows[row as usize];
        (row.standing(), row.event_id())
    }

    /// What a row's entry reflects; 0 where there is none.
    pub fn seq(&self, row: u32) -> u64 {
        self.rows[row as usize].seq
    }

    /// Changes an entry. Whether it is the first time in this run.
    pub fn set(
        &mut self,
        row: u32,
        standing: &Standing,
        event_id: Option<&[u8]>,
        seq: u64,
    ) -> bool {
        let row = &mut self.rows[row as usize];
        let first = row.flags & TOUCHED == 0;
        row.flags |= PRESENT | TOUCHED;
        row.set(standing, event_id, seq);
        first
    }

    /// Lets an entry that was changed in this run wait to be written, if it does not yet.
    pub fn hold(&mut self, row: u32, since: u64) {
        let held = &mut self.rows[row as usize];
        held.flags &= !TOUCHED;
        let comes = held.flags & WAITING != 0 || held.flags & (SWEPT | GIVEN) == SWEPT;
        if !comes {
            held.flags |= WAITING;
            self.waiting.push(row, since);
        }
    }

    pub fn player_of(&self, row: u32) -> u32 {
        self.rows[row as usize].player
    }

    /// The UTF-8 of a player.
    pub fn text(&self, player: u32) -> &[u8] {
        self.players[player as usize].text.bytes()
    }

    /// Where a player stands among those that are shown. One who is not gets `following`, and
    /// `true` is given with it.
    pub fn show(&mut self, player: u32, following: u32) -> (u32, bool) {
        let shown = &mut self.players[player as usize].shown;
        if *shown != NONE {
            return (*shown, false);
        }
        *shown = following;
        self.shown.push(player);
        (following, true)
    }

    /// Forgets who was shown.
    pub fn end_showing(&mut self) {
        for player in self.shown.drain(..) {
            self.players[player as usize].shown = NONE;
        }
    }

    // Writing.

    pub fn unwritten(&self) -> usize {
        self.waiting.len()
    }

    pub fn oldest(&self) -> Option<u64> {
        self.waiting.oldest()
    }

    pub fn sweep(&self) -> usize {
        self.waiting.size()
    }

    /// Takes up what a period is called.
    pub fn name(&mut self, period: u32, name: PeriodName) {
        self.periods.insert(period, name);
    }

    /// Gives the next entries of the sweep; see `taken`.
    pub fn take(&mut self, limit: usize) {
        for row in self.waiting.given() {
            self.rows[*row as usize].flags &= !GIVEN;
        }
        if self.waiting.must_begin(limit) {
            self.begin_sweep();
        }
        self.waiting.give(limit);
        for row in self.waiting.given() {
            self.rows[*row as usize].flags |= GIVEN;
        }
    }

    fn begin_sweep(&mut self) {
        let (players, periods, rows) = (&self.players, &self.periods, &mut self.rows);
        // What the last sweep has left, and changed after it was given, is there already.
        self.waiting
            .next()
            .retain(|row| rows[*row as usize].flags & SWEPT == 0);
        self.waiting.begin(|sweep| {
            sort(
                sweep,
                |row| (rows[row as usize].period, rows[row as usize].player),
                |player| players[player as usize].text.bytes(),
                periods,
            );
            for row in sweep {
                let flags = &mut rows[*row as usize].flags;
                *flags = (*flags & !UNWRITTEN) | SWEPT;
            }
        });
    }

    /// The rows that `take` gave last, in the order of the store's table.
    pub fn taken(&self) -> &[u32] {
        self.waiting.given()
    }

    pub fn period_of(&self, row: u32) -> u32 {
        self.rows[row as usize].period
    }

    /// What `take` gave last does not wait any more, where it did not change since.
    pub fn written(&mut self) {
        for row in self.waiting.given() {
            self.rows[*row as usize].flags &= !(SWEPT | GIVEN);
        }
        self.waiting.end_giving();
    }

    // Leaving.

    /// Takes out rows until no more than `limit` are there that do not wait.
    pub fn trim(&mut self) {
        // An entry that changed after it was given may wait twice.
        while self.len().saturating_sub(self.waiting.len()) > self.limit {
            self.hand = (self.hand + 1) % self.rows.len();
            let row = &mut self.rows[self.hand];
            match row.flags & (USED | UNWRITTEN | RECENT) {
                USED => self.remove(row_number(self.hand as u64 + 1)),
                flags if flags == USED | RECENT => row.flags &= !RECENT,
                _ => {}
            }
        }
    }

    /// Takes out every row that does not wait; the periods of those that do.
    pub fn forget(&mut self) -> HashSet<u32> {
        self.remove_where(|_| true);
        let waiting = self.waiting.rows();
        let periods = waiting.map(|row| self.rows[row as usize].period).collect();
        self.periods
            .retain(|period, _| HashSet::contains(&periods, period));
        periods
    }

    /// Takes out every row of a board that does not wait.
    pub fn forget_board(&mut self, board_id: i64) {
        let names = std::mem::take(&mut self.periods);
        self.remove_where(|row| {
            let name = names.get(&row.period);
            name.is_some_and(|name| name.board_id == board_id)
        });
        self.periods = names;
    }

    /// Takes out every row of some players of a board that does not wait.
    pub fn forget_players(&mut self, board_id: i64, players: &[&[u8]]) {
        let periods: Vec<u32> = self
            .periods
            .iter()
            .filter(|(_, name)| name.board_id == board_id)
            .map(|(&period, _)| period)
            .collect();
        for text in players {
            for &period in &periods {
                // A player whose last row was taken out is not there any more.
                let Some(player) = self.player(text) else {
                    break;
                };
                if let Some(row) = self.find_row(period, player) {
                    if self.rows[row as usize].flags & (USED | UNWRITTEN) == USED {
                        self.remove(row);
                    }
                }
            }
        }
    }

    fn remove_where(&mut self, goes: impl Fn(&Row) -> bool) {
        for number in 0..self.rows.len() {
            let row = &self.rows[number];
            if row.flags & (USED | UNWRITTEN) == USED && goes(row) {
                self.remove(row_number(number as u64 + 1));
            }
        }
    }

    fn remove(&mut self, number: u32) {
        let row = std::mem::take(&mut self.rows[number as usize]);
        self.row_tags
            .remove(place_hash(row.period, row.player), u64::from(number) + 1);
        self.free_rows.push(number);
        let player = &mut self.players[row.player as usize];
        player.rows -= 1;
        if player.rows == 0 {
            let text = std::mem::replace(&mut player.text, Text::new(b""));
            self.player_tags
                .remove(player_hash(text.bytes()), u64::from(row.player) + 1);
            self.free_players.push(row.player);
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len() - self.free_rows.len()
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        let more: usize = self
            .rows
            .iter()
            .filter_map(|row| row.more.as_ref())
            .map(|more| size_of::<More>() + more.event_id.len())
            .sum();
        let long = |player: &Player| match &player.text {
            Text::Short(..) => 0,
            Text::Long(bytes) => bytes.len(),
        };
        let texts: usize = self.players.iter().map(long).sum();
        self.rows.capacity() * size_of::<Row>()
            + self.players.capacity() * size_of::<Player>()
            + (self.free_rows.capacity() + self.free_players.capacity()) * size_of::<u32>()
            + self.waiting.memory()
            + self.row_tags.memory()
            + self.player_tags.memory()
            + more
            + texts
    }
}

impl Text {
    fn new(text: &[u8]) -> Self {
        match u8::try_from(text.len()) {
            Ok(length) if text.len() <= SHORT_BYTES => {
                let mut bytes = [0; SHORT_BYTES];
                bytes[..text.len()].copy_from_slice(text);
                Self::Short(bytes, length)
            }
            _ => Self::Long(text.into()),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Short(bytes, length) => &bytes[..usize::from(*length)],
            Self::Long(bytes) => bytes,
        }
    }
}

impl Player {
    fn hint(&mut self, period: u32, row: u32) {
        self.hints[self.next_hint] = (period, row);
        self.next_hint = (self.next_hint + 1) % HINTS;
    }
}

impl Row {
    fn is(&self, period: u32, player: u32) -> bool {
        self.flags & USED != 0 && self.period == period && self.player == player
    }

    fn standing(&self) -> Standing {
        let mut values = [0; COLUMNS_MAX];
        values[..COLUMNS_HERE].copy_from_slice(&self.columns);
        if let Some(more) = &self.more {
            values[COLUMNS_HERE..].copy_from_slice(&more.columns);
        }
        Standing {
            columns: Columns::from_parts(values, self.width),
            reached_at: self.reached_at,
            events: self.events,
            moved: self.flags & MOVED != 0,
        }
    }

    fn event_id(&self) -> &[u8] {
        self.more.as_ref().map_or(b"", |more| &more.event_id)
    }

    /// Takes up an entry; `None` leaves the event that is shown as it is.
    fn set(&mut self, standing: &Standing, event_id: Option<&[u8]>, seq: u64) {
        let (values, width) = standing.columns.parts();
        self.columns.copy_from_slice(&values[..COLUMNS_HERE]);
        self.width = width;
        self.reached_at = standing.reached_at;
        self.events = standing.events;
        self.seq = seq;
        self.flags = (self.flags & !MOVED) | if standing.moved { MOVED } else { 0 };
        let event_id = event_id.filter(|id| !id.is_empty() || self.more.is_some());
        if usize::from(width) > COLUMNS_HERE || event_id.is_some() {
            let more = self.more.get_or_insert_default();
            more.columns.copy_from_slice(&values[COLUMNS_HERE..]);
            if let Some(event_id) = event_id {
                more.event_id = event_id.into();
            }
        }
    }
}

/// The number that a slot of the tags stands for: one less, for 0 marks a free slot there.
#[allow(clippy::cast_possible_truncation)] // numbers are given out as `u32`
fn row_number(slot: u64) -> u32 {
    (slot - 1) as u32
}

mod telling;
#[cfg(test)]
mod tests;
