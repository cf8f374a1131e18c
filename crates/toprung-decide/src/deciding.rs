//! Deciding a run: the rules of `toprung.domain.decide`, and what is to be kept, shown and told.

use std::collections::HashMap;

use crate::board::{Board, WINDOWS_MAX};
use crate::cache::{Cache, NONE};
use crate::decided::{Block, Decided, Moves, Outcome, Step};
use crate::entry::{Columns, Fact, Standing, fold};
use crate::msgpack::Write;
use crate::packed::write_entry;
use crate::run::{Item, Run, index};
use crate::tags::Tags;

/// Lines of one block (`toprung.domain.keeping.BLOCK_LINES`).
const BLOCK_LINES: usize = 256;
/// The code of a move whose ranks are not asked for.
pub(crate) const UNNUMBERED: u8 = 0;

/// What a run is decided over.
pub(crate) struct Memory<'a> {
    pub boards: &'a [Option<Board>],
    pub cache: &'a mut Cache,
    pub run: &'a mut Run,
}

/// What is kept of an event of the run.
struct Line {
    place: usize,
    outcome: Outcome,
    columns: Option<Columns>,
    previous: Option<Columns>,
    /// One bit for each window, but the frozen ones, in which the event was late.
    late: u8,
    /// A later event of the run has the id.
    replaced: bool,
}

/// What an event does in each window, before anything is written.
#[derive(Default)]
struct Steps {
    /// The entry after it, and whether the event is the one that is shown; `None`: late.
    after: [Option<(Standing, bool)>; WINDOWS_MAX],
    late: u8,
}

/// A run on its way.
pub(crate) struct Deciding<'a> {
    boards: &'a [Option<Board>],
    cache: &'a mut Cache,
    run: &'a mut Run,
    /// Finds the lines of this run by the hashes of their ids.
    ids: &'a mut Tags,
    lines: Vec<Line>,
    latest: HashMap<i64, i64>,
    moves: MovesMaker,
    /// What events changed in frozen windows: which period of the run, and which row.
    frozen: Vec<(usize, u32)>,
    decided: Decided,
    told: Option<Steplist>,
}

/// Steps as they are told.
#[derive(Default)]
struct Steplist {
    steps: Vec<Step>,
    before: Vec<u8>,
    after: Vec<u8>,
    overflows: usize,
    overflowed: Vec<u8>,
}

impl<'a> Deciding<'a> {
    /// `ids` is empty, with room for every event of the run.
    pub fn new(memory: Memory<'a>, ids: &'a mut Tags, told: bool) -> Self {
        let Memory { boards, cache, run } = memory;
        Self {
            boards,
            cache,
            run,
            ids,
            lines: Vec::new(),
            latest: HashMap::new(),
            moves: MovesMaker::default(),
            frozen: Vec::new(),
            decided: Decided::default(),
            told: told.then(Steplist::default),
        }
    }

    /// Decides event by event.
    pub fn all(mut self) -> Decided {
        for place in 0..self.run.items.len() {
            let before = self.moves.count();
            let outcome = self.event(place);
            // An event moves one entry in each window.
            #[allow(clippy::cast_possible_truncation)]
            self.decided.moved.push((self.moves.count() - before) as u8);
            if self.told.is_some() {
                self.decided.told.outcomes.push(outcome as u8);
                self.decided.told.spans.push(self.run.items[place].span);
            }
        }
        hold(self.cache, self.run);
        self.move_frozen();
        self.decided.blocks = self.blocks();
        self.decided.moves = self.moves.end(self.cache);
        self.decided.latest = self.latest.into_iter().collect();
        if let Some(told) = self.told {
            let known = &mut self.decided.told;
            known.stretches = self.run.spans.iter().map(|span| span.number).collect();
            known.before = array_of(told.steps.len(), &told.before);
            known.after = array_of(told.steps.len(), &told.after);
            known.steps = told.steps;
            known.overflowed = array_of(told.overflows, &told.overflowed);
        }
        self.decided
    }

    fn event(&mut self, place: usize) -> Outcome {
        let boards = self.boards;
        let item = &self.run.items[place];
        let Some(board) = boards.get(item.board as usize).and_then(Option::as_ref) else {
            return Outcome::UnknownBoard;
        };
        let line = self.line_of(item);
        // This check comes before every check that depends on state.
        if let Some((outcome, first)) = self.again(item, line) {
            if self.told.is_some() {
                self.decided.told.again.push((place, first));
            }
            return outcome;
        }
        let Some(points) = item.points else {
            return Outcome::Invalid;
        };
        if let Some(refused) = refuse_by_time(board, item) {
            return self.refuse(place, line, refused);
        }
        match self.steps(board, item, points) {
            Err(Outcome::Overflow) => {
                self.tell_overflow(place);
                self.refuse(place, line, Outcome::Overflow)
            }
            Err(refused) => self.refuse(place, line, refused),
            Ok(steps) => self.settle(board, place, line, &steps),
        }
    }

    /// The line of this run that has the id of an event.
    fn line_of(&self, item: &Item) -> Option<usize> {
        let event_id = self.run.event_id(item);
        self.ids.find(item.hash).find_map(|number| {
            let place = usize::try_from(number).ok()? - 1;
            let line = &self.lines[place];
            let other = &self.run.items[line.place];
            let same = !line.replaced
                && other.event.board_id == item.event.board_id
                && self.run.event_id(other) == event_id;
            same.then_some(place)
        })
    }

    /// If the event's id is spent, whether the event is a duplicate, by meaning, or a conflict; and
    /// the `seq` of the first one, if that is in this run, else 0.
    fn again(&self, item: &Item, line: Option<usize>) -> Option<(Outcome, u64)> {
        let player_id = self.run.player_id(item);
        let event = &item.event;
        let (same, seq) = if let Some(line) = line {
            let line = &self.lines[line];
            if !line.outcome.spends_id() {
                return None;
            }
            let first = &self.run.items[line.place];
            let given = first.event.at_given && event.at_given;
            let same = self.run.player_id(first) == player_id
                && first.points == item.points
                && (first.event.at == event.at || !given);
            (same, self.run.first + line.place as u64)
        } else {
            let first = self.run.firsts.get(item.first as usize)?;
            if !first.spent {
                return None;
            }
            let given = first.at_given && event.at_given;
            let same = first.player_id == player_id
                && first.points == item.points
                && (first.at == event.at || !given);
            (same, 0)
        };
        let outcome = if same {
            Outcome::Duplicate
        } else {
            Outcome::Conflict
        };
        Some((outcome, seq))
    }

    /// What the event does in each window; nothing is written before all of them are known.
    fn steps(&self, board: &Board, item: &Item, points: Columns) -> Result<Steps, Outcome> {
        let event = &item.event;
        let arrival = if event.history {
            event.at
        } else {
            item.received_at
        };
        let fact = Fact {
            points,
            at: event.at,
            event_id: self.run.event_id(item),
        };
        let span = &self.run.spans[item.span as usize];
        let mut steps = Steps::default();
        for (window, slot) in span.slots[..span.windows].iter().enumerate() {
            let arrival = if board.rules.is_rolling(window) {
                item.received_at
            } else {
                arrival
            };
            if slot.closes_at.is_some_and(|closes_at| arrival >= closes_at) {
                if window < board.rules.told {
                    steps.late |= 1 << window;
                }
                continue;
            }
            let before = self.cache.entry(self.run.rows[item.rows + window]);
            let before = before.as_ref().map(|(standing, shown)| (standing, *shown));
            let after = fold(board.rules.mode, &board.rules.descending, before, &fact)
                .map_err(|_| Outcome::Overflow)?;
            if !board.rules.holds(window, &after.0.columns) {
                return Err(Outcome::Overflow);
            }
            steps.after[window] = Some(after);
        }
        if steps.late.count_ones() as usize == board.rules.told {
            return Err(Outcome::Late);
        }
        Ok(steps)
    }

    /// Writes the steps, and keeps the id.
    fn settle(
        &mut self,
        board: &Board,
        place: usize,
        line: Option<usize>,
        steps: &Steps,
    ) -> Outcome {
        let item = &self.run.items[place];
        let (rows, ranked, at, span) = (item.rows, item.ranked, item.event.at, item.span as usize);
        let seq = self.run.first + place as u64;
        let numbering = if ranked {
            board.rules.numbering
        } else {
            UNNUMBERED
        };
        let mut outcome = Outcome::Unchanged;
        let mut shown = None;
        for window in 0..board.rules.told {
            let row = self.run.rows[rows + window];
            let before = self.cache.entry(row).map(|(standing, _)| standing);
            let Some((after, takes_id)) = &steps.after[window] else {
                self.tell_late();
                continue;
            };
            self.tell_before(row);
            shown.get_or_insert((after.columns, before.map(|before| before.columns)));
            let item = &self.run.items[place];
            let event_id = takes_id.then(|| self.run.event_id(item));
            let period = self.run.spans[span].slots[window].period as usize;
            if self.cache.set(row, after, event_id, seq) {
                self.run.periods[period].touched.push(row);
            }
            self.tell_after(row, before.as_ref(), after);
            let same = before.is_some_and(|before| after.same(&before));
            if !same {
                outcome = Outcome::Counted;
            }
            if ranked || !same {
                self.moves
                    .add(self.cache, self.run, period, row, after, numbering);
            }
        }
        self.settle_frozen(board, place, steps);
        note_latest(&mut self.latest, board.id, at);
        let (columns, previous) = shown.unzip();
        self.keep(
            line,
            Line {
                place,
                outcome,
                columns,
                previous: previous.flatten(),
                late: steps.late,
                replaced: false,
            },
        );
        outcome
    }

    /// Writes the steps in frozen windows, of which nothing is told.
    fn settle_frozen(&mut self, board: &Board, place: usize, steps: &Steps) {
        let (rows, span) = (
            self.run.items[place].rows,
            self.run.items[place].span as usize,
        );
        let seq = self.run.first + place as u64;
        for window in board.rules.told..self.run.spans[span].windows {
            let Some((after, takes_id)) = &steps.after[window] else {
                continue;
            };
            let row = self.run.rows[rows + window];
            let event_id = takes_id.then(|| self.run.event_id(&self.run.items[place]));
            let period = self.run.spans[span].slots[window].period as usize;
            if self.cache.set(row, after, event_id, seq) {
                self.run.periods[period].touched.push(row);
                self.frozen.push((period, row));
            }
        }
    }

    /// Moves what changed in frozen windows to where it is after the run.
    fn move_frozen(&mut self) {
        for (period, row) in std::mem::take(&mut self.frozen) {
            if let Some((standing, _)) = self.cache.entry(row) {
                self.moves
                    .add(self.cache, self.run, period, row, &standing, UNNUMBERED);
            }
        }
    }

    /// Keeps the outcome of a refused event, so that it can be asked for; its id stays free.
    fn refuse(&mut self, place: usize, line: Option<usize>, outcome: Outcome) -> Outcome {
        self.keep(
            line,
            Line {
                place,
                outcome,
                columns: None,
                previous: None,
                late: 0,
                replaced: false,
            },
        );
        outcome
    }

    fn keep(&mut self, replaced: Option<usize>, line: Line) {
        if let Some(place) = replaced {
            self.lines[place].replaced = true;
        }
        let hash = self.run.items[line.place].hash;
        self.lines.push(line);
        self.ids
            .insert(hash, self.lines.len() as u64)
            .expect("there is room for every event of the run");
    }

    fn tell_before(&mut self, row: u32) {
        if let Some(told) = &mut self.told {
            write_found(&mut told.before, self.cache, row);
        }
    }

    fn tell_after(&mut self, row: u32, before: Option<&Standing>, after: &Standing) {
        if let Some(told) = &mut self.told {
            write_found(&mut told.after, self.cache, row);
            told.steps.push(Step {
                before: before.map(|before| before.columns.first()),
                after: Some(after.columns.first()),
            });
        }
    }

    fn tell_late(&mut self) {
        if let Some(told) = &mut self.told {
            told.before.nil();
            told.after.nil();
            told.steps.push(Step {
                before: None,
                after: None,
            });
        }
    }

    fn tell_overflow(&mut self, place: usize) {
        let item = &self.run.items[place];
        let windows = self.run.spans[item.span as usize].windows;
        for window in item.rows..item.rows + windows {
            if let Some(told) = &mut self.told {
                told.overflows += 1;
                write_found(&mut told.overflowed, self.cache, self.run.rows[window]);
            }
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let kept: Vec<&Line> = self.lines.iter().filter(|line| !line.replaced).collect();
        kept.chunks(BLOCK_LINES)
            .map(|lines| self.block(lines))
            .collect()
    }

    fn block(&self, lines: &[&Line]) -> Block {
        let mut block = Block::default();
        block.body.array(lines.len());
        for line in lines {
            let item = &self.run.items[line.place];
            let seq = self.run.first + line.place as u64;
            if block.places.is_empty() {
                block.first = seq;
            }
            block.last = seq;
            block.places.extend_from_slice(&item.hash.to_le_bytes());
            block.places.extend_from_slice(&seq.to_le_bytes());
            self.write_line(&mut block.body, line, item, seq);
        }
        block
    }

    /// A line as `toprung.domain.decide.Seen` is encoded, with its board and id.
    fn write_line(&self, out: &mut Vec<u8>, line: &Line, item: &Item, seq: u64) {
        let event = &item.event;
        out.array(3);
        out.int(event.board_id);
        out.text(self.run.event_id(item));
        out.array(11);
        out.natural(seq);
        out.text(line.outcome.name().as_bytes());
        out.text(self.run.player_id(item));
        out.ints(event.points.values());
        out.int(event.revision);
        out.int(event.at);
        out.bool(event.at_given);
        out.int(item.received_at);
        for columns in [&line.columns, &line.previous] {
            match columns {
                Some(columns) => out.ints(columns.values()),
                None => out.nil(),
            }
        }
        out.array(line.late.count_ones() as usize);
        if let Some(Some(board)) = self.boards.get(item.board as usize) {
            for (window, name) in board.rules.windows.iter().enumerate() {
                if line.late & 1 << window != 0 {
                    out.text(name.as_bytes());
                }
            }
        }
    }
}

/// Both by the true arrival, also in an import of history: an id older than the memory may have been
/// forgotten, and nothing can have arrived from the future.
fn refuse_by_time(board: &Board, item: &Item) -> Option<Outcome> {
    let (at, received_at) = (i128::from(item.event.at), i128::from(item.received_at));
    let rules = &board.rules;
    if rules
        .remember
        .is_some_and(|remember| at < received_at - i128::from(remember))
    {
        return Some(Outcome::Late);
    }
    rules
        .max_ahead
        .is_some_and(|max_ahead| at > received_at + i128::from(max_ahead))
        .then_some(Outcome::Early)
}

/// Lets what was changed wait to be written: period by period, as they were met.
pub(crate) fn hold(cache: &mut Cache, run: &Run) {
    for row in run.periods.iter().flat_map(|period| &period.touched) {
        cache.hold(*row, run.first);
    }
}

pub(crate) fn note_latest(latest: &mut HashMap<i64, i64>, board_id: i64, at: i64) {
    let known = latest.entry(board_id).or_insert(at);
    *known = at.max(*known);
}

fn write_found(out: &mut Vec<u8>, cache: &Cache, row: u32) {
    match cache.entry(row) {
        Some((standing, event_id)) => write_entry(out, &standing, event_id, cache.seq(row)),
        None => out.nil(),
    }
}

fn array_of(count: usize, values: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len() + 5);
    out.array(count);
    out.extend_from_slice(values);
    out
}

/// Moves in the making.
#[derive(Default)]
pub(crate) struct MovesMaker {
    moves: Moves,
    players: u32,
}

impl MovesMaker {
    fn count(&self) -> usize {
        self.moves.numbering.len()
    }

    pub fn add(
        &mut self,
        cache: &mut Cache,
        run: &mut Run,
        period: usize,
        row: u32,
        standing: &Standing,
        numbering: u8,
    ) {
        let moves = &mut self.moves;
        let met = &mut run.periods[period];
        if met.shown == NONE {
            met.shown = index(moves.periods.len());
            moves.periods.push(met.number);
            moves.widths.push(index(met.width));
        }
        let player = cache.player_of(row);
        let (shown, new) = cache.show(player, self.players);
        if new {
            self.players += 1;
            moves.players.extend_from_slice(cache.text(player));
            moves.ends.push(index(moves.players.len()));
        }
        moves.period.push(met.shown);
        moves.player.push(shown);
        moves.numbering.push(numbering);
        moves.columns.extend_from_slice(standing.columns.values());
        moves.reached_at.push(standing.reached_at);
    }

    pub fn end(self, cache: &mut Cache) -> Moves {
        cache.end_showing();
        self.moves
    }
}
