//! Where in the log an event id was met.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::error::Error;
use crate::tags::Tags;

const TABLE_BITS: u32 = 12;

/// Finds the lines of event ids by hash. Another id may stand on a line that is found: the line
/// itself decides. May be asked from one thread while another adds to it.
pub struct SeenIndex {
    tags: RwLock<Tags>,
}

impl Default for SeenIndex {
    fn default() -> Self {
        Self {
            tags: RwLock::new(Tags::new(TABLE_BITS)),
        }
    }
}

impl SeenIndex {
    /// Adds lines: pairs of hash and `seq`, little-endian words of eight bytes. A line that is there
    /// already stays one.
    ///
    /// # Errors
    /// [`Error::BadAnswer`]: the bytes end inside a pair; nothing was added.
    /// [`Error::Full`], [`Error::OutOfMemory`]: lines before the refused one were added.
    pub fn load(&self, places: &[u8]) -> Result<(), Error> {
        let pairs = places.chunks_exact(16);
        if !pairs.remainder().is_empty() {
            return Err(Error::BadAnswer);
        }
        let mut tags = self.change();
        for pair in pairs {
            let (hash, seq) = pair.split_at(8);
            tags.insert(word(hash), word(seq))?;
        }
        Ok(())
    }

    /// For each of `hashes` the lines where its id may stand, the latest first, added to `found`
    /// as the place among `hashes` and a `seq`.
    pub fn find(&self, hashes: impl Iterator<Item = u64>, found: &mut Vec<(usize, u64)>) {
        let tags = self.read();
        for (place, hash) in hashes.enumerate() {
            let start = found.len();
            found.extend(tags.find(hash).map(|seq| (place, seq)));
            found[start..].sort_unstable_by(|left, right| right.cmp(left));
        }
    }

    /// For each of `hashes` whether its id may have been met, added to `known`.
    pub fn know(&self, hashes: impl Iterator<Item = u64> + Clone, known: &mut Vec<bool>) {
        let tags = self.read();
        tags.warm(hashes.clone());
        known.extend(hashes.map(|hash| tags.find(hash).next().is_some()));
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there are no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that are held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.read().memory()
    }

    /// Forgets all lines.
    pub fn clear(&self) {
        *self.change() = Tags::new(TABLE_BITS);
    }

    // Nothing panics between two states of a table, so one that was left by a panic is whole.

    fn read(&self) -> RwLockReadGuard<'_, Tags> {
        self.tags.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self) -> RwLockWriteGuard<'_, Tags> {
        self.tags.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A little-endian word of eight bytes.
fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::SeenIndex;

    fn places(pairs: &[(u64, u64)]) -> Vec<u8> {
        pairs
            .iter()
            .flat_map(|(hash, seq)| [hash.to_le_bytes(), seq.to_le_bytes()].concat())
            .collect()
    }

    #[test]
    fn finds_the_latest_first() {
        let index = SeenIndex::default();
        index
            .load(&places(&[(1 << 60, 4), (7, 5), (1 << 60, 6)]))
            .expect("whole pairs");
        let mut found = Vec::new();
        index.find([9 << 40, 1 << 60, 7].into_iter(), &mut found);
        assert_eq!(found, [(1, 6), (1, 4), (2, 5)]);
        assert_eq!(index.len(), 3);
        index.clear();
        assert!(index.is_empty());
    }

    #[test]
    fn a_torn_pair_is_refused() {
        let index = SeenIndex::default();
        assert!(index.load(&places(&[(1, 2)])[1..]).is_err());
        assert!(index.is_empty());
    }

    #[test]
    fn an_id_takes_at_most_16_bytes() {
        let index = SeenIndex::default();
        for seq in 1..=600_000_u64 {
            let hash = crate::hash::event_hash(1, &seq.to_le_bytes());
            index.load(&places(&[(hash, seq)])).expect("whole pairs");
            if seq % 50_000 == 0 && seq > 200_000 {
                assert!(index.memory() <= index.len() * 16, "{seq}");
            }
        }
    }
}
