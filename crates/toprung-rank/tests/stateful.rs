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
    // Miri is some thousand times slower, and looks for something else.
    let (seeds, count) = if cfg!(miri) { (2, 700) } else { (40, 6_000) };
    for seed in 0..seeds {
        run(&bytes(seed, count), size, 1);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too long for Miri")]
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
#[cfg_attr(miri, ignore = "too long for Miri")]
fn a_history_of_several_levels() {
    let size = Size {
        players: 10_000,
        batch: 4_000,
        periods: 2,
    };
    run(&bytes(200, 500_000), size, 10);
}
