//! The ranking engine of toprung.
//!
//! This crate knows no Python, does no I/O and reads no clock, so that its tests run anywhere in
//! a second and its benchmarks measure nothing but the structure itself.

/// The version of this crate, as its manifest says it.
#[must_use]
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn version_has_three_numbers() {
        let numbers: Vec<u32> = version()
            .split('.')
            .map(|part| part.parse().expect("each part of the version is a number"))
            .collect();

        assert_eq!(numbers.len(), 3);
    }
}
