//! What is refused, and why.

use std::fmt;

/// The reason why a call was refused. Where nothing else is said, it changed nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The record of this place in the run is no event, or its points are not those of its board.
    Damaged(usize),
    /// The entry or the answer does not fit what was asked.
    BadAnswer,
    /// A number of the log is beyond 40 bits, or nothing further can be numbered.
    Full,
    /// The system gave no memory.
    OutOfMemory,
    /// What was decided before cannot be done again: a total would leave the 64-bit range. A part
    /// of the run is done, so the decider must not be used again.
    Overflow,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(_) => formatter.write_str("not an event as this version writes it"),
            Self::BadAnswer => formatter.write_str("the answer does not fit the question"),
            Self::Full => formatter.write_str("nothing further can be numbered"),
            Self::OutOfMemory => formatter.write_str("out of memory"),
            Self::Overflow => formatter.write_str("a total would leave the 64-bit range"),
        }
    }
}

impl std::error::Error for Error {}
