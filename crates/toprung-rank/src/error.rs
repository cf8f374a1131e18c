//! What the engine refuses, and why.

use std::{fmt, io};

/// The reason why the engine refused a call.
///
/// Where nothing else is said, a refused call changed nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// No period has this handle; it was dropped, or never given out.
    UnknownPeriod,
    /// The number of columns is not that of the period, not 1 to 5, or the arrays of a batch differ
    /// in length.
    BadColumns,
    /// The ends of the texts do not ascend, leave their bytes, or a text is longer than
    /// [`TEXT_BYTES_MAX`](crate::TEXT_BYTES_MAX).
    BadTexts,
    /// No further member can be numbered.
    MembersFull,
    /// No further entry, period or view can be numbered.
    EntriesFull,
    /// The system gave no memory. The engine is whole; of a batch of moves a first part may have
    /// been applied, and as moves are absolute the batch may simply be applied again.
    OutOfMemory,
    /// An image is not what was written; the text says where it was noticed.
    Damaged(String),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownPeriod => formatter.write_str("no such period"),
            Self::BadColumns => formatter.write_str("columns do not fit the period"),
            Self::BadTexts => formatter.write_str("texts are not ascending, or too long"),
            Self::MembersFull => formatter.write_str("no further member can be numbered"),
            Self::EntriesFull => formatter.write_str("no further entry can be numbered"),
            Self::OutOfMemory => formatter.write_str("out of memory"),
            Self::Damaged(what) => write!(formatter, "damaged image: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::other(error)
    }
}
