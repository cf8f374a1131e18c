//! What becomes of events, by the rules of toprung.
//!
//! This crate knows no Python, does no I/O and reads no clock. What it does not know it asks for:
//! a run of events is read, then planned (which calendar, ids and entries are missing), then decided
//! in memory. The oracle is `toprung.domain.decide`.

pub mod blocks;
mod board;
mod cache;
mod crc;
mod decided;
mod decider;
mod deciding;
mod dividing;
mod entry;
mod error;
mod event;
mod hash;
mod keys;
pub mod msgpack;
mod packed;
mod redoing;
mod run;
mod seen_index;
mod slots;
mod sweep;
mod tags;

pub use board::{Rules, Slot, Stretch, WINDOWS_MAX};
pub use decided::{Block, Decided, Moves, Outcome, Step, Told};
pub use decider::{Decider, Kept, Number, Taken};
pub use entry::{COLUMNS_MAX, Columns, Mode, Standing};
pub use error::Error;
pub use event::{Event, NewEvent, read_event, write_event};
pub use hash::event_hash;
pub use run::First;
pub use seen_index::SeenIndex;
