//! What an engine does when it is full, with limits low enough to reach.

use crate::batch::{Moves, PeriodId, Rows, Texts};
use crate::engine::Engine;
use crate::error::Error;
use crate::node::LEAF;

/// Move players named by four digits to the score that is their number.
fn apply(
    engine: &mut Engine,
    period: PeriodId,
    numbers: std::ops::Range<u32>,
) -> Result<(), Error> {
    let count = numbers.len();
    let texts: Vec<String> = numbers
        .clone()
        .map(|number| format!("{number:04}"))
        .collect();
    let bytes = texts.concat();
    let ends: Vec<u32> = (1..=count)
        .map(|end| u32::try_from(end * 4).unwrap())
        .collect();
    let scores: Vec<i64> = numbers.map(i64::from).collect();
    let moves = Moves {
        periods: &vec![period; count],
        players: Texts {
            bytes: bytes.as_bytes(),
            ends: &ends,
        },
        columns: &scores,
        reached_at: &scores,
        numbering: &vec![1; count],
    };
    engine.apply(&moves, &mut vec![0; count], &mut vec![0; count])
}

#[test]
fn a_batch_that_finds_no_numbers_for_members_changes_nothing() {
    let mut engine = Engine::with_limits(10, u32::MAX);
    let period = engine.add_period(&[true]).expect("one column");
    apply(&mut engine, period, 0..8).expect("room");

    assert_eq!(apply(&mut engine, period, 6..20), Err(Error::MembersFull));

    assert_eq!(engine.total(period), Ok(8));
    engine.validate().expect("whole");
    apply(&mut engine, period, 0..8).expect("known members move on");
}

#[test]
fn a_batch_that_finds_no_room_for_entries_changes_nothing() {
    let leaves = 30;
    let mut engine = Engine::with_limits(u32::MAX, leaves);
    let period = engine.add_period(&[true]).expect("one column");
    let mut done = 0;
    while apply(&mut engine, period, done..done + 10).is_ok() {
        done += 10;
    }

    assert_eq!(
        apply(&mut engine, period, done..done + 10),
        Err(Error::EntriesFull)
    );

    assert_eq!(engine.total(period), Ok(u64::from(done)));
    assert!(u64::from(done) > 10 * LEAF as u64, "only {done} entries");
    engine.validate().expect("whole");
    let mut rows = Rows::default();
    engine.rows(period, 0, u64::MAX, &mut rows).expect("known");
    assert!(rows.columns.is_sorted_by(|left, right| left > right));
}

#[test]
fn a_period_that_would_be_too_large_is_not_built() {
    let mut engine = Engine::with_limits(u32::MAX, 2);
    let ends: Vec<u32> = (1..=1000).map(|end| end * 4).collect();
    let texts: Vec<String> = (0..1000).map(|number| format!("{number:04}")).collect();
    let bytes = texts.concat();
    let players = Texts {
        bytes: bytes.as_bytes(),
        ends: &ends,
    };
    let built = engine.build(&[true], &players, &vec![1; 1000], &vec![1; 1000]);

    assert_eq!(built, Err(Error::EntriesFull));
    assert!(engine.periods().is_empty());
}

#[test]
fn texts_are_checked_before_anything_is_done() {
    let mut engine = Engine::new();
    let period = engine.add_period(&[true]).expect("one column");
    let long = [7; 257];
    for (bytes, ends) in [
        (&b"ab"[..], &[2, 1][..]),
        (b"ab", &[3]),
        (&long, &[257]),
        (b"ab", &[u32::MAX]),
    ] {
        let players = Texts { bytes, ends };
        assert_eq!(engine.remove(period, &players), Err(Error::BadTexts));
        let mut out = vec![0; ends.len()];
        assert_eq!(
            engine.index_of_many(period, &players, &mut out),
            Err(Error::BadTexts)
        );
    }
    let longest = Texts {
        bytes: &long[..256],
        ends: &[256],
    };
    engine
        .build(&[true], &longest, &[1], &[1])
        .expect("256 bytes are fine");
}

#[test]
fn an_empty_period_has_no_nodes() {
    let mut engine = Engine::new();
    for _ in 0..1000 {
        engine.add_period(&[true, false]).expect("two columns");
    }
    let memory = engine.memory();

    assert_eq!(
        (memory.keys, memory.inner_nodes, memory.back_pointers),
        (0, 0, 0)
    );
    assert!(
        memory.period_heads < 400 * 1000,
        "{} bytes",
        memory.period_heads
    );
}
