//! `RunDecider` and `SeenIndex`: the decider as Python sees it.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use toprung_decide::{
    Block, Columns, Decided, Decider, Error, First, Kept, Mode, Moves, Number, Rules, Slot, Step,
    Stretch, Told, event_hash,
};

use crate::convert::numbers_out;
use crate::errors::{EngineBroken, EngineError};

/// Finds the lines of event ids by hash; see `toprung.store.sqlite.seen_index.SeenIndex`.
#[pyclass(frozen, module = "toprung._native._core")]
pub struct SeenIndex {
    shared: Arc<toprung_decide::SeenIndex>,
}

#[pymethods]
impl SeenIndex {
    #[new]
    fn new() -> Self {
        Self {
            shared: Arc::default(),
        }
    }

    /// Adds lines: pairs of hash and `seq`, little-endian words.
    fn load(&self, py: Python<'_>, places: &[u8]) -> PyResult<()> {
        py.detach(|| self.shared.load(places))
            .map_err(|error| refused(&error))
    }

    /// Where lines of the ids may stand: which of them, and a `seq`; of each the latest first.
    fn find(
        &self,
        py: Python<'_>,
        board_id: i64,
        event_ids: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(usize, u64)>> {
        let mut hashes = Vec::new();
        for event_id in event_ids.try_iter()? {
            let text = event_id?;
            hashes.push(event_hash(
                board_id,
                text.cast::<PyString>()?.to_str()?.as_bytes(),
            ));
        }
        let mut found = Vec::new();
        py.detach(|| self.shared.find(hashes.into_iter(), &mut found));
        Ok(found)
    }

    /// Forgets all lines.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.shared.clear());
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.shared.len())
    }

    /// Bytes that are held.
    fn memory(&self, py: Python<'_>) -> usize {
        py.detach(|| self.shared.memory())
    }
}

/// Board rules as they come from Python, in the order of the fields of `Rules`.
type RulesIn = (
    String,
    Vec<bool>,
    i64,
    u8,
    Option<i64>,
    Option<i64>,
    Vec<String>,
    usize,
    Vec<i64>,
);
/// An event whose points were read by other columns: place, board, points, revision.
type ForeignOut<'py> = (usize, i64, Bound<'py, PyTuple>, i64);
/// A block, in the order of its fields.
type BlockOut<'py> = (u64, u64, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// So many events or entries are worth to let other threads of Python run meanwhile.
const MANY: usize = 128;

/// Decides runs of events; see `toprung.decider.native`. One thread at a time uses it.
#[pyclass(module = "toprung._native._core")]
pub struct RunDecider {
    decider: Decider,
    broken: bool,
}

impl RunDecider {
    /// Works on the run, or on what is as large; see `change_many`.
    fn change<R: Send>(
        &mut self,
        py: Python<'_>,
        change: impl FnOnce(&mut Decider) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        self.change_many(py, self.decider.run_length(), change)
    }

    /// Works on `count` events or entries of the decider. If they are many, other threads of Python
    /// go on meanwhile; else to wait for one's turn again would take longer.
    fn change_many<R: Send>(
        &mut self,
        py: Python<'_>,
        count: usize,
        change: impl FnOnce(&mut Decider) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        if self.broken {
            return Err(EngineBroken::new_err("the decider failed before"));
        }
        let decider = &mut self.decider;
        let guarded = || catch_unwind(AssertUnwindSafe(|| change(decider)));
        let outcome = if count < MANY {
            guarded()
        } else {
            py.detach(guarded)
        };
        match outcome {
            Ok(outcome) => outcome.map_err(|error| {
                self.broken = error == Error::Overflow;
                refused(&error)
            }),
            Err(panic) => {
                self.broken = true;
                Err(broken(&*panic))
            }
        }
    }
}

#[pymethods]
impl RunDecider {
    #[new]
    fn new(index: &SeenIndex, limit: usize) -> Self {
        Self {
            decider: Decider::new(Arc::clone(&index.shared), limit),
            broken: false,
        }
    }

    /// Takes up a board as it is from now on; `None`: it is not there.
    fn board(&mut self, py: Python<'_>, board_id: i64, rules: Option<RulesIn>) -> PyResult<()> {
        let rules = rules.map(rules_of).transpose()?;
        self.change(py, |decider| decider.board(board_id, rules))
    }

    /// Takes up the periods of a stretch of instants: `(period, closes_at, key)` for each window, of
    /// the frozen ones before the freeze only.
    fn learn(
        &mut self,
        py: Python<'_>,
        board_id: i64,
        number: u32,
        low: i64,
        high: i64,
        slots: Vec<(u32, Option<i64>, String)>,
    ) -> PyResult<()> {
        let (slots, keys) = slots
            .into_iter()
            .map(|(period, closes_at, key)| (Slot { period, closes_at }, key))
            .unzip();
        let stretch = Stretch {
            low,
            high,
            number,
            slots,
        };
        self.change(py, |decider| decider.learn(board_id, stretch, keys))
    }

    /// Forgets calendars and every entry that does not wait; the periods of those that do.
    fn forget(&mut self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.change_many(py, usize::MAX, |decider| Ok(decider.forget()))
    }

    /// Forgets every entry of some players of a board that does not wait.
    #[allow(clippy::needless_pass_by_value)]
    fn forget_players(
        &mut self,
        py: Python<'_>,
        board_id: i64,
        players: Vec<String>,
    ) -> PyResult<()> {
        self.change(py, |decider| {
            let texts: Vec<&[u8]> = players.iter().map(String::as_bytes).collect();
            decider.forget_players(board_id, &texts);
            Ok(())
        })
    }

    /// Forgets a board and every entry of it that does not wait.
    fn forget_board(&mut self, py: Python<'_>, board_id: i64) -> PyResult<()> {
        self.change_many(py, usize::MAX, |decider| {
            decider.forget_board(board_id);
            Ok(())
        })
    }

    /// Begins a run.
    fn start(&mut self, py: Python<'_>, first: u64) -> PyResult<()> {
        self.change(py, |decider| {
            decider.start(first);
            Ok(())
        })
    }

    /// Adds records to the run, as `(received_at, body, record, ranked)`.
    fn push(&mut self, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        for row in rows.try_iter()? {
            let row = row?;
            let row = row.cast::<PyTuple>()?;
            let body = row.get_item(1)?;
            self.decider.push(
                row.get_item(0)?.extract()?,
                body.cast::<PyBytes>()?.as_bytes(),
                row.get_item(3)?.is_truthy()?,
            );
        }
        Ok(())
    }

    /// Adds records to the run, as the log keeps them.
    fn push_frames(&mut self, py: Python<'_>, frames: &[u8], ranked: bool) -> PyResult<()> {
        self.change(py, |decider| decider.push_frames(frames, ranked))
    }

    /// Reads the records of the run; the boards that it meets.
    fn boards(&mut self, py: Python<'_>) -> PyResult<Vec<i64>> {
        self.change(py, |decider| {
            decider.read()?;
            Ok(decider.boards())
        })
    }

    /// Finds periods and rows; a board and an instant whose periods are to be learned before it is
    /// called again.
    fn plan(&mut self, py: Python<'_>) -> PyResult<Option<(i64, i64)>> {
        self.change(py, Decider::plan)
    }

    /// Events whose points were read by other columns than the present ones.
    fn foreign<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<ForeignOut<'py>>> {
        let places = self.change(py, |decider| Ok(decider.foreign()))?;
        places
            .into_iter()
            .map(|place| {
                let (board_id, points, revision) = self.decider.points(place);
                Ok((place, board_id, PyTuple::new(py, points)?, revision))
            })
            .collect()
    }

    /// Takes up points by the present columns; `None`: they cannot be said by these.
    #[allow(clippy::needless_pass_by_value)] // an argument from Python is owned
    fn reread(&mut self, py: Python<'_>, place: usize, points: Option<Vec<i64>>) -> PyResult<()> {
        let points = points_of(points.as_deref())?;
        self.change(py, |decider| decider.reread(place, points))
    }

    /// Events whose id may have come before: place, board, id.
    fn suspects<'py>(
        &mut self,
        py: Python<'py>,
    ) -> PyResult<Vec<(usize, i64, Bound<'py, PyString>)>> {
        let places = self.change(py, |decider| Ok(decider.suspects()))?;
        places
            .into_iter()
            .map(|place| {
                let (board_id, event_id) = self.decider.event_id(place);
                Ok((place, board_id, PyString::from_bytes(py, event_id)?))
            })
            .collect()
    }

    /// Takes up what was kept of the id of an event.
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
    fn know(
        &mut self,
        py: Python<'_>,
        place: usize,
        spent: bool,
        player_id: &str,
        points: Option<Vec<i64>>,
        at: i64,
        at_given: bool,
    ) -> PyResult<()> {
        let first = First {
            spent,
            player_id: player_id.as_bytes().to_vec(),
            points: points_of(points.as_deref())?,
            at,
            at_given,
        };
        self.change(py, |decider| decider.know(place, first))
    }

    /// By period the players whose entries are to be told.
    fn asked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (period, player) in self.decider.asked() {
            let player = PyString::from_bytes(py, player)?;
            if let Some(players) = found.get_item(period)? {
                players.cast::<PyList>()?.append(player)?;
            } else {
                found.set_item(period, PyList::new(py, [player])?)?;
            }
        }
        Ok(found)
    }

    /// Takes up packed entries; `periods` has the periods by the store's numbers of them.
    #[allow(clippy::needless_pass_by_value)]
    fn fill(&mut self, py: Python<'_>, periods: HashMap<i64, u32>, packed: &[u8]) -> PyResult<()> {
        self.change(py, |decider| decider.fill(&periods, packed))
    }

    /// Decides the run: blocks, moves, moved, latest, told.
    fn decide<'py>(&mut self, py: Python<'py>, told: bool) -> PyResult<Bound<'py, PyTuple>> {
        let decided = self.change(py, |decider| decider.decide(told))?;
        let blocks: Vec<BlockOut<'py>> = decided
            .blocks
            .iter()
            .map(|block| block_out(py, block))
            .collect();
        let told = told.then(|| told_out(py, &decided.told)).transpose()?;
        (
            blocks,
            moves_out(py, &decided.moves)?,
            PyBytes::new(py, &decided.moved),
            latest_out(py, &decided)?,
            told,
        )
            .into_pyobject(py)
    }

    /// Does the run again by what was kept, `(seq, spent, late)` for each line: moves, latest.
    fn redo<'py>(
        &mut self,
        py: Python<'py>,
        kept: Vec<(u64, bool, Vec<String>)>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let kept: Vec<Kept> = kept
            .into_iter()
            .map(|(seq, spent, late)| Kept { seq, spent, late })
            .collect();
        let decided = self.change(py, |decider| decider.redo(&kept))?;
        (moves_out(py, &decided.moves)?, latest_out(py, &decided)?).into_pyobject(py)
    }

    /// How many entries wait to be written.
    #[getter]
    fn unwritten(&self) -> usize {
        self.decider.unwritten()
    }

    /// All events before this `seq` are in the written entries.
    #[getter]
    fn oldest(&self) -> Option<u64> {
        self.decider.oldest()
    }

    /// How many entries the running sweep had at first; if none runs, how many one would have.
    #[getter]
    fn sweep(&self) -> usize {
        self.decider.sweep()
    }

    /// Takes the next entries of the sweep; their periods.
    fn take(&mut self, py: Python<'_>, limit: usize) -> PyResult<Vec<u32>> {
        self.change_many(py, limit, |decider| Ok(decider.take(limit)))
    }

    /// What was taken last, packed: board, how many, the entries.
    ///
    /// `numbers` has for each period the board and the store's own number of it.
    #[allow(clippy::needless_pass_by_value)]
    fn packed<'py>(
        &mut self,
        py: Python<'py>,
        numbers: HashMap<u32, Number>,
    ) -> PyResult<Vec<(i64, usize, Bound<'py, PyBytes>)>> {
        let taken = self.change(py, |decider| decider.taken(&numbers))?;
        Ok(taken
            .iter()
            .map(|part| (part.board_id, part.count, PyBytes::new(py, &part.packed)))
            .collect())
    }

    /// All entries that wait: `MessagePack`, `[[period, {player: entry}]]`.
    fn waiting<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let waiting = self.change_many(py, usize::MAX, |decider| Ok(decider.waiting()))?;
        Ok(PyBytes::new(py, &waiting))
    }

    /// Those of the entries of players in periods that are held, as `waiting` gives them.
    #[allow(clippy::needless_pass_by_value)]
    fn held<'py>(
        &mut self,
        py: Python<'py>,
        wanted: Vec<(u32, Vec<PyBackedStr>)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let count = wanted.iter().map(|(_, players)| players.len()).sum();
        let held = self.change_many(py, count, |decider| {
            let wanted: Vec<(u32, Vec<&[u8]>)> = wanted
                .iter()
                .map(|(period, players)| {
                    (
                        *period,
                        players.iter().map(|text| text.as_bytes()).collect(),
                    )
                })
                .collect();
            Ok(decider.held_of(&wanted))
        })?;
        Ok(PyBytes::new(py, &held))
    }

    /// What was taken last is written.
    fn written(&mut self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |decider| {
            decider.written();
            Ok(())
        })
    }

    /// How many entries are held, and the bytes that they and their players take.
    fn memory(&self) -> (usize, usize) {
        (self.decider.entries(), self.decider.memory())
    }
}

fn rules_of(rules: RulesIn) -> PyResult<Rules> {
    let (mode, descending, revision, numbering, remember, max_ahead, windows, told, days) = rules;
    let mode = match mode.as_str() {
        "sum" => Mode::Sum,
        "best" => Mode::Best,
        "last" => Mode::Last,
        _ => return Err(PyValueError::new_err("no such mode")),
    };
    Ok(Rules {
        mode,
        descending,
        revision,
        numbering,
        remember,
        max_ahead,
        windows,
        told,
        days,
    })
}

fn points_of(points: Option<&[i64]>) -> PyResult<Option<Columns>> {
    points
        .map(|points| Columns::new(points).ok_or_else(|| refused(&Error::BadAnswer)))
        .transpose()
}

fn block_out<'py>(py: Python<'py>, block: &Block) -> BlockOut<'py> {
    (
        block.first,
        block.last,
        PyBytes::new(py, &block.body),
        PyBytes::new(py, &block.places),
    )
}

/// The fields of `toprung.ports.moves.Moves`, with numbers in the place of keys.
fn moves_out<'py>(py: Python<'py>, moves: &Moves) -> PyResult<Bound<'py, PyTuple>> {
    (
        &moves.periods,
        &moves.widths,
        PyBytes::new(py, &moves.players),
        numbers_out(py, &moves.ends, u32::to_ne_bytes)?,
        numbers_out(py, &moves.period, u32::to_ne_bytes)?,
        numbers_out(py, &moves.player, u32::to_ne_bytes)?,
        PyBytes::new(py, &moves.numbering),
        numbers_out(py, &moves.columns, i64::to_ne_bytes)?,
        numbers_out(py, &moves.reached_at, i64::to_ne_bytes)?,
    )
        .into_pyobject(py)
}

/// The fields of `Told`; the steps as bits (1: on the board before, 2: taken), and the numbers before
/// and after.
fn told_out<'py>(py: Python<'py>, told: &Told) -> PyResult<Bound<'py, PyTuple>> {
    let again = PyDict::new(py);
    for (place, seq) in &told.again {
        again.set_item(place, seq)?;
    }
    let known: Vec<u8> = told.steps.iter().map(known_of).collect();
    (
        PyBytes::new(py, &told.outcomes),
        &told.stretches,
        numbers_out(py, &told.spans, u32::to_ne_bytes)?,
        PyBytes::new(py, &known),
        numbers_out(py, &told.steps, |step| {
            step.before.unwrap_or_default().to_ne_bytes()
        })?,
        numbers_out(py, &told.steps, |step| {
            step.after.unwrap_or_default().to_ne_bytes()
        })?,
        PyBytes::new(py, &told.before),
        PyBytes::new(py, &told.after),
        PyBytes::new(py, &told.overflowed),
        again,
    )
        .into_pyobject(py)
}

fn known_of(step: &Step) -> u8 {
    u8::from(step.before.is_some()) | u8::from(step.after.is_some()) << 1
}

fn latest_out<'py>(py: Python<'py>, decided: &Decided) -> PyResult<Bound<'py, PyDict>> {
    let latest = PyDict::new(py);
    for (board_id, at) in &decided.latest {
        latest.set_item(board_id, at)?;
    }
    Ok(latest)
}

/// What Python sees of an error of the decider: a code, a message, and of a record that cannot be
/// read its place in the run.
fn refused(error: &Error) -> PyErr {
    let code = match error {
        Error::Damaged(place) => {
            return EngineError::new_err(("damaged_record", error.to_string(), *place));
        }
        Error::BadAnswer => "bad_answer",
        Error::Full => "full",
        Error::OutOfMemory => "out_of_memory",
        Error::Overflow => "overflow",
    };
    EngineError::new_err((code, error.to_string()))
}

fn broken(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("the decider panicked");
    EngineBroken::new_err(text.to_owned())
}
