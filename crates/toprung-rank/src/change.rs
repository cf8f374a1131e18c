//! How a tree changes: an entry goes in or out, and nodes are refilled, split and merged.
//!
//! A full leaf first shares its entries evenly with up to seven siblings around it; only when these
//! are nearly full too do they become nine. A leaf that runs low does the reverse. So leaves stay
//! nine tenths full under random changes, where splitting in half leaves them half empty.

use crate::back::Back;
use crate::error::Error;
use crate::key::{Key, less, same_columns};
use crate::members::Members;
use crate::node::{FAN, Inner, LEAF, Leaf};
use crate::tree::{NONE, Probe, Spot, Tree, Who, place_in};

/// How many siblings share their entries.
const WINDOW: usize = 8;
/// A window with more entries a leaf than this gets one leaf more.
const SPREAD_MAX: usize = 60;
/// A leaf with fewer looks whether its window needs one leaf less.
const LOW: usize = 54;
/// So full may a window become by losing a leaf.
const MERGED_MAX: usize = 59;
/// An inner node with fewer children looks for a sibling to merge with.
const FAN_LOW: usize = FAN / 3;
/// So full may an inner node become by that.
const FAN_MERGED_MAX: usize = FAN * 3 / 4;

impl<const W: usize> Tree<W> {
    /// Make sure that the next [`put`](Self::put) of this member finds all the memory it needs.
    fn reserve(&mut self, member: u32, members: &Members) -> Result<(), Error> {
        let (leaves, inners) = self.nodes_wanted();
        self.leaves.reserve(leaves)?;
        self.inners.reserve(inners)?;
        if matches!(self.back, Back::Single) {
            if (self.count as usize) < LEAF {
                return Ok(());
            }
            self.fill_back(members)?;
        }
        self.back
            .reserve(member, u64::from(self.count), members.len())
    }

    /// How many leaves and inner nodes one more entry may need. A small period is asked closely, so
    /// that it takes no memory ahead of its needs.
    fn nodes_wanted(&self) -> (usize, usize) {
        let (count, leaves) = (self.count as usize, self.leaves.used() as usize);
        if self.height == 0 {
            let is_full = count == LEAF || leaves == 0;
            return (usize::from(is_full), usize::from(count == LEAF));
        }
        let is_one_window = self.height == 1 && leaves <= WINDOW;
        let has_leaves = is_one_window && count <= leaves * SPREAD_MAX;
        let is_root_roomy = self.height == 1 && leaves < FAN;
        let inners = if is_root_roomy {
            0
        } else {
            self.height as usize + 2
        };
        (usize::from(!has_leaves), inners)
    }

    /// Make back pointers of the kind that suits the period now.
    pub(crate) fn fill_back(&mut self, members: &Members) -> Result<(), Error> {
        let mut back = Back::suited(u64::from(self.count) + 1, members.len())?;
        for leaf in self.leaves_in_order() {
            for &id in self.leaves.get(leaf).ids() {
                back.set(id, leaf);
            }
        }
        self.back = back;
        Ok(())
    }

    /// Give the member's entry, which is at `old` if anywhere, this key; tells where it is now.
    /// `hint` is a leaf that it may belong to. An error leaves the tree as it was.
    pub(crate) fn put(
        &mut self,
        member: u32,
        old: Option<Spot>,
        key: &Key<W>,
        hint: u32,
        members: &Members,
    ) -> Result<Spot, Error> {
        let probe = Probe {
            key: *key,
            who: Who::Member(member),
        };
        if let Some(spot) = old {
            if self.leaves.get(spot.leaf).keys[spot.at] == *key {
                return Ok(spot);
            }
            if let Some(at) = self.shift(spot, &probe, members) {
                return Ok(Spot { at, ..spot });
            }
        }
        self.reserve(member, members)?;
        if let Some(spot) = old {
            self.remove_at(spot);
        }
        Ok(self.insert(member, &probe, hint, members))
    }

    /// Remove the entry at a spot for good, and let the back pointers shrink with the period.
    pub(crate) fn take(&mut self, spot: Spot, members: &Members) {
        self.remove_at(spot);
        let is_small = self.height == 0 && (self.count as usize) < LEAF / 2;
        if is_small && !matches!(self.back, Back::Single) {
            self.back = Back::Single;
        } else if self.back.is_too_wide(u64::from(self.count)) {
            // Without memory for the smaller kind, the larger one goes on serving.
            let _ = self.fill_back(members);
        }
    }

    /// Move an entry within its leaf, when it stays well inside.
    fn shift(&mut self, spot: Spot, probe: &Probe<'_, W>, members: &Members) -> Option<usize> {
        let leaf = self.leaves.get(spot.leaf);
        let last = leaf.len() - 1;
        if spot.at == 0 || spot.at >= last {
            return None;
        }
        if !less(&leaf.keys[0], &probe.key) || !less(&probe.key, &leaf.keys[last]) {
            return None;
        }
        let place = place_in(leaf, probe, members);
        // The entry itself is one of those before its new place when it moves back.
        let at = if place > spot.at { place - 1 } else { place };
        if at == 0 || at >= last {
            return None;
        }
        self.touch(spot.leaf);
        let leaf = self.leaves.get_mut(spot.leaf);
        let before = leaf.starts.count_ones();
        leaf.shift(spot.at, at, &probe.key);
        let change = leaf.starts.count_ones().wrapping_sub(before);
        if change != 0 {
            self.climb_add(spot.leaf, 0, change);
        }
        Some(at)
    }

    /// Let open views keep what a leaf holds now, before it changes.
    fn touch(&mut self, leaf: u32) {
        if !self.views.is_empty() {
            self.views.keep(leaf, self.leaves.get(leaf));
        }
    }

    /// Add to the counts of all nodes above a leaf; a negative number wraps.
    fn climb_add(&mut self, leaf: u32, entries: u32, scores: u32) {
        if self.height == 0 {
            return;
        }
        let first = self.leaves.get_mut(leaf);
        let (mut child, mut slot, mut node) = (leaf, first.slot, first.parent);
        for level in 0..self.height {
            let inner = self.inners.get_mut(node);
            let at = inner.find(child, slot);
            inner.add(at, (entries, scores));
            let above = (inner.slot, inner.parent);
            if at != slot as usize {
                self.note_slot(child, level, at);
            }
            (child, (slot, node)) = (node, above);
        }
    }

    /// Tell the nodes above that the first entry below a node, itself `level` levels above the
    /// leaves, is another.
    fn refresh_first(&mut self, mut child: u32, level: u32, key: &Key<W>) {
        for below in level..self.height {
            let (slot, node) = self.slot_and_parent(child, below);
            let inner = self.inners.get_mut(node);
            let at = inner.find(child, slot);
            inner.keys[at] = *key;
            if at > 0 {
                return;
            }
            child = node;
        }
    }

    /// Where a node probably is among its parent's children, and that parent.
    fn slot_and_parent(&self, node: u32, level: u32) -> (u32, u32) {
        if level == 0 {
            let leaf = self.leaves.get(node);
            return (leaf.slot, leaf.parent);
        }
        let inner = self.inners.get(node);
        (inner.slot, inner.parent)
    }

    /// Note where a node is among its parent's children.
    fn note_slot(&mut self, node: u32, level: u32, at: usize) {
        let slot = u32::try_from(at).expect("a node is small");
        if level == 0 {
            self.leaves.get_mut(node).slot = slot;
        } else {
            self.inners.get_mut(node).slot = slot;
        }
    }

    /// A node's parent, and where the node is among its children.
    fn parent_and_place(&self, node: u32, level: u32) -> (u32, usize) {
        let (slot, parent) = self.slot_and_parent(node, level);
        (parent, self.inners.get(parent).find(node, slot))
    }

    /// The key of the entry before one that is, or would be, at a spot.
    fn key_before(&self, spot: Spot) -> Option<Key<W>> {
        if spot.at > 0 {
            return Some(self.leaves.get(spot.leaf).keys[spot.at - 1]);
        }
        let leaf = self.leaves.get(self.neighbour(spot.leaf, -1)?);
        leaf.keys().last().copied()
    }

    /// Say anew whether the entry at a spot begins a score, after one with the key `before`. When
    /// the leaf ends there, it is the first of the next leaf.
    fn refresh_start(&mut self, mut spot: Spot, before: Option<&Key<W>>) {
        if spot.at >= self.leaves.get(spot.leaf).len() {
            let Some(next) = self.neighbour(spot.leaf, 1) else {
                return;
            };
            spot = Spot { leaf: next, at: 0 };
        }
        let leaf = self.leaves.get_mut(spot.leaf);
        let is_start = before.is_none_or(|before| !same_columns(before, &leaf.keys[spot.at]));
        let old = leaf.starts;
        leaf.set_start(spot.at, is_start);
        let change = leaf.starts.count_ones().wrapping_sub(old.count_ones());
        if change != 0 {
            self.climb_add(spot.leaf, 0, change);
        }
    }

    fn fresh_leaf(&mut self) -> u32 {
        let leaf = self.leaves.alloc();
        let fresh = self.leaves.get_mut(leaf);
        (fresh.len, fresh.starts, fresh.parent) = (0, 0, NONE);
        leaf
    }

    fn fresh_inner(&mut self) -> u32 {
        let inner = self.inners.alloc();
        let fresh = self.inners.get_mut(inner);
        (fresh.len, fresh.parent) = (0, NONE);
        inner
    }

    /// Whether a leaf surely is the one for a probe: its keys begin before it and end after it.
    fn is_around(&self, leaf: u32, probe: &Probe<'_, W>) -> bool {
        let Some(leaf) = self.leaves.try_get(leaf) else {
            return false;
        };
        let keys = leaf.keys();
        keys.len() < LEAF
            && keys.first().is_some_and(|first| less(first, &probe.key))
            && keys.last().is_some_and(|last| less(&probe.key, last))
    }

    /// Put in an entry whose member has none; memory was reserved.
    fn insert(&mut self, member: u32, probe: &Probe<'_, W>, hint: u32, members: &Members) -> Spot {
        if self.root == NONE {
            self.root = self.fresh_leaf();
        }
        let mut leaf = hint;
        if !self.is_around(hint, probe) {
            leaf = self.leaf_for(probe, members);
            if self.leaves.get(leaf).len() == LEAF {
                self.make_room(leaf);
                leaf = self.leaf_for(probe, members);
            }
        }
        self.touch(leaf);
        let at = place_in(self.leaves.get(leaf), probe, members);
        let spot = Spot { leaf, at };
        let before = self.key_before(spot);
        let is_start = before.is_none_or(|before| !same_columns(&before, &probe.key));
        self.leaves
            .get_mut(leaf)
            .insert(at, &probe.key, member, is_start);
        self.count += 1;
        self.climb_add(leaf, 1, u32::from(is_start));
        self.refresh_start(Spot { leaf, at: at + 1 }, Some(&probe.key));
        if at == 0 {
            self.refresh_first(leaf, 0, &probe.key);
        }
        self.back.set(member, leaf);
        spot
    }

    /// Remove the entry at a spot.
    fn remove_at(&mut self, spot: Spot) {
        self.touch(spot.leaf);
        let before = self.key_before(spot);
        let leaf = self.leaves.get_mut(spot.leaf);
        let id = leaf.ids[spot.at];
        let was_start = leaf.starts >> spot.at & 1 == 1;
        leaf.remove(spot.at);
        let (len, first) = (leaf.len(), leaf.keys[0]);
        self.count -= 1;
        self.back.unset(id);
        self.climb_add(
            spot.leaf,
            u32::MAX,
            0_u32.wrapping_sub(u32::from(was_start)),
        );
        self.refresh_start(spot, before.as_ref());
        if len == 0 {
            self.drop_leaf(spot.leaf);
        } else {
            if spot.at == 0 {
                self.refresh_first(spot.leaf, 0, &first);
            }
            if len < LOW && self.height > 0 {
                self.compact(spot.leaf);
            }
        }
        self.lower_root();
    }

    /// Forget a leaf without entries.
    fn drop_leaf(&mut self, leaf: u32) {
        self.leaves.release(leaf);
        if self.height == 0 {
            self.root = NONE;
            return;
        }
        let (parent, at) = self.parent_and_place(leaf, 0);
        self.remove_child(parent, at, 1);
    }

    /// The children of a node that share entries with child `at`.
    fn window(inner: &Inner<W>, at: usize) -> (usize, usize) {
        let start = at
            .saturating_sub(WINDOW / 2)
            .min(inner.len().saturating_sub(WINDOW));
        (start, (start + WINDOW).min(inner.len()))
    }

    /// Make a full leaf less full.
    fn make_room(&mut self, leaf: u32) {
        if self.height == 0 {
            self.raise_root();
        }
        let parent = self.leaves.get(leaf).parent;
        if self.inners.get(parent).len() == FAN {
            self.split(parent, 1);
        }
        let (parent, at) = self.parent_and_place(leaf, 0);
        let inner = self.inners.get(parent);
        let (start, stop) = Self::window(inner, at);
        let (entries, _) = inner.sums(start, stop);
        let mut into = stop - start;
        if entries as usize > into * SPREAD_MAX {
            let key = inner.keys[stop - 1];
            let more = self.fresh_leaf();
            self.leaves.get_mut(more).parent = parent;
            self.inners.get_mut(parent).insert(stop, more, &key, (0, 0));
            into += 1;
        }
        self.spread(parent, start, start + into, into);
    }

    /// Put what the window of a leaf holds into one leaf less, if it fits.
    fn compact(&mut self, leaf: u32) {
        let (parent, at) = self.parent_and_place(leaf, 0);
        let inner = self.inners.get(parent);
        let (start, stop) = Self::window(inner, at);
        let (entries, _) = inner.sums(start, stop);
        let into = stop - start - 1;
        if into == 0 || entries as usize > into * MERGED_MAX {
            return;
        }
        self.spread(parent, start, stop, into);
        let emptied = self.inners.get(parent).children[stop - 1];
        self.drop_leaf(emptied);
    }

    /// Spread the entries of the leaves `start..stop` of a node evenly over the first `into` of
    /// them; the others are empty then.
    fn spread(&mut self, parent: u32, start: usize, stop: usize, into: usize) {
        let mut window = Window::new();
        for at in start..stop {
            let leaf = self.inners.get(parent).children[at];
            self.touch(leaf);
            window.gather(leaf, self.leaves.get(leaf));
        }
        let mut from = 0;
        for at in 0..stop - start {
            let share = if at < into { window.share(at, into) } else { 0 };
            let inner = self.inners.get_mut(parent);
            let number = inner.children[start + at];
            let leaf = self.leaves.get_mut(number);
            leaf.slot = u32::try_from(start + at).expect("a node is small");
            window.pour(from, share, leaf);
            inner.set(start + at, (leaf.len, leaf.starts.count_ones()));
            inner.keys[start + at] = leaf.keys[0];
            for entry in from..from + share {
                if window.leaves[entry] != number {
                    self.back.set(window.ids[entry], number);
                }
            }
            from += share;
        }
    }

    /// Put an inner node with a single child above the root.
    fn raise_root(&mut self) {
        let root = self.fresh_inner();
        let (key, sums) = if self.height == 0 {
            let leaf = self.leaves.get_mut(self.root);
            (leaf.parent, leaf.slot) = (root, 0);
            (leaf.keys[0], (leaf.len, leaf.starts.count_ones()))
        } else {
            let inner = self.inners.get_mut(self.root);
            (inner.parent, inner.slot) = (root, 0);
            (inner.keys[0], inner.sums(0, inner.len()))
        };
        self.inners.get_mut(root).insert(0, self.root, &key, sums);
        self.root = root;
        self.height += 1;
    }

    /// While the root has a single child, that child is enough of a root.
    fn lower_root(&mut self) {
        while self.height > 0 && self.inners.get(self.root).len() == 1 {
            let root = self.root;
            self.root = self.inners.get(root).children[0];
            self.inners.release(root);
            self.height -= 1;
        }
    }

    /// Say whose children the children `start..` of a node are.
    pub(crate) fn adopt(&mut self, node: u32, level: u32, start: usize) {
        let inner = self.inners.get(node);
        let (children, len) = (inner.children, inner.len());
        for (&child, slot) in children[..len].iter().zip(0..).skip(start) {
            if level == 1 {
                let leaf = self.leaves.get_mut(child);
                (leaf.parent, leaf.slot) = (node, slot);
            } else {
                let inner = self.inners.get_mut(child);
                (inner.parent, inner.slot) = (node, slot);
            }
        }
    }

    /// Split a full inner node, whose children are `level - 1` levels above the leaves.
    fn split(&mut self, node: u32, level: u32) {
        if level == self.height {
            self.raise_root();
        }
        let parent = self.inners.get(node).parent;
        if self.inners.get(parent).len() == FAN {
            self.split(parent, level + 1);
        }
        let (parent, at) = self.parent_and_place(node, level);
        let right = self.fresh_inner();
        let (left_node, right_node) = self.inners.get_two_mut(node, right);
        right_node.append(left_node, FAN / 2, FAN);
        left_node.truncate(FAN / 2);
        right_node.parent = parent;
        let (key, sums) = (right_node.keys[0], right_node.sums(0, FAN - FAN / 2));
        self.adopt(right, level, 0);
        let inner = self.inners.get_mut(parent);
        inner.add(at, (0_u32.wrapping_sub(sums.0), 0_u32.wrapping_sub(sums.1)));
        inner.insert(at + 1, right, &key, sums);
    }

    /// Take a child without entries out of a node, and let the nodes above close up.
    fn remove_child(&mut self, node: u32, at: usize, level: u32) {
        let inner = self.inners.get_mut(node);
        inner.remove(at);
        let (len, first) = (inner.len(), inner.keys[0]);
        if level == self.height {
            return;
        }
        if len == 0 {
            let (parent, at) = self.parent_and_place(node, level);
            self.inners.release(node);
            self.remove_child(parent, at, level + 1);
            return;
        }
        if at == 0 {
            self.refresh_first(node, level, &first);
        }
        if len < FAN_LOW {
            self.merge(node, level);
        }
    }

    /// Put an inner node and a sibling together, if they fit well into one.
    fn merge(&mut self, node: u32, level: u32) {
        let (parent, at) = self.parent_and_place(node, level);
        let above = self.inners.get(parent);
        let left_at = at.min(above.len().saturating_sub(2));
        let Some(&right) = above.children().get(left_at + 1) else {
            return;
        };
        let left = above.children[left_at];
        let len = self.inners.get(left).len();
        if len + self.inners.get(right).len() > FAN_MERGED_MAX {
            return;
        }
        let (left_node, right_node) = self.inners.get_two_mut(left, right);
        left_node.append(right_node, 0, right_node.len());
        self.adopt(left, level, len);
        self.inners.release(right);
        let above = self.inners.get_mut(parent);
        let moved = above.sums(left_at + 1, left_at + 2);
        above.add(left_at, moved);
        self.remove_child(parent, left_at + 1, level + 1);
    }
}

/// The entries of some leaves on their way into the same leaves, shared out anew.
struct Window<const W: usize> {
    keys: [Key<W>; LEAF * (WINDOW + 1)],
    ids: [u32; LEAF * (WINDOW + 1)],
    /// From which leaf each entry comes.
    leaves: [u32; LEAF * (WINDOW + 1)],
    len: usize,
    is_first_start: bool,
}

impl<const W: usize> Window<W> {
    fn new() -> Self {
        Self {
            keys: [[0; W]; LEAF * (WINDOW + 1)],
            ids: [0; LEAF * (WINDOW + 1)],
            leaves: [0; LEAF * (WINDOW + 1)],
            len: 0,
            is_first_start: true,
        }
    }

    fn gather(&mut self, number: u32, leaf: &Leaf<W>) {
        if self.len == 0 {
            self.is_first_start = leaf.starts & 1 == 1;
        }
        let end = self.len + leaf.len();
        self.keys[self.len..end].copy_from_slice(leaf.keys());
        self.ids[self.len..end].copy_from_slice(leaf.ids());
        self.leaves[self.len..end].fill(number);
        self.len = end;
    }

    /// How many of the entries leaf `at` of `into` gets.
    fn share(&self, at: usize, into: usize) -> usize {
        self.len / into + usize::from(at < self.len % into)
    }

    fn is_start(&self, entry: usize) -> bool {
        if entry == 0 {
            return self.is_first_start;
        }
        !same_columns(&self.keys[entry - 1], &self.keys[entry])
    }

    fn pour(&self, from: usize, share: usize, leaf: &mut Leaf<W>) {
        leaf.keys[..share].copy_from_slice(&self.keys[from..from + share]);
        leaf.ids[..share].copy_from_slice(&self.ids[from..from + share]);
        leaf.len = u32::try_from(share).expect("a leaf is small");
        leaf.starts = (0..share).fold(0, |bits, at| {
            bits | u64::from(self.is_start(from + at)) << at
        });
    }
}
