//! Making a whole tree at once, from rows in any order.

use crate::back::Back;
use crate::error::Error;
use crate::key::{Key, less, same_columns};
use crate::members::Members;
use crate::node::{FAN, LEAF};
use crate::tree::{NONE, Tree};
use std::collections::HashMap;

/// So full are the leaves of a new tree: as full as changes will keep them.
const LEAF_FILL: usize = 58;
/// So full are its inner nodes.
const FAN_FILL: usize = FAN * 7 / 8;

/// An entry on its way into a tree.
pub(crate) type Row<const W: usize> = (Key<W>, u32);

/// Of the rows of a member leave the last only.
pub(crate) fn keep_last<const W: usize>(rows: &mut Vec<Row<W>>, members: u32) {
    let mut seen = vec![0_u64; members as usize / 64 + 1];
    let is_new = |&(_, id): &Row<W>| {
        let (word, bit) = (&mut seen[id as usize / 64], 1 << (id % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    };
    if rows.iter().all(is_new) {
        return;
    }
    let last: HashMap<u32, usize> = rows.iter().map(|row| row.1).zip(0..).collect();
    let mut at = 0;
    rows.retain(|(_, id)| {
        at += 1;
        last[id] == at - 1
    });
}

/// Bring rows into the order of a period.
pub(crate) fn sort<const W: usize>(rows: &mut [Row<W>], members: &Members) {
    // The sort of the standard library notices rows that are in order already, or reversed.
    rows.sort_unstable_by_key(|row| row.0);
    for ties in rows.chunk_by_mut(|left, right| left.0 == right.0) {
        if ties.len() > 1 {
            ties.sort_unstable_by(|left, right| members.text(left.1).cmp(members.text(right.1)));
        }
    }
}

/// Whether rows are in order, and no two of them equal.
pub(crate) fn is_ascending<const W: usize>(rows: &[Row<W>], members: &Members) -> bool {
    rows.is_sorted_by(|left, right| {
        less(&left.0, &right.0) || left.0 == right.0 && members.text(left.1) < members.text(right.1)
    })
}

/// A node of the level that was made last.
struct Made<const W: usize> {
    node: u32,
    key: Key<W>,
    sums: (u32, u32),
}

/// How many of `count` things part `at` of `parts` gets when all get the same but for one.
fn share(count: usize, parts: usize, at: usize) -> usize {
    count / parts + usize::from(at < count % parts)
}

impl<const W: usize> Tree<W> {
    /// Fill an empty tree with rows that are in order, each of another member.
    pub(crate) fn load(&mut self, rows: &[Row<W>], members: &Members) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let parts = if rows.len() <= LEAF {
            1
        } else {
            rows.len().div_ceil(LEAF_FILL)
        };
        self.leaves.reserve(parts)?;
        self.inners.reserve(parts.div_ceil(FAN_FILL) * 2 + 4)?;
        let mut level = self.load_leaves(rows, parts)?;
        while level.len() > 1 {
            level = self.load_inners(&level);
            self.height += 1;
        }
        self.root = level[0].node;
        self.count = u32::try_from(rows.len()).map_err(|_| Error::EntriesFull)?;
        if self.height > 0 {
            self.back = Back::suited(rows.len() as u64, members.len())?;
            self.point_back(rows, parts);
        }
        Ok(())
    }

    fn load_leaves(&mut self, rows: &[Row<W>], parts: usize) -> Result<Vec<Made<W>>, Error> {
        let mut made = Vec::new();
        made.try_reserve_exact(parts)
            .map_err(|_| Error::OutOfMemory)?;
        let mut from = 0;
        for at in 0..parts {
            let stop = from + share(rows.len(), parts, at);
            let node = self.leaves.alloc();
            let leaf = self.leaves.get_mut(node);
            (leaf.len, leaf.starts, leaf.parent) = (0, 0, NONE);
            for index in from..stop {
                let (key, id) = rows[index];
                let is_start = index == 0 || !same_columns(&rows[index - 1].0, &key);
                leaf.insert(index - from, &key, id, is_start);
            }
            made.push(Made {
                node,
                key: leaf.keys[0],
                sums: (leaf.len, leaf.starts.count_ones()),
            });
            from = stop;
        }
        Ok(made)
    }

    fn load_inners(&mut self, below: &[Made<W>]) -> Vec<Made<W>> {
        let parts = below.len().div_ceil(FAN_FILL);
        let mut rest = below;
        let mut made = Vec::with_capacity(parts);
        for at in 0..parts {
            let (children, after) = rest.split_at(share(below.len(), parts, at));
            rest = after;
            let node = self.inners.alloc();
            let inner = self.inners.get_mut(node);
            (inner.len, inner.parent) = (0, NONE);
            for (at, child) in children.iter().enumerate() {
                inner.insert(at, child.node, &child.key, child.sums);
            }
            made.push(Made {
                node,
                key: children[0].key,
                sums: inner.sums(0, children.len()),
            });
            self.adopt(node, self.height + 1, 0);
        }
        made
    }

    /// Set the back pointers of rows that lie in the leaves 0, 1, 2 ...
    fn point_back(&mut self, rows: &[Row<W>], parts: usize) {
        let mut rest = rows;
        for (at, leaf) in (0..parts).zip(0..) {
            let (here, after) = rest.split_at(share(rows.len(), parts, at));
            rest = after;
            for &(_, id) in here {
                self.back.set(id, leaf);
            }
        }
    }
}
