//! `EntryBlocks`: entries of a board in blocks, as Python sees them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use toprung_decide::blocks::{self, Damaged};

use crate::convert::numbers_out;

/// A block that changed or came: its first key, and head and content.
type ChangedOut<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);
/// The fields of `toprung.ports.moves.Moves` from `players` on but for `numbering`, and the end.
type PlacesOut<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Option<Bound<'py, PyBytes>>,
);

/// Up to so many bytes of blocks are worked on in less time than it may take to get the interpreter's
/// lock again.
const FEW_BYTES: usize = 16_384;

/// Works on blocks, and lets other threads of Python go on if they are many.
fn work<R: Send>(py: Python<'_>, blocks: &[u8], work: impl FnOnce() -> R + Send) -> R {
    if blocks.len() > FEW_BYTES {
        py.detach(work)
    } else {
        work()
    }
}

/// Reads and merges blocks; see `toprung.store.sqlite.blocks.EntryBlocks`.
#[pyclass(frozen, module = "toprung._native._core")]
pub struct EntryBlocks;

#[pymethods]
#[allow(clippy::unused_self)] // methods of a protocol, whose other side has a state of its own
impl EntryBlocks {
    #[new]
    fn new() -> Self {
        Self
    }

    /// A block that has all keys and no entry.
    fn first_block<'py>(&self, py: Python<'py>, board_id: i64) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &blocks::first_block(board_id))
    }

    /// The entries of some keys in order: packed, how many, and the keys that lie in no block, of each
    /// player the first.
    #[allow(clippy::needless_pass_by_value)] // an argument from Python is owned
    fn find<'py>(
        &self,
        py: Python<'py>,
        board_id: i64,
        blocks: &[u8],
        keys: Vec<PyBackedBytes>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize, Bound<'py, PyList>)> {
        let keys = || keys.iter().map(|key| &**key);
        let found = work(py, blocks, || blocks::find(board_id, blocks, keys())).map_err(damaged)?;
        let packed = PyBytes::new(py, &found.packed);
        Ok((packed, found.count, keys_out(py, &found.missing)?))
    }

    /// Merges packed entries: the changed blocks, or the keys that lie in no block, of each player the
    /// first.
    #[allow(clippy::needless_pass_by_value)]
    fn merge<'py>(
        &self,
        py: Python<'py>,
        board_id: i64,
        blocks: &[u8],
        packed: &[u8],
        gone: Vec<i64>,
        limit: usize,
    ) -> PyResult<(Vec<ChangedOut<'py>>, Bound<'py, PyList>)> {
        let merged = work(py, blocks, || {
            blocks::merge(board_id, blocks, packed, &gone, limit)
        })
        .map_err(damaged)?;
        let changed = merged
            .changed
            .iter()
            .map(|(first, body)| (PyBytes::new(py, first), PyBytes::new(py, body)))
            .collect();
        Ok((changed, keys_out(py, &merged.missing)?))
    }

    /// Where players stand by the entries of consecutive blocks.
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
    fn places<'py>(
        &self,
        py: Python<'py>,
        board_id: i64,
        blocks: &[u8],
        first: &[u8],
        after: u64,
        width: usize,
        periods: Vec<i64>,
    ) -> PyResult<PlacesOut<'py>> {
        let places = py
            .detach(|| blocks::places(board_id, blocks, first, after, width, &periods))
            .map_err(damaged)?;
        Ok((
            PyBytes::new(py, &places.players),
            numbers_out(py, &places.ends, u32::to_ne_bytes)?,
            numbers_out(py, &places.period, u32::to_ne_bytes)?,
            numbers_out(py, &places.player, u32::to_ne_bytes)?,
            numbers_out(py, &places.columns, i64::to_ne_bytes)?,
            numbers_out(py, &places.reached_at, i64::to_ne_bytes)?,
            places.end.map(|end| PyBytes::new(py, &end)),
        ))
    }
}

fn keys_out<'py>(py: Python<'py>, keys: &[Vec<u8>]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, keys.iter().map(|key| PyBytes::new(py, key)))
}

/// What a part of the store raises in Python where something is damaged.
#[allow(clippy::needless_pass_by_value)] // as `map_err` gives it
fn damaged(error: Damaged) -> PyErr {
    PyValueError::new_err(error.to_string())
}
