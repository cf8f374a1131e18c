//! `RankEngine`: the ranking engine as Python sees it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use toprung_rank::{Engine, Error, Moves, Numbering, PeriodId, Rows, TEXT_BYTES_MAX, Texts};

use crate::convert::{self, Number, Players, columns, numbers};
use crate::errors::{broken, refused};
use crate::image::{self, RankImage};

/// So many entries take as long as it takes to get the interpreter back from a busy thread, or
/// longer: some 0.1 ms. Fewer are done before anybody could have used it.
const MANY: usize = 256;

/// Where a player stands; the fields of `toprung.ports.view.Place`.
type PlaceOut<'py> = (u64, Bound<'py, PyTuple>, i64, u64, u64, u64);

/// An engine that is never used again once it failed in the middle of a change.
struct Guarded {
    engine: Engine,
    broken: bool,
}

impl Guarded {
    fn new(engine: Engine) -> Self {
        Self {
            engine,
            broken: false,
        }
    }

    /// Changes `count` entries of the engine, while other threads of Python go on if they are many.
    fn change<R: Send>(
        &mut self,
        py: Python<'_>,
        count: usize,
        change: impl FnOnce(&mut Engine) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        self.check()?;
        let engine = &mut self.engine;
        let guarded = || catch_unwind(AssertUnwindSafe(|| change(engine)));
        let outcome = if count < MANY {
            guarded()
        } else {
            py.detach(guarded)
        };
        match outcome {
            Ok(outcome) => outcome.map_err(|error| refused(&error)),
            Err(panic) => {
                self.broken = true;
                Err(broken(&*panic))
            }
        }
    }

    /// Asks the engine something short: letting other threads run would take longer.
    fn ask<R>(&self, question: impl FnOnce(&Engine) -> Result<R, Error>) -> PyResult<R> {
        self.check()?;
        match catch_unwind(AssertUnwindSafe(|| question(&self.engine))) {
            Ok(outcome) => outcome.map_err(|error| refused(&error)),
            Err(panic) => Err(broken(&*panic)),
        }
    }

    fn check(&self) -> PyResult<()> {
        if self.broken {
            Err(broken(&"the engine failed before"))
        } else {
            Ok(())
        }
    }
}

/// Orders of entries, one for each period, over one dictionary of members.
///
/// It takes no turns: who calls it from several threads lets one in at a time, and a call that
/// meets another one raises `RuntimeError`. Periods are named by a handle. Buffers of numbers are
/// in the byte order of this machine.
#[pyclass(module = "toprung._native._core")]
pub struct RankEngine {
    guarded: Guarded,
    players: Players,
    ranks: Vec<u64>,
    rows: Rows,
}

#[pymethods]
impl RankEngine {
    #[new]
    fn new() -> Self {
        Self::with(Engine::new())
    }

    /// Makes an empty period of an order: for each column whether larger is better.
    #[allow(clippy::needless_pass_by_value)] // an argument from Python is owned
    fn add_period(&mut self, py: Python<'_>, descending: Vec<bool>) -> PyResult<u32> {
        let added = self
            .guarded
            .change(py, 1, |engine| engine.add_period(&descending))?;
        Ok(added.0)
    }

    /// Forgets a period; its handle may be given to another one.
    fn drop_period(&mut self, py: Python<'_>, period: u32) -> PyResult<()> {
        self.guarded
            .change(py, MANY, |engine| engine.drop_period(PeriodId(period)))
    }

    /// Applies moves in order; the ranks before and after each. See `toprung.ports.moves.Moves`.
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
    fn apply<'py>(
        &mut self,
        py: Python<'py>,
        periods: Vec<u32>,
        players: &[u8],
        ends: &[u8],
        period: &[u8],
        player: &[u8],
        numbering: &[u8],
        columns: &[u8],
        reached_at: &[u8],
    ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
        self.players
            .choose(players, &u32::read_all(ends)?, &u32::read_all(player)?)?;
        let moves = Moves {
            periods: &periods_of(&periods, &u32::read_all(period)?)?,
            players: self.players.texts(),
            columns: &i64::read_all(columns)?,
            reached_at: &i64::read_all(reached_at)?,
            numbering,
        };
        let mut before = vec![0; numbering.len()];
        let mut after = vec![0; numbering.len()];
        self.guarded.change(py, numbering.len(), |engine| {
            engine.apply(&moves, &mut before, &mut after)
        })?;
        Ok((PyList::new(py, before)?, PyList::new(py, after)?))
    }

    /// Moves players of one period; `columns` has as many for each as the period has.
    fn update(
        &mut self,
        py: Python<'_>,
        period: u32,
        players: &Bound<'_, PyList>,
        columns: &Bound<'_, PyList>,
        reached_at: &Bound<'_, PyList>,
    ) -> PyResult<()> {
        self.players.fill(players)?;
        let count = players.len();
        let moves = Moves {
            periods: &vec![PeriodId(period); count],
            players: self.players.texts(),
            columns: &numbers(columns)?,
            reached_at: &numbers(reached_at)?,
            numbering: &vec![0; count],
        };
        let mut ranks = vec![0; 2 * count];
        let (before, after) = ranks.split_at_mut(count);
        self.guarded
            .change(py, count, |engine| engine.apply(&moves, before, after))
    }

    /// Takes players off some periods; who is not on one stays off it.
    #[allow(clippy::needless_pass_by_value)]
    fn remove(
        &mut self,
        py: Python<'_>,
        periods: Vec<u32>,
        players: &Bound<'_, PyList>,
    ) -> PyResult<()> {
        self.players.fill(players)?;
        let texts = self.players.texts();
        let count = periods.len() * texts.len();
        self.guarded.change(py, count, |engine| {
            for period in periods {
                engine.remove(PeriodId(period), &texts)?;
            }
            Ok(())
        })
    }

    /// Makes a period of rows in any order; a player met twice is where the last row says.
    #[allow(clippy::needless_pass_by_value)]
    fn build(
        &mut self,
        py: Python<'_>,
        descending: Vec<bool>,
        players: &[u8],
        ends: &[u8],
        columns: &[u8],
        reached_at: &[u8],
    ) -> PyResult<u32> {
        let ends = u32::read_all(ends)?;
        let columns = i64::read_all(columns)?;
        let reached_at = i64::read_all(reached_at)?;
        let texts = Texts {
            bytes: players,
            ends: &ends,
        };
        let built = self.guarded.change(py, reached_at.len(), |engine| {
            engine.build(&descending, &texts, &columns, &reached_at)
        })?;
        Ok(built.0)
    }

    /// How many players are on the period.
    fn total(&self, period: u32) -> PyResult<u64> {
        self.guarded.ask(|engine| engine.total(PeriodId(period)))
    }

    /// The ranks of many players in a numbering (a code of `toprung.ports.moves`); 0: not there.
    fn rank_many<'py>(
        &mut self,
        py: Python<'py>,
        period: u32,
        players: &Bound<'py, PyList>,
        numbering: u8,
    ) -> PyResult<Bound<'py, PyList>> {
        let numbering = numbering_of(numbering)?;
        self.players.fill(players)?;
        self.ranks.clear();
        self.ranks.resize(players.len(), 0);
        let (texts, ranks) = (self.players.texts(), &mut self.ranks[..]);
        self.guarded.change(py, texts.len(), |engine| {
            engine.rank_many(PeriodId(period), &texts, numbering, ranks)
        })?;
        PyList::new(py, &self.ranks)
    }

    /// Where a player stands, or `None`.
    fn index_of(&self, period: u32, player: &Bound<'_, PyString>) -> PyResult<Option<u64>> {
        let Some(player) = text(player) else {
            return Ok(None);
        };
        let texts = Texts {
            bytes: player,
            ends: &[u32::try_from(player.len())?],
        };
        let mut index = [0];
        self.guarded
            .ask(|engine| engine.index_of_many(PeriodId(period), &texts, &mut index))?;
        Ok(Some(index[0]).filter(|index| *index != u64::MAX))
    }

    /// Where a player stands: index, columns, `reached_at`, how many are strictly better by their
    /// columns, how many distinct scores are, and how many players there are.
    fn place<'py>(
        &self,
        py: Python<'py>,
        period: u32,
        player: &Bound<'py, PyString>,
    ) -> PyResult<Option<PlaceOut<'py>>> {
        let Some(player) = text(player) else {
            return Ok(None);
        };
        let place = self
            .guarded
            .ask(|engine| engine.place(PeriodId(period), player))?;
        let Some(place) = place else { return Ok(None) };
        Ok(Some((
            place.index,
            columns(py, &place.columns)?,
            place.reached_at,
            place.above,
            place.distinct_above,
            place.total,
        )))
    }

    /// The same of many players, in the order asked.
    fn places<'py>(
        &self,
        py: Python<'py>,
        period: u32,
        players: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Option<PlaceOut<'py>>>> {
        players
            .try_iter()?
            .map(|player| self.place(py, period, player?.cast::<PyString>()?))
            .collect()
    }

    /// The player, columns and `reached_at` of the rows with indexes in `[start, stop)`.
    fn rows<'py>(
        &mut self,
        py: Python<'py>,
        period: u32,
        start: u64,
        stop: u64,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let rows = &mut self.rows;
        rows.clear();
        self.guarded
            .ask(|engine| engine.rows(PeriodId(period), start, stop, rows))?;
        convert::rows(py, rows)
    }

    /// How many rows stand strictly before a place, which need not be taken.
    #[allow(clippy::needless_pass_by_value)]
    fn index_at(
        &self,
        period: u32,
        columns: Vec<i64>,
        reached_at: i64,
        player: &str,
    ) -> PyResult<u64> {
        self.guarded.ask(|engine| {
            engine.index_at(PeriodId(period), &columns, reached_at, player.as_bytes())
        })
    }

    /// How many are strictly better; fewer columns than the period has are compared by alone.
    #[allow(clippy::needless_pass_by_value)]
    fn count_above(&self, period: u32, columns: Vec<i64>) -> PyResult<u64> {
        self.guarded
            .ask(|engine| engine.count_above(PeriodId(period), &columns))
    }

    /// How many are better or equal, compared in the same way.
    #[allow(clippy::needless_pass_by_value)]
    fn count_to(&self, period: u32, columns: Vec<i64>) -> PyResult<u64> {
        self.guarded
            .ask(|engine| engine.count_to(PeriodId(period), &columns))
    }

    /// How many distinct scores (all columns) are strictly better.
    #[allow(clippy::needless_pass_by_value)]
    fn distinct_above(&self, period: u32, columns: Vec<i64>) -> PyResult<u64> {
        self.guarded
            .ask(|engine| engine.distinct_above(PeriodId(period), &columns))
    }

    /// The columns of the distinct score with that index, or `None` past the end.
    fn distinct_at<'py>(
        &self,
        py: Python<'py>,
        period: u32,
        index: u64,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let mut found = Vec::new();
        let is_there = self
            .guarded
            .ask(|engine| engine.distinct_at(PeriodId(period), index, &mut found))?;
        if is_there {
            columns(py, &found).map(Some)
        } else {
            Ok(None)
        }
    }

    /// For each column of a period whether larger is better.
    fn descending(&self, period: u32) -> PyResult<Vec<bool>> {
        self.guarded
            .ask(|engine| engine.descending(PeriodId(period)))
    }

    /// Begins an image of these periods as they are now. `header` is the caller's own.
    #[allow(clippy::needless_pass_by_value)]
    fn begin_image(
        &mut self,
        py: Python<'_>,
        periods: Vec<u32>,
        header: &[u8],
    ) -> PyResult<RankImage> {
        let periods: Vec<_> = periods.into_iter().map(PeriodId).collect();
        self.guarded.change(py, MANY, |engine| {
            RankImage::begin(engine, &periods, header)
        })
    }

    /// The next bytes of an image; none when it is whole.
    fn next_part<'py>(
        &mut self,
        py: Python<'py>,
        image: &mut RankImage,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let part = self.guarded.change(py, MANY, |engine| image.next(engine))?;
        Ok(PyBytes::new(py, &part))
    }

    /// Ends an image, whole or not: what was kept for it is freed.
    fn end_image(&mut self, py: Python<'_>, image: &mut RankImage) -> PyResult<()> {
        self.guarded.change(py, MANY, |engine| {
            image.end(engine);
            Ok(())
        })
    }

    /// The engine of the image in a file, and the header it was written with.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value)]
    fn read_image(py: Python<'_>, path: PathBuf) -> PyResult<(Self, Bound<'_, PyBytes>)> {
        let read = py.detach(|| catch_unwind(|| image::read(&path)));
        let read = read.map_err(|panic| broken(&*panic))??;
        let (engine, header) = read.map_err(|error| refused(&error))?;
        Ok((Self::with(engine), PyBytes::new(py, &header)))
    }

    /// Checks every structure; raises `EngineBroken` where one is broken. Slow, for tests.
    fn validate(&self) -> PyResult<()> {
        self.guarded.check()?;
        let found = self.guarded.engine.validate();
        found.map_err(|message| broken(&message))
    }

    /// Bytes by part, and what they hold, by the names of `toprung_rank::Memory`.
    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let memory = self.guarded.engine.memory();
        let parts = PyDict::new(py);
        for (name, value) in [
            ("texts", memory.texts),
            ("text_ends", memory.text_ends),
            ("dictionary", memory.dictionary),
            ("keys", memory.keys),
            ("ids", memory.ids),
            ("leaf_heads", memory.leaf_heads),
            ("inner_nodes", memory.inner_nodes),
            ("back_pointers", memory.back_pointers),
            ("views", memory.views),
            ("period_heads", memory.period_heads),
            ("total", memory.total()),
            ("members", memory.members),
            ("entries", memory.entries),
            ("periods", memory.periods),
            ("leaves", memory.leaves),
        ] {
            parts.set_item(name, value)?;
        }
        parts.set_item("leaf_fill", memory.leaf_fill)?;
        Ok(parts)
    }

    /// Fails in the middle of a change, so that a test can see what becomes of the engine.
    #[cfg(debug_assertions)]
    fn fail_inside(&mut self, py: Python<'_>) -> PyResult<()> {
        self.guarded.change(py, 1, |_| panic!("failed on purpose"))
    }
}

impl RankEngine {
    fn with(engine: Engine) -> Self {
        Self {
            guarded: Guarded::new(engine),
            players: Players::default(),
            ranks: Vec::new(),
            rows: Rows::default(),
        }
    }
}

/// The handle of each move's period.
fn periods_of(handles: &[u32], period: &[u32]) -> PyResult<Vec<PeriodId>> {
    period
        .iter()
        .map(|index| handles.get(*index as usize).copied().map(PeriodId))
        .collect::<Option<_>>()
        .ok_or_else(|| PyValueError::new_err("a move is in a period that is not among them"))
}

fn numbering_of(code: u8) -> PyResult<Numbering> {
    match code {
        1 => Ok(Numbering::Ordinal),
        2 => Ok(Numbering::Shared),
        3 => Ok(Numbering::Dense),
        _ => Err(PyValueError::new_err("no numbering has this code")),
    }
}

/// The UTF-8 of a text. With a lone surrogate it has none, and no member has one so long.
fn text<'a>(player: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    let bytes = player.to_str().ok()?.as_bytes();
    (bytes.len() <= TEXT_BYTES_MAX).then_some(bytes)
}
