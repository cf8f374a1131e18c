//! Generated histories: the engine tells what a sorted list tells, and is whole after each step.

mod model;

use model::history::{Size, run};

/// Bytes of a seed, by the generator `SplitMix64`.
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let words = std::iter::repeat_with(|| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31).to_le_bytes()
    });
    words.flatten().take(count).collect()
}

#[test]
fn many_small_histories() {
    let size = Size {
        players: 90,
        batch: 12,
        periods: 3,
    };
    for seed in 0..40 {
        run(&bytes(seed, 6_000), size, 1);
    }
}

#[test]
fn some_histories_of_several_leaves() {
    let size = Size {
        players: 3_000,
        batch: 250,
        periods: 4,
    };
    for seed in 100..104 {
        run(&bytes(seed, 100_000), size, 10);
    }
}

#[test]
fn a_history_of_several_levels() {
    let size = Size {
        players: 10_000,
        batch: 4_000,
        periods: 2,
    };
    run(&bytes(200, 500_000), size, 10);
}
