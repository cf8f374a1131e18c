//! The order of one period: a B+ tree that counts, read.
//!
//! Every inner node knows how many entries are below each child, so a rank is a sum on the way up
//! from the entry's leaf, found through its back pointer: no key is compared. It also knows how
//! many entries below each child begin a new score, which makes dense ranks the same kind of sum.
//! How the tree changes is in `change`.

use crate::arena::Arena;
use crate::back::{Back, LEAF_MAX};
use crate::key::{Key, less};
use crate::lanes;
use crate::members::Members;
use crate::node::{FAN, Inner, Leaf};
use crate::view::Views;
use std::cmp::Ordering;
use std::mem::offset_of;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// Whose entry it is that a key is compared for.
#[derive(Copy, Clone)]
pub(crate) enum Who<'a> {
    Member(u32),
    Text(&'a [u8]),
}

/// A place in the order: a key, and whose it is.
#[derive(Copy, Clone)]
pub(crate) struct Probe<'a, const W: usize> {
    pub(crate) key: Key<W>,
    pub(crate) who: Who<'a>,
}

/// Where an entry is: its leaf, and its place there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    pub(crate) leaf: u32,
    pub(crate) at: usize,
}

/// How many entries, and how many distinct scores among them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) entries: u64,
    pub(crate) scores: u64,
}

pub(crate) struct Tree<const W: usize> {
    pub(crate) leaves: Arena<Leaf<W>>,
    pub(crate) inners: Arena<Inner<W>>,
    /// A leaf when `height` is 0; [`NONE`] when there is no entry.
    pub(crate) root: u32,
    /// How many levels of inner nodes there are.
    pub(crate) height: u32,
    pub(crate) count: u32,
    pub(crate) back: Back,
    pub(crate) views: Views<W>,
}

/// Whether the entry of member `id`, with a key equal to the probe's, comes before the probe.
fn is_before(members: &Members, id: u32, who: Who<'_>) -> bool {
    let text = match who {
        Who::Member(member) => members.text(member),
        Who::Text(text) => text,
    };
    members.text(id).cmp(text) == Ordering::Less
}

/// Where in a leaf a probe belongs.
pub(crate) fn place_in<const W: usize>(
    leaf: &Leaf<W>,
    probe: &Probe<'_, W>,
    members: &Members,
) -> usize {
    let at = leaf.lower(&probe.key);
    if leaf.keys().get(at) != Some(&probe.key) {
        return at;
    }
    let ties = &leaf.ids()[at..leaf.upper(&probe.key)];
    at + ties.partition_point(|&id| is_before(members, id, probe.who))
}

impl<const W: usize> Tree<W> {
    /// A tree without entries, of at most `leaves_max` leaves.
    pub(crate) fn new(leaves_max: u32) -> Self {
        Self {
            leaves: Arena::new(leaves_max.min(LEAF_MAX)),
            inners: Arena::new(NONE),
            root: NONE,
            height: 0,
            count: 0,
            back: Back::Single,
            views: Views::default(),
        }
    }

    /// Where the entry of a member is.
    #[inline]
    pub(crate) fn find(&self, member: u32) -> Option<Spot> {
        self.find_in(self.leaf_of(member), member)
    }

    /// The leaf in which the entry of a member is, if anywhere; [`NONE`] when it is nowhere.
    #[inline]
    fn leaf_of(&self, member: u32) -> u32 {
        match &self.back {
            Back::Single => self.root,
            back => back.get(member).unwrap_or(NONE),
        }
    }

    /// Where the entry of a member is, when it is in this leaf, which may be [`NONE`].
    #[inline]
    pub(crate) fn find_in(&self, leaf: u32, member: u32) -> Option<Spot> {
        if leaf == NONE {
            return None;
        }
        let at = self.leaves.get(leaf).find(member)?;
        Some(Spot { leaf, at })
    }

    /// Prefetch what [`find`](Self::find) reads of the leaf, and tell which leaf it is.
    #[inline]
    pub(crate) fn prefetch_ids(&self, member: u32) -> u32 {
        let leaf = self.leaf_of(member);
        lanes::prefetch_span(self.leaves.hint(leaf), offset_of!(Leaf<W>, keys));
        leaf
    }

    /// Prefetch the rest of a leaf that will be changed.
    #[inline]
    pub(crate) fn prefetch_leaf(&self, leaf: u32) {
        lanes::prefetch_span(self.leaves.hint(leaf), size_of::<Leaf<W>>());
    }

    /// Prefetch what the way up from a leaf reads of its parent.
    #[inline]
    pub(crate) fn prefetch_parent(&self, leaf: u32) {
        if self.height > 0 && leaf != NONE {
            let leaf = self.leaves.get(leaf);
            let parent = self.inners.hint(leaf.parent);
            let slot = leaf.slot as usize % FAN;
            let within = |offset: usize| parent.cast::<u8>().wrapping_add(offset + 4 * slot);
            lanes::prefetch(parent);
            lanes::prefetch(within(offset_of!(Inner<W>, children)));
            lanes::prefetch(within(offset_of!(Inner<W>, counts)));
        }
    }

    /// The first entry below a node that has `level` levels of inner nodes, itself included.
    fn first_below(&self, mut node: u32, level: u32) -> u32 {
        for _ in 0..level {
            node = self.inners.get(node).children[0];
        }
        self.leaves.get(node).ids[0]
    }

    /// The child that a probe belongs to: the last whose first entry is before it, else the first.
    #[inline]
    fn child_for(
        &self,
        node: &Inner<W>,
        level: u32,
        probe: &Probe<'_, W>,
        members: &Members,
    ) -> usize {
        let keys = node.keys();
        let mut at = keys.partition_point(|key| less(key, &probe.key));
        if keys.get(at) == Some(&probe.key) {
            let ties = keys[at..].partition_point(|key| *key == probe.key);
            let ties: &[u32] = &node.children[at..at + ties];
            at += ties.partition_point(|&child| {
                is_before(members, self.first_below(child, level - 1), probe.who)
            });
        }
        at.saturating_sub(1)
    }

    /// The leaf that a probe belongs to; there is one.
    #[inline]
    pub(crate) fn leaf_for(&self, probe: &Probe<'_, W>, members: &Members) -> u32 {
        let mut node = self.root;
        for level in (1..=self.height).rev() {
            let inner = self.inners.get(node);
            node = inner.children[self.child_for(inner, level, probe, members)];
        }
        node
    }

    /// How many entries are before a probe.
    pub(crate) fn index_of_probe(&self, probe: &Probe<'_, W>, members: &Members) -> u64 {
        if self.root == NONE {
            return 0;
        }
        let leaf = self.leaf_for(probe, members);
        let at = place_in(self.leaves.get(leaf), probe, members);
        self.index(Spot { leaf, at })
    }

    /// Sum `below(node, place)` over the way from a leaf up to the root.
    #[inline]
    fn climb(&self, leaf: u32, below: impl Fn(&Inner<W>, usize) -> u32) -> u64 {
        if self.height == 0 {
            return 0;
        }
        let mut sum = 0;
        let first = self.leaves.get(leaf);
        let (mut child, mut slot, mut node) = (leaf, first.slot, first.parent);
        for _ in 0..self.height {
            let inner = self.inners.get(node);
            sum += u64::from(below(inner, inner.find(child, slot)));
            (child, slot, node) = (node, inner.slot, inner.parent);
        }
        sum
    }

    /// How many entries stand before a spot.
    #[inline]
    pub(crate) fn index(&self, spot: Spot) -> u64 {
        spot.at as u64 + self.climb(spot.leaf, Inner::count_before)
    }

    /// How many entries are strictly better than that at a spot.
    #[inline]
    pub(crate) fn above(&self, spot: Spot) -> u64 {
        let leaf = self.leaves.get(spot.leaf);
        if let Some(at) = leaf.tie_start(spot.at) {
            return self.index(Spot {
                leaf: spot.leaf,
                at,
            });
        }
        // The smallest key with these columns.
        let mut key = leaf.keys[spot.at];
        key[W - 1] = 0;
        self.counts_while(|other| less(other, &key)).entries
    }

    /// How many distinct scores are strictly better than that at a spot.
    #[inline]
    pub(crate) fn scores_above(&self, spot: Spot) -> u64 {
        let here = self.leaves.get(spot.leaf).starts_before(spot.at + 1);
        u64::from(here) + self.climb(spot.leaf, Inner::starts_before) - 1
    }

    /// The counts of the entries from the first on whose keys are `before`: true for a first part
    /// of the order, false for the rest.
    pub(crate) fn counts_while(&self, before: impl Fn(&Key<W>) -> bool) -> Counts {
        let mut counts = Counts::default();
        if self.root == NONE {
            return counts;
        }
        let mut node = self.root;
        for _ in 0..self.height {
            let inner = self.inners.get(node);
            let at = inner.keys().partition_point(&before).saturating_sub(1);
            let (entries, scores) = inner.sums(0, at);
            counts.entries += u64::from(entries);
            counts.scores += u64::from(scores);
            node = inner.children[at];
        }
        let leaf = self.leaves.get(node);
        let at = leaf.keys().partition_point(before);
        counts.entries += at as u64;
        counts.scores += u64::from(leaf.starts_before(at));
        counts
    }

    /// Where the child is that holds item `index`, and the item's index there.
    fn pick(counts: &[u32], mut index: u32) -> Option<(usize, u32)> {
        for (at, &count) in counts.iter().enumerate() {
            if index < count {
                return Some((at, index));
            }
            index -= count;
        }
        None
    }

    /// The leaf that holds item `index`, counted by `counts`, and the item's index there.
    fn leaf_at(&self, mut index: u32, counts: impl Fn(&Inner<W>) -> &[u32]) -> Option<(u32, u32)> {
        let mut node = (self.root != NONE).then_some(self.root)?;
        for _ in 0..self.height {
            let inner = self.inners.get(node);
            let (at, rest) = Self::pick(&counts(inner)[..inner.len()], index)?;
            (node, index) = (inner.children[at], rest);
        }
        Some((node, index))
    }

    /// Where the entry with this index is.
    pub(crate) fn spot_at(&self, index: u32) -> Option<Spot> {
        let (leaf, at) = self.leaf_at(index, |inner| &inner.counts)?;
        let at = at as usize;
        (at < self.leaves.get(leaf).len()).then_some(Spot { leaf, at })
    }

    /// The key with which the distinct score of this index begins.
    pub(crate) fn score_at(&self, index: u64) -> Option<Key<W>> {
        let index = u32::try_from(index).ok()?;
        let (leaf, at) = self.leaf_at(index, |inner| &inner.starts)?;
        let leaf = self.leaves.get(leaf);
        let mut bits = leaf.starts;
        for _ in 0..at {
            bits &= bits.wrapping_sub(1);
        }
        (bits != 0).then(|| leaf.keys[bits.trailing_zeros() as usize])
    }

    /// The leaf before this one (`step` -1) or after it (`step` 1) in the order.
    pub(crate) fn neighbour(&self, leaf: u32, step: isize) -> Option<u32> {
        let first = self.leaves.get(leaf);
        let (mut child, mut slot, mut node) = (leaf, first.slot, first.parent);
        for climbed in 0..self.height {
            let inner = self.inners.get(node);
            let sibling = inner.find(child, slot).checked_add_signed(step);
            if let Some(&next) = sibling.and_then(|at| inner.children().get(at)) {
                return Some(self.edge_below(next, climbed, step));
            }
            (child, slot, node) = (node, inner.slot, inner.parent);
        }
        None
    }

    /// The first leaf below a node (`step` 1) or the last (`step` -1).
    fn edge_below(&self, mut node: u32, levels: u32, step: isize) -> u32 {
        for _ in 0..levels {
            let inner = self.inners.get(node);
            node = if step > 0 {
                inner.children[0]
            } else {
                inner.children[inner.len() - 1]
            };
        }
        node
    }

    /// All leaves in order.
    pub(crate) fn leaves_in_order(&self) -> impl Iterator<Item = u32> {
        let first = (self.root != NONE).then(|| self.edge_below(self.root, self.height, 1));
        std::iter::successors(first, |&leaf| self.neighbour(leaf, 1))
    }

    /// Give `take` the entries `start..stop` in order, a piece of a leaf at a time.
    pub(crate) fn scan<E>(
        &self,
        start: u64,
        stop: u64,
        mut take: impl FnMut(&[Key<W>], &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let stop = stop.min(u64::from(self.count));
        if start >= stop {
            return Ok(());
        }
        let first = u32::try_from(start)
            .ok()
            .and_then(|first| self.spot_at(first));
        let Some(mut spot) = first else { return Ok(()) };
        let mut left = usize::try_from(stop - start).unwrap_or(usize::MAX);
        loop {
            let leaf = self.leaves.get(spot.leaf);
            let end = leaf.len().min(spot.at + left);
            take(&leaf.keys[spot.at..end], &leaf.ids[spot.at..end])?;
            left -= end - spot.at;
            match self.neighbour(spot.leaf, 1) {
                Some(next) if left > 0 => spot = Spot { leaf: next, at: 0 },
                _ => return Ok(()),
            }
        }
    }
}
