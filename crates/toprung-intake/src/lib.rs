//! The way in and out for batches of plain events.
//!
//! A batch is plain if nothing in it needs a second look: every event has the usual shape and would
//! be taken. Such a batch is read straight into the records of the log ([`read`]). What became of
//! its events is written straight as JSON ([`Reply`]). Whatever else comes is not for this crate: it
//! says so, and the slower way, `toprung.api.batches` with `toprung.intake.shape`, takes the whole
//! batch. That way is the oracle: where both can do it, each byte is the same.
//!
//! This crate knows no Python, does no I/O and reads no clock.

mod event;
mod instant;
mod json;
mod number;
mod read;
mod reply;

pub use read::{Arrival, Batch, Board, Column, Form, Records, read};
pub use reply::{Effects, Ranks, Reply, Stretch, Window};
