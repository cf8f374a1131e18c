//! The ranking engine of toprung.
//!
//! This crate knows no Python, does no I/O and reads no clock, so that its tests run anywhere in
//! a second and its benchmarks measure nothing but the structure itself.
//!
//! An [`Engine`] holds the periods of a project over one dictionary of members. The order of a
//! period is total: columns, each by its direction, then `reached_at`, then the player's bytes.

mod arena;
mod back;
mod batch;
mod bulk;
mod change;
mod chunk;
mod engine;
mod error;
#[cfg(test)]
mod full;
mod hash;
mod image;
mod key;
mod lanes;
mod members;
mod memory;
mod node;
mod period;
mod texts;
mod tree;
mod validate;
mod view;

pub use batch::{COLUMNS_MAX, Moves, Numbering, PeriodId, Place, Rows, TEXT_BYTES_MAX, Texts};
pub use engine::Engine;
pub use error::Error;
pub use image::{ImageWriter, Written};
pub use memory::Memory;
pub use view::ReadView;

/// The version of this crate, as its manifest says it.
#[must_use]
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[cfg(test)]
mod tests {
    use super::{Engine, Moves, Numbering, Rows, Texts, version};

    #[test]
    fn version_has_three_numbers() {
        let numbers: Vec<u32> = version()
            .split('.')
            .map(|part| part.parse().expect("each part of the version is a number"))
            .collect();

        assert_eq!(numbers.len(), 3);
    }

    #[test]
    fn equal_scores_are_numbered_in_three_ways() {
        let mut engine = Engine::new();
        let period = engine.add_period(&[true]).expect("one column");
        let players = Texts {
            bytes: b"anabobcyndan",
            ends: &[3, 6, 9, 12],
        };
        let moves = Moves {
            periods: &[period; 4],
            players,
            columns: &[30, 20, 20, 10],
            reached_at: &[1, 2, 3, 4],
            numbering: &[1; 4],
        };
        engine
            .apply(&moves, &mut [0; 4], &mut [0; 4])
            .expect("good moves");

        let mut ranks = [0; 4];
        for (numbering, expected) in [
            (Numbering::Ordinal, [1, 2, 3, 4]),
            (Numbering::Shared, [1, 2, 2, 4]),
            (Numbering::Dense, [1, 2, 2, 3]),
        ] {
            engine
                .rank_many(period, &players, numbering, &mut ranks)
                .expect("known");
            assert_eq!(ranks, expected);
        }
        let mut rows = Rows::default();
        engine.rows(period, 1, 3, &mut rows).expect("known");
        assert_eq!(rows.bytes, b"bobcyn");
    }
}
