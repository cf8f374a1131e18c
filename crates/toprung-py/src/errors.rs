//! How failures of the engine reach Python: the one place where they are mapped.

use std::any::Any;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use toprung_rank::Error;

create_exception!(
    toprung._native._core,
    EngineError,
    PyException,
    "The engine refused a call and is as it was before. Arguments: a code, a message."
);
create_exception!(
    toprung._native._core,
    EngineBroken,
    PyException,
    "The engine failed inside: a bug of ours. It may be half changed and must not be used again."
);

/// What Python sees of an error of the engine.
pub fn refused(error: &Error) -> PyErr {
    EngineError::new_err((code(error), error.to_string()))
}

fn code(error: &Error) -> &'static str {
    match error {
        Error::UnknownPeriod => "unknown_period",
        Error::BadColumns => "bad_columns",
        Error::BadTexts => "bad_texts",
        Error::MembersFull | Error::EntriesFull => "full",
        Error::OutOfMemory => "out_of_memory",
        Error::Damaged(_) => "damaged",
    }
}

/// What Python sees of a panic of the engine.
pub fn broken(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("the engine panicked");
    EngineBroken::new_err(text.to_owned())
}
