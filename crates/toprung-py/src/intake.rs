//! Batches of plain events, as Python sees them: see `toprung.batch.native`.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes};
use toprung_decide::Step;
use toprung_intake::{
    Arrival, Board, Column, Effects, Form, Ranks, Records, Reply, Stretch, Window, read,
};

use crate::convert::Number;

/// A board: its number, its revision, and its columns with their decimals.
type BoardIn = (i64, i64, Vec<(String, usize)>);
/// A stretch: the board's name, the decimals of its first column, its windows with their periods.
type StretchIn = (String, usize, Vec<(String, String)>);

/// So many bytes are worth to let other threads of Python run meanwhile.
const MANY_BYTES: usize = 4096;

/// Reads a body into the records of its events: frames, and how long each is. `None`: not plain.
///
/// `form` is `"object"`, `"lines"` or `"single"`. `board_of` is asked for each board once, by its
/// name.
#[pyfunction]
pub fn read_batch<'py>(
    py: Python<'py>,
    content: &[u8],
    form: &str,
    board_of: &Bound<'py, PyAny>,
    received_at: i64,
    history: bool,
) -> PyResult<Option<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let form = match form {
        "object" => Form::Object,
        "lines" => Form::Lines,
        "single" => Form::Single,
        _ => return Err(PyValueError::new_err("no such form")),
    };
    let is_long = content.len() > MANY_BYTES;
    let Some(batch) = beside(py, is_long, || read(content, form)) else {
        return Ok(None);
    };
    let mut boards = Vec::new();
    for name in batch.boards() {
        let found: Option<BoardIn> = board_of.call1((*name,))?.extract()?;
        match found {
            Some(board) => boards.push(board_of_python(board)),
            None => return Ok(None),
        }
    }
    let arrival = Arrival {
        received_at,
        history,
    };
    let records = beside(py, is_long, || batch.records(&boards, arrival));
    Ok(records.map(|Records { frames, sizes }| {
        let sizes: Vec<u8> = sizes.iter().flat_map(|size| size.to_ne_bytes()).collect();
        (PyBytes::new(py, &frames), PyBytes::new(py, &sizes))
    }))
}

/// Does some work; other threads of Python run meanwhile, if it is long.
fn beside<R: Send>(py: Python<'_>, is_long: bool, work: impl FnOnce() -> R + Send) -> R {
    if is_long { py.detach(work) } else { work() }
}

/// What became of the events of some records, as JSON; `None`: it cannot be told natively.
///
/// The effects are those of a run, in which the records stand from `start` on. `ranks` are those of
/// the records. `others` are by their place among the records.
#[pyfunction]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // columns, owned by Python
pub fn write_results<'py>(
    py: Python<'py>,
    frames: &[u8],
    first: u64,
    start: usize,
    outcomes: &[u8],
    spans: &[u8],
    known: &[u8],
    before: &[u8],
    after: &[u8],
    stretches: Vec<StretchIn>,
    ranks: Option<(Vec<u32>, Vec<u32>)>,
    others: HashMap<usize, Vec<u8>>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let spans = u32::read_all(spans)?;
    let steps = steps_of(known, &i64::read_all(before)?, &i64::read_all(after)?);
    let stretches: Vec<Stretch> = stretches.into_iter().map(stretch_of).collect();
    let reply = Reply {
        frames,
        first,
        effects: Effects {
            outcomes,
            spans: &spans,
            steps: &steps,
        },
        stretches: &stretches,
        start,
        ranks: ranks
            .as_ref()
            .map(|(before, after)| Ranks { before, after }),
        others: &others,
    };
    let results = beside(py, frames.len() > MANY_BYTES, || reply.results());
    Ok(results.map(|results| PyBytes::new(py, &results)))
}

fn board_of_python((board_id, revision, columns): BoardIn) -> Board {
    Board {
        board_id,
        revision,
        columns: columns
            .into_iter()
            .map(|(name, decimals)| Column { name, decimals })
            .collect(),
    }
}

fn stretch_of((board, decimals, windows): StretchIn) -> Stretch {
    Stretch {
        board,
        decimals,
        windows: windows
            .into_iter()
            .map(|(name, period)| Window { name, period })
            .collect(),
    }
}

/// The reverse of what `RunDecider.decide` tells.
fn steps_of(known: &[u8], before: &[i64], after: &[i64]) -> Vec<Step> {
    known
        .iter()
        .zip(before)
        .zip(after)
        .map(|((known, before), after)| Step {
            before: (known & 1 != 0).then_some(*before),
            after: (known & 2 != 0).then_some(*after),
        })
        .collect()
}
