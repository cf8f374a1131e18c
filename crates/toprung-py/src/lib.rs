//! The door between Python and the ranking engine.
//!
//! Only conversions, error mapping and the release of the interpreter lock belong here. Whatever
//! knows about ranks lives in `toprung-rank`.

mod blocks;
mod convert;
mod decide;
mod errors;
mod image;
mod intake;
mod rank;

/// The compiled half of `toprung._native`.
#[pyo3::pymodule]
mod _core {
    use pyo3::pyfunction;

    #[pymodule_export]
    use crate::blocks::EntryBlocks;
    #[pymodule_export]
    use crate::decide::{RunDecider, SeenIndex};
    #[pymodule_export]
    use crate::errors::{EngineBroken, EngineError};
    #[pymodule_export]
    use crate::image::RankImage;
    #[pymodule_export]
    use crate::intake::{read_batch, write_results};
    #[pymodule_export]
    use crate::rank::RankEngine;

    /// The version of this binary; `toprung._native` compares it with the Python package's.
    #[pyfunction]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The version of the ranking engine inside this binary.
    #[pyfunction]
    fn engine_version() -> &'static str {
        toprung_rank::version()
    }

    /// How this binary was compiled, `"release"` or `"debug"`: a debug build must not be measured.
    #[pyfunction]
    fn build_profile() -> &'static str {
        if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        }
    }
}
