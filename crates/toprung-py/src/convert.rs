//! Between Python's objects and the engine's arrays.

use std::slice;

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use toprung_rank::{Rows, Texts};

/// A machine number that a buffer holds one after the other.
pub trait Number: Sized {
    /// The numbers of a buffer, in the byte order of this machine.
    ///
    /// They are copied, at the speed of memory: a buffer of Python's need not be aligned for them.
    ///
    /// # Errors
    /// `ValueError`: the buffer ends inside a number.
    fn read_all(buffer: &[u8]) -> PyResult<Vec<Self>>;
}

macro_rules! number {
    ($($kind:ty),*) => {$(
        impl Number for $kind {
            fn read_all(buffer: &[u8]) -> PyResult<Vec<Self>> {
                let numbers = buffer.chunks_exact(size_of::<$kind>());
                if !numbers.remainder().is_empty() {
                    return Err(PyValueError::new_err("a buffer ends inside a number"));
                }
                // No chunk is of another length, so none is read as 0.
                Ok(numbers.map(|bytes| <$kind>::from_ne_bytes(bytes.try_into().unwrap_or_default())).collect())
            }
        }
    )*};
}
number!(u32, i64);

/// The UTF-8 of some players, one after the other. Kept between calls, so that a batch allocates
/// nothing.
#[derive(Default)]
pub struct Players {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Players {
    /// Takes the texts of a list in the place of what was held.
    ///
    /// # Errors
    /// `TypeError`, `UnicodeEncodeError`: an item is not a text, or has no UTF-8.
    /// `ValueError`: they take 4 GiB or more.
    pub fn fill(&mut self, players: &Bound<'_, PyList>) -> PyResult<()> {
        self.clear();
        for at in 0..isize::try_from(players.len())? {
            // SAFETY: nothing between here and the copy that `push` makes runs Python code, so the
            // list does not change and keeps the text alive.
            self.push(unsafe { text_at(players, at) }?)?;
        }
        Ok(())
    }

    /// Takes the players of some moves in the place of what was held.
    ///
    /// # Errors
    /// `ValueError`: an end or an index lies outside, or the texts take 4 GiB or more.
    pub fn choose(&mut self, bytes: &[u8], ends: &[u32], chosen: &[u32]) -> PyResult<()> {
        self.clear();
        for index in chosen {
            let index = *index as usize;
            let start = if index == 0 {
                Some(&0)
            } else {
                ends.get(index - 1)
            };
            let text = start
                .zip(ends.get(index))
                .and_then(|(start, end)| bytes.get(*start as usize..*end as usize))
                .ok_or_else(|| PyValueError::new_err("a move's player is not among them"))?;
            self.push(text)?;
        }
        Ok(())
    }

    /// The texts as the engine takes them.
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            bytes: &self.bytes,
            ends: &self.ends,
        }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    fn push(&mut self, text: &[u8]) -> PyResult<()> {
        self.bytes.extend_from_slice(text);
        let end = u32::try_from(self.bytes.len());
        self.ends
            .push(end.map_err(|_| PyValueError::new_err("too many players at once"))?);
        Ok(())
    }
}

/// The UTF-8 of an item of a list, taken without a count of who uses it: half the time for a batch.
///
/// # Errors
/// `TypeError`, `UnicodeEncodeError`: the item is not a text, or has no UTF-8.
///
/// # Safety
/// The list stays as it is while the text is in use.
unsafe fn text_at<'a>(list: &'a Bound<'_, PyList>, at: isize) -> PyResult<&'a [u8]> {
    let mut bytes = 0;
    // SAFETY: the list is a list, and this thread is attached to the interpreter as long as there
    // is a `Bound`. An index past the end, and an item that is not a text, give null with an
    // exception. Otherwise the text keeps its UTF-8, of the length told, as long as it lives.
    unsafe {
        let item = ffi::PyList_GetItem(list.as_ptr(), at);
        if item.is_null() {
            return Err(PyErr::fetch(list.py()));
        }
        let start = ffi::PyUnicode_AsUTF8AndSize(item, &raw mut bytes);
        if start.is_null() {
            return Err(PyErr::fetch(list.py()));
        }
        Ok(slice::from_raw_parts(start.cast(), usize::try_from(bytes)?))
    }
}

/// The numbers of a list.
///
/// # Errors
/// `TypeError`, `OverflowError`: an item is not a number of 64 bits.
pub fn numbers(list: &Bound<'_, PyList>) -> PyResult<Vec<i64>> {
    list.iter().map(|item| item.extract()).collect()
}

/// Columns as a tuple.
pub fn columns<'py>(py: Python<'py>, columns: &[i64]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, columns)
}

/// Rows as `(player, columns, reached_at)`.
///
/// # Errors
/// `UnicodeDecodeError`: a player is no UTF-8.
pub fn rows<'py>(py: Python<'py>, rows: &Rows) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let width = rows.columns.len() / rows.len().max(1);
    let mut start = 0;
    let mut made = Vec::with_capacity(rows.len());
    for (index, end) in rows.ends.iter().enumerate() {
        let end = *end as usize;
        let player = PyString::from_bytes(py, &rows.bytes[start..end])?;
        let score = columns(py, &rows.columns[index * width..(index + 1) * width])?;
        made.push((player, score, rows.reached_at[index]).into_pyobject(py)?);
        start = end;
    }
    Ok(made)
}

/// Machine numbers one after the other, in the byte order of this machine.
pub fn numbers_out<'py, T: Copy, const WIDTH: usize>(
    py: Python<'py>,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; WIDTH],
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, numbers.len() * WIDTH, |buffer| {
        for (place, number) in buffer.chunks_exact_mut(WIDTH).zip(numbers) {
            place.copy_from_slice(&bytes(*number));
        }
        Ok(())
    })
}
