//! The decider: what it is asked, and in which order.

use std::collections::HashMap;
use std::sync::Arc;

use crate::board::{Board, Rules, Stretch};
use crate::cache::{Cache, NONE};
use crate::decided::Decided;
use crate::deciding::{Deciding, Memory};
use crate::entry::Columns;
use crate::error::Error;
use crate::hash::event_hash;
use crate::msgpack::{Reader, Write};
use crate::packed::{read_entry, read_items, unpack, write_entry};
use crate::redoing::redo;
use crate::run::{First, Run, RunPeriod, index};
use crate::seen_index::SeenIndex;
use crate::sweep::PeriodName;
use crate::tags::Tags;

/// What a packed entry takes, about.
const ENTRY_BYTES: usize = 48;

/// What is kept of an event that shall be done again.
pub struct Kept {
    /// Where it stands in the log.
    pub seq: u64,
    /// Whether it used up its id.
    pub spent: bool,
    /// The windows in which it was late.
    pub late: Vec<String>,
}

/// Entries of a board that are to be written.
pub struct Taken {
    /// The board.
    pub board_id: i64,
    /// How many they are.
    pub count: usize,
    /// The entries, see `toprung.ports.packed`.
    pub packed: Vec<u8>,
}

/// A period's board and the store's number of it.
pub type Number = (i64, i64);

/// A row on its way to the store.
struct TakenRow {
    board_id: i64,
    player: u32,
    number: i64,
    row: u32,
}

impl TakenRow {
    /// Whether the other one is of the same player.
    fn is_beside(&self, other: &Self) -> bool {
        (self.board_id, self.player) == (other.board_id, other.player)
    }
}

/// When a record arrived, and the record.
fn read_frame<'a>(reader: &mut Reader<'a>) -> Option<(i64, &'a [u8])> {
    reader.array().filter(|fields| *fields == 2)?;
    Some((reader.int()?, reader.bytes()?))
}

/// Decides runs of events over the entries that they move.
///
/// A run goes: `start`, `push` for each record, `read`; then `board` for each of `boards` that is
/// new or has changed; `plan`, with `learn` for each instant it asks for; then `foreign` and
/// `reread`, `suspects` and `know`, `asked` and `fill`; last `decide`, or `redo`. A run may be given
/// up at any time before the last step: that changes no entry.
pub struct Decider {
    index: Arc<SeenIndex>,
    boards: Vec<Option<Board>>,
    board_places: HashMap<i64, u32>,
    cache: Cache,
    run: Run,
    ids: Tags,
}

impl Decider {
    /// A decider with nothing in it.
    ///
    /// `limit` is how many entries that do not wait to be written are kept at most.
    #[must_use]
    pub fn new(index: Arc<SeenIndex>, limit: usize) -> Self {
        Self {
            index,
            boards: Vec::new(),
            board_places: HashMap::new(),
            cache: Cache::new(limit),
            run: Run::default(),
            ids: Tags::new(0),
        }
    }

    // Boards.

    /// Takes up a board as it is from now on; `None`: it is not there. Its calendar is forgotten.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: it has no column or window, or too many.
    pub fn board(&mut self, board_id: i64, rules: Option<Rules>) -> Result<(), Error> {
        let board = rules.map(|rules| Board::new(board_id, rules)).transpose()?;
        let place = self.board_places.entry(board_id).or_insert_with(|| {
            self.boards.push(None);
            index(self.boards.len() - 1)
        });
        self.boards[*place as usize] = board;
        Ok(())
    }

    /// Takes up which periods the instants of a stretch fall into, with the key of each.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: there is no such board, or it has other windows.
    pub fn learn(
        &mut self,
        board_id: i64,
        stretch: Stretch,
        keys: Vec<String>,
    ) -> Result<(), Error> {
        let board = self
            .board_places
            .get(&board_id)
            .and_then(|place| self.boards[*place as usize].as_mut())
            .filter(|_| stretch.slots.len() == keys.len())
            .ok_or(Error::BadAnswer)?;
        let periods: Vec<u32> = stretch.slots.iter().map(|slot| slot.period).collect();
        board.learn(stretch)?;
        for ((period, key), window) in periods.into_iter().zip(keys).zip(&board.rules.windows) {
            let name = PeriodName {
                board_id,
                window: window.clone(),
                key,
            };
            self.cache.name(period, name);
        }
        Ok(())
    }

    /// Forgets all calendars, and every entry that does not wait to be written.
    ///
    /// The periods of the entries that wait are given: no other period's number is used any more.
    pub fn forget(&mut self) -> Vec<u32> {
        for board in self.boards.iter_mut().flatten() {
            board.forget_stretches();
        }
        self.cache.abandon();
        let mut periods: Vec<u32> = self.cache.forget().into_iter().collect();
        periods.sort_unstable();
        periods
    }

    /// Forgets a board, with its calendar and every entry of it that does not wait to be written.
    pub fn forget_board(&mut self, board_id: i64) {
        if let Some(place) = self.board_places.get(&board_id) {
            self.boards[*place as usize] = None;
        }
        self.cache.abandon();
        self.cache.forget_board(board_id);
    }

    /// Forgets every entry of some players of a board that does not wait to be written.
    pub fn forget_players(&mut self, board_id: i64, players: &[&[u8]]) {
        self.cache.abandon();
        self.cache.forget_players(board_id, players);
    }

    // A run.

    /// Begins a run whose first event stands at `first` in the log.
    pub fn start(&mut self, first: u64) {
        self.cache.abandon();
        self.cache.trim();
        self.run.start(first);
    }

    /// Adds a record to the run.
    pub fn push(&mut self, received_at: i64, body: &[u8], ranked: bool) {
        self.run.push(received_at, body, ranked);
    }

    /// Adds records to the run: `MessagePack`, `[received_at, record]` one after the other.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: they are not written so.
    pub fn push_frames(&mut self, frames: &[u8], ranked: bool) -> Result<(), Error> {
        let mut reader = Reader::new(frames);
        while !reader.is_at_end() {
            let (received_at, body) = read_frame(&mut reader).ok_or(Error::BadAnswer)?;
            self.run.push(received_at, body, ranked);
        }
        Ok(())
    }

    /// How many records the run has.
    #[must_use]
    pub fn run_length(&self) -> usize {
        self.run.length()
    }

    /// Reads the records.
    ///
    /// # Errors
    /// [`Error::Damaged`]: one is no event.
    pub fn read(&mut self) -> Result<(), Error> {
        self.run.read()
    }

    /// The boards of the run, in no order.
    #[must_use]
    pub fn boards(&self) -> Vec<i64> {
        let mut found: Vec<i64> = Vec::new();
        for item in &self.run.items {
            if found.last() != Some(&item.event.board_id) {
                found.push(item.event.board_id);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Finds the periods and rows of the events. A board and an instant whose periods are unknown
    /// are given; once they are learned, call it again.
    ///
    /// # Errors
    /// [`Error::Damaged`]: an event's points are not those of its board.
    /// [`Error::Full`], [`Error::OutOfMemory`]: there is no room.
    pub fn plan(&mut self) -> Result<Option<(i64, i64)>, Error> {
        while self.run.planned < self.run.items.len() {
            let place = self.run.planned;
            if let Some(question) = self.plan_event(place)? {
                return Ok(Some(question));
            }
            self.run.planned += 1;
        }
        Ok(None)
    }

    fn plan_event(&mut self, place: usize) -> Result<Option<(i64, i64)>, Error> {
        let event = &self.run.items[place].event;
        let (board_id, at) = (event.board_id, event.at);
        let found = self.board_places.get(&board_id).copied();
        let Some(board) = found.and_then(|found| self.boards[found as usize].as_mut()) else {
            return Ok(None);
        };
        let width = board.width();
        if !self.run.items[place].is_foreign(board) && event.points.values().len() != width {
            return Err(Error::Damaged(place));
        }
        let Some(known) = board.at(at) else {
            return Ok(Some((board_id, at)));
        };
        let span = self.run.span(known, width);
        let item = &self.run.items[place];
        let player = self.cache.add_player(self.run.player_id(item))?;
        let hash = event_hash(board_id, self.run.event_id(item));
        let rows = self.run.rows.len();
        let span_found = &self.run.spans[span as usize];
        for slot in &span_found.slots[..span_found.windows] {
            let period = self.run.periods[slot.period as usize].number;
            self.run.rows.push(self.cache.row(period, player)?);
        }
        let item = &mut self.run.items[place];
        item.board = found.unwrap_or(NONE);
        item.hash = hash;
        item.span = span;
        item.rows = rows;
        Ok(None)
    }

    /// The events whose points were read by other columns than their board's present ones.
    #[must_use]
    pub fn foreign(&self) -> Vec<usize> {
        self.present()
            .filter(|(place, board)| self.run.items[*place].is_foreign(board))
            .map(|(place, _)| place)
            .collect()
    }

    /// Takes up the points of an event by the present columns; `None`: they cannot be said by these.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: there is no such event, or its board has other columns.
    pub fn reread(&mut self, place: usize, points: Option<Columns>) -> Result<(), Error> {
        let item = self.run.items.get_mut(place).ok_or(Error::BadAnswer)?;
        let board = self
            .boards
            .get(item.board as usize)
            .and_then(Option::as_ref);
        let width = board.ok_or(Error::BadAnswer)?.width();
        if points.is_some_and(|points| points.values().len() != width) {
            return Err(Error::BadAnswer);
        }
        item.points = points;
        Ok(())
    }

    /// The events whose id may have come before.
    #[must_use]
    pub fn suspects(&self) -> Vec<usize> {
        let mut known = Vec::new();
        let hashes = self.run.items.iter().map(|item| item.hash);
        self.index.know(hashes, &mut known);
        self.present()
            .map(|(place, _)| place)
            .filter(|place| known[*place])
            .collect()
    }

    /// Takes up what was kept of the id of an event.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: there is no such event.
    pub fn know(&mut self, place: usize, first: First) -> Result<(), Error> {
        let item = self.run.items.get_mut(place).ok_or(Error::BadAnswer)?;
        item.first = index(self.run.firsts.len());
        self.run.firsts.push(first);
        Ok(())
    }

    /// The board and the id of an event.
    #[must_use]
    pub fn event_id(&self, place: usize) -> (i64, &[u8]) {
        let item = &self.run.items[place];
        (item.event.board_id, self.run.event_id(item))
    }

    /// The board, the points and the revision of an event, as they were read.
    #[must_use]
    pub fn points(&self, place: usize) -> (i64, &[i64], i64) {
        let event = &self.run.items[place].event;
        (event.board_id, event.points.values(), event.revision)
    }

    /// The periods and players whose entries are to be told, if they have any.
    pub fn asked(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.cache.asked()
    }

    /// Takes up packed entries, of those that were asked for. `periods` has the periods by the
    /// store's numbers of them.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: they are none, nobody asked, or the board has other columns.
    pub fn fill(&mut self, periods: &HashMap<i64, u32>, packed: &[u8]) -> Result<(), Error> {
        for group in unpack(packed).ok_or(Error::BadAnswer)? {
            let player = self.cache.player(group.player).ok_or(Error::BadAnswer)?;
            for item in read_items(&group.body).ok_or(Error::BadAnswer)? {
                let entry = read_entry(item.entry).ok_or(Error::BadAnswer)?;
                let period = *periods.get(&item.period).ok_or(Error::BadAnswer)?;
                let width = entry.standing.columns.values().len();
                let fits = |found: &RunPeriod| found.number == period && found.width == width;
                let row = self.cache.find_row(period, player);
                let row = row.filter(|_| self.run.periods.iter().any(fits));
                let row = row.ok_or(Error::BadAnswer)?;
                self.cache
                    .fill(row, &entry.standing, entry.event_id, entry.seq)?;
            }
        }
        Ok(())
    }

    /// Decides the run, with what is told of it if that is asked for.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]: nothing was decided.
    pub fn decide(&mut self, told: bool) -> Result<Decided, Error> {
        self.ids.prepare(self.run.items.len())?;
        self.cache.settle();
        let memory = Memory {
            boards: &self.boards,
            cache: &mut self.cache,
            run: &mut self.run,
        };
        Ok(Deciding::new(memory, &mut self.ids, told).all())
    }

    /// Does again what was decided of the run, where the entries do not reflect it.
    ///
    /// # Errors
    /// [`Error::Overflow`]: see there.
    pub fn redo(&mut self, kept: &[Kept]) -> Result<Decided, Error> {
        self.cache.settle();
        let memory = Memory {
            boards: &self.boards,
            cache: &mut self.cache,
            run: &mut self.run,
        };
        redo(memory, kept)
    }

    /// The events whose board is there, with their places.
    fn present(&self) -> impl Iterator<Item = (usize, &Board)> {
        self.run
            .items
            .iter()
            .enumerate()
            .filter_map(|(place, item)| {
                let board = self.boards.get(item.board as usize)?.as_ref()?;
                Some((place, board))
            })
    }

    // Writing.

    /// How many entries wait to be written.
    #[must_use]
    pub fn unwritten(&self) -> usize {
        self.cache.unwritten()
    }

    /// All events before this `seq` are in the written entries; `None`: all are.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        self.cache.oldest()
    }

    /// How many entries the running sweep had at first; if none runs, how many one would have.
    #[must_use]
    pub fn sweep(&self) -> usize {
        self.cache.sweep()
    }

    /// Takes the next entries of the sweep, `limit` at most. One begins when the last has ended, or
    /// when all are asked for. The periods of what was taken are given.
    pub fn take(&mut self, limit: usize) -> Vec<u32> {
        self.cache.take(limit);
        let rows = self.cache.taken().iter();
        let mut periods: Vec<u32> = rows.map(|row| self.cache.period_of(*row)).collect();
        periods.sort_unstable();
        periods.dedup();
        periods
    }

    /// What `take` gave last, board by board: each entry as it is now.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: `numbers` lacks one of the periods.
    pub fn taken(&self, numbers: &HashMap<u32, Number>) -> Result<Vec<Taken>, Error> {
        let mut rows: Vec<TakenRow> = Vec::with_capacity(self.cache.taken().len());
        for row in self.cache.taken() {
            let number = numbers.get(&self.cache.period_of(*row));
            let (board_id, number) = *number.ok_or(Error::BadAnswer)?;
            let player = self.cache.player_of(*row);
            rows.push(TakenRow {
                board_id,
                player,
                number,
                row: *row,
            });
        }
        for of_player in rows.chunk_by_mut(TakenRow::is_beside) {
            of_player.sort_unstable_by_key(|row| row.number);
        }
        let boards = rows.chunk_by(|left, right| left.board_id == right.board_id);
        Ok(boards.map(|rows| self.pack(rows)).collect())
    }

    /// The entries of rows of one board.
    fn pack(&self, rows: &[TakenRow]) -> Taken {
        let players = || rows.chunk_by(TakenRow::is_beside);
        let mut packed = Vec::with_capacity(rows.len() * ENTRY_BYTES);
        let mut body = Vec::new();
        packed.map(players().count());
        for of_player in players() {
            body.clear();
            body.map(of_player.len());
            for TakenRow { number, row, .. } in of_player {
                let (standing, event_id) = self.cache.held(*row);
                body.int(*number);
                write_entry(&mut body, &standing, event_id, self.cache.seq(*row));
            }
            packed.text(self.cache.text(of_player[0].player));
            packed.bytes(&body);
        }
        Taken {
            board_id: rows[0].board_id,
            count: rows.len(),
            packed,
        }
    }

    /// All entries that wait: `MessagePack`, an array of `[period, {player: entry}]`.
    #[must_use]
    pub fn waiting(&self) -> Vec<u8> {
        self.cache.waiting()
    }

    /// Those of the entries of players in periods that are held, as `waiting` gives them.
    #[must_use]
    pub fn held_of(&self, wanted: &[(u32, Vec<&[u8]>)]) -> Vec<u8> {
        self.cache.held_of(wanted)
    }

    /// What `take` gave last is written.
    pub fn written(&mut self) {
        self.cache.written();
    }

    /// How many entries are held, those of players without one among them.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.cache.len()
    }

    /// Bytes that entries and players take.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.cache.memory()
    }
}
