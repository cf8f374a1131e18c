//! Any history of operations: the engine tells what a sorted list tells, and is whole.
#![no_main]

#[path = "../../tests/model/mod.rs"]
mod model;

use model::history::{Size, run};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let size = Size {
        players: 400,
        batch: 150,
        periods: 3,
    };
    run(bytes, size, 5);
});
