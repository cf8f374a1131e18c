//! The nodes of a tree: leaves of up to 63 entries and inner nodes of up to 128 children.
//!
//! Numbers lie in arrays of their own, because finding an entry reads the ids alone and counting
//! reads the counts alone.

use crate::arena::Plain;
use crate::key::{Key, less, same_columns};
use crate::lanes;

/// The most entries in a leaf: with its head, a leaf of one-column keys fills twenty cache lines.
pub(crate) const LEAF: usize = 63;

/// The most children of an inner node.
pub(crate) const FAN: usize = 128;

/// So many children are counted together as well, so that a sum reads two cache lines.
const BLOCK: usize = 16;

const BLOCKS: usize = FAN / BLOCK;

/// Entries that follow each other in the order.
#[derive(Copy, Clone)]
#[repr(C, align(64))]
pub(crate) struct Leaf<const W: usize> {
    /// Bit `i`: the columns of entry `i` differ from those of the entry before it, which for the
    /// first is the last of the leaf before. The very first entry of a tree always has its bit.
    pub(crate) starts: u64,
    pub(crate) parent: u32,
    pub(crate) len: u32,
    pub(crate) ids: [u32; LEAF],
    /// Where among its parent's children it probably is.
    pub(crate) slot: u32,
    pub(crate) keys: [Key<W>; LEAF],
}

// SAFETY: a repr(C) struct of integers and arrays of them.
unsafe impl<const W: usize> Plain for Leaf<W> {}

/// Children that follow each other in the order; leaves, or inner nodes of the same height.
#[derive(Copy, Clone)]
#[repr(C, align(64))]
pub(crate) struct Inner<const W: usize> {
    pub(crate) parent: u32,
    pub(crate) len: u32,
    /// Where among its parent's children it probably is.
    pub(crate) slot: u32,
    /// The sums of each block of `counts`, and of `starts`.
    count_sums: [u32; BLOCKS],
    start_sums: [u32; BLOCKS],
    /// Lets each block of the arrays begin with a cache line.
    _padding: [u32; 13],
    pub(crate) children: [u32; FAN],
    /// How many entries are below each child.
    pub(crate) counts: [u32; FAN],
    /// How many of these have their bit in `Leaf::starts`.
    pub(crate) starts: [u32; FAN],
    /// The key of the first entry below each child.
    pub(crate) keys: [Key<W>; FAN],
}

// SAFETY: a repr(C) struct of integers and arrays of them.
unsafe impl<const W: usize> Plain for Inner<W> {}

impl<const W: usize> Leaf<W> {
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) fn keys(&self) -> &[Key<W>] {
        &self.keys[..self.len as usize]
    }

    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids[..self.len as usize]
    }

    /// Where the entry of a member is. It looks at all ids whatever it finds, because a processor
    /// cannot guess where it could stop.
    #[inline]
    pub(crate) fn find(&self, id: u32) -> Option<usize> {
        let found = lanes::matches_63(&self.ids, id) & low_bits(self.len());
        (found != 0).then(|| found.trailing_zeros() as usize)
    }

    /// How many keys are smaller.
    pub(crate) fn lower(&self, key: &Key<W>) -> usize {
        self.keys().partition_point(|other| less(other, key))
    }

    /// How many keys are smaller or equal.
    pub(crate) fn upper(&self, key: &Key<W>) -> usize {
        self.keys().partition_point(|other| !less(key, other))
    }

    /// How many of the first `stop` entries have their bit.
    pub(crate) fn starts_before(&self, stop: usize) -> u32 {
        (self.starts & low_bits(stop)).count_ones()
    }

    /// Where the entries begin that share the columns of entry `at`; nothing when in a leaf before.
    pub(crate) fn tie_start(&self, at: usize) -> Option<usize> {
        (self.starts & low_bits(at + 1))
            .checked_ilog2()
            .map(|bit| bit as usize)
    }

    pub(crate) fn set_start(&mut self, at: usize, is_start: bool) {
        self.starts = self.starts & !(1 << at) | u64::from(is_start) << at;
    }

    /// Put an entry before entry `at`; there is room.
    pub(crate) fn insert(&mut self, at: usize, key: &Key<W>, id: u32, is_start: bool) {
        let len = self.len();
        self.ids.copy_within(at..len, at + 1);
        self.keys.copy_within(at..len, at + 1);
        self.ids[at] = id;
        self.keys[at] = *key;
        let high = self.starts >> at << at;
        self.starts = self.starts & low_bits(at) | high << 1 | u64::from(is_start) << at;
        self.len += 1;
    }

    /// Take entry `at` out.
    pub(crate) fn remove(&mut self, at: usize) {
        let len = self.len();
        self.ids.copy_within(at + 1..len, at);
        self.keys.copy_within(at + 1..len, at);
        let high = self.starts & !low_bits(at + 1);
        self.starts = self.starts & low_bits(at) | high >> 1;
        self.len -= 1;
    }

    /// Move entry `from` so that it becomes entry `to`, with another key. Neither is at an end, so
    /// no other leaf has a part in it.
    pub(crate) fn shift(&mut self, from: usize, to: usize, key: &Key<W>) {
        let (low, high) = (from.min(to), from.max(to));
        if from < to {
            self.ids[low..=high].rotate_left(1);
            self.keys.copy_within(low + 1..=high, low);
        } else {
            self.ids[low..=high].rotate_right(1);
            self.keys.copy_within(low..high, low + 1);
        }
        self.keys[to] = *key;
        for at in low..=high + 1 {
            let is_start = !same_columns(&self.keys[at - 1], &self.keys[at]);
            self.set_start(at, is_start);
        }
    }
}

impl<const W: usize> Inner<W> {
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) fn children(&self) -> &[u32] {
        &self.children[..self.len as usize]
    }

    pub(crate) fn keys(&self) -> &[Key<W>] {
        &self.keys[..self.len as usize]
    }

    /// Where a child stands, which is at `slot` unless siblings came or went since it was noted.
    ///
    /// # Panics
    /// When it is no child of this node: the tree is broken.
    #[inline]
    pub(crate) fn find(&self, child: u32, slot: u32) -> usize {
        let at = slot as usize;
        if self.children().get(at) == Some(&child) {
            return at;
        }
        lanes::find(self.children(), child).expect("a parent knows its children")
    }

    /// How many entries are below the children before child `at`.
    #[inline]
    pub(crate) fn count_before(&self, at: usize) -> u32 {
        sum_before(&self.count_sums, &self.counts, at)
    }

    /// How many of these have their bit in `Leaf::starts`.
    #[inline]
    pub(crate) fn starts_before(&self, at: usize) -> u32 {
        sum_before(&self.start_sums, &self.starts, at)
    }

    /// Add to what is below child `at`; a negative number wraps.
    #[inline]
    pub(crate) fn add(&mut self, at: usize, (entries, scores): (u32, u32)) {
        for (all, more) in [
            (&mut self.counts[at], entries),
            (&mut self.count_sums[at / BLOCK], entries),
            (&mut self.starts[at], scores),
            (&mut self.start_sums[at / BLOCK], scores),
        ] {
            *all = all.wrapping_add(more);
        }
    }

    /// Say what is below child `at`.
    pub(crate) fn set(&mut self, at: usize, (entries, scores): (u32, u32)) {
        let (old_entries, old_scores) = (self.counts[at], self.starts[at]);
        let more = (
            entries.wrapping_sub(old_entries),
            scores.wrapping_sub(old_scores),
        );
        self.add(at, more);
    }

    /// Sum the blocks up anew, from that of child `at` on.
    fn recount(&mut self, at: usize) {
        for block in at / BLOCK..BLOCKS {
            let (start, stop) = (block * BLOCK, (block + 1) * BLOCK);
            let sums = self.sums(start.min(self.len()), stop.min(self.len()));
            (self.count_sums[block], self.start_sums[block]) = sums;
        }
    }

    /// Whether the sums of the blocks are those of their children.
    pub(crate) fn has_good_sums(&self) -> bool {
        let mut again = *self;
        again.recount(0);
        (again.count_sums, again.start_sums) == (self.count_sums, self.start_sums)
    }

    /// The sums of counts and starts of the children `start..stop`.
    pub(crate) fn sums(&self, start: usize, stop: usize) -> (u32, u32) {
        (
            self.counts[start..stop].iter().sum(),
            self.starts[start..stop].iter().sum(),
        )
    }

    /// Put a child with its key before child `at`; there is room.
    pub(crate) fn insert(&mut self, at: usize, child: u32, key: &Key<W>, sums: (u32, u32)) {
        let len = self.len();
        self.children.copy_within(at..len, at + 1);
        self.counts.copy_within(at..len, at + 1);
        self.starts.copy_within(at..len, at + 1);
        self.keys.copy_within(at..len, at + 1);
        self.children[at] = child;
        self.keys[at] = *key;
        (self.counts[at], self.starts[at]) = sums;
        self.len += 1;
        self.recount(at);
    }

    /// Take child `at` out.
    pub(crate) fn remove(&mut self, at: usize) {
        let len = self.len();
        self.children.copy_within(at + 1..len, at);
        self.counts.copy_within(at + 1..len, at);
        self.starts.copy_within(at + 1..len, at);
        self.keys.copy_within(at + 1..len, at);
        self.len -= 1;
        self.recount(at);
    }

    /// Forget the children from child `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = u32::try_from(len).expect("a node is small");
        self.recount(len);
    }

    /// Copy the children `start..stop` of another node to the end of this one.
    pub(crate) fn append(&mut self, from: &Self, start: usize, stop: usize) {
        let (at, len) = (self.len(), self.len() + stop - start);
        self.children[at..len].copy_from_slice(&from.children[start..stop]);
        self.counts[at..len].copy_from_slice(&from.counts[start..stop]);
        self.starts[at..len].copy_from_slice(&from.starts[start..stop]);
        self.keys[at..len].copy_from_slice(&from.keys[start..stop]);
        self.len = u32::try_from(len).expect("a node is small");
        self.recount(at);
    }
}

/// Sixteen masks that let a number through, then sixteen that do not.
const MASKS: [u32; 2 * BLOCK] = {
    let mut masks = [0; 2 * BLOCK];
    let mut at = 0;
    while at < BLOCK {
        masks[at] = u32::MAX;
        at += 1;
    }
    masks
};

/// The sum of the first `count` of at most sixteen numbers, without a branch that could be guessed
/// wrong.
#[inline]
fn sum_first<const N: usize>(numbers: &[u32; N], count: usize) -> u32 {
    let taken = numbers.iter().zip(&MASKS[BLOCK - count..]);
    taken.fold(0, |sum, (&number, mask)| sum.wrapping_add(number & mask))
}

/// The sum of the numbers before number `at`, by the sums of their blocks.
#[inline]
fn sum_before(sums: &[u32; BLOCKS], numbers: &[u32; FAN], at: usize) -> u32 {
    let block = numbers[at / BLOCK * BLOCK..].first_chunk::<BLOCK>();
    sum_first(sums, at / BLOCK) + block.map_or(0, |block| sum_first(block, at % BLOCK))
}

/// The lowest `count` bits; `count` is at most 63.
fn low_bits(count: usize) -> u64 {
    (1 << count) - 1
}

#[cfg(test)]
mod tests {
    use super::{Inner, Leaf};

    #[test]
    fn a_leaf_of_one_column_fills_twenty_cache_lines() {
        assert_eq!(size_of::<Leaf<2>>(), 1280);
        assert_eq!(size_of::<Leaf<6>>(), 3328);
        assert_eq!(size_of::<Inner<2>>() % 64, 0);
    }
}
