//! Checking everything that must hold in a tree. Slow; for tests and for doubt.

use crate::back::Back;
use crate::key::{Key, less, same_columns};
use crate::members::Members;
use crate::node::{FAN, LEAF};
use crate::tree::{NONE, Tree};

/// What a walk has seen so far.
#[derive(Default)]
struct Walk<const W: usize> {
    last: Option<(Key<W>, u32)>,
    entries: u32,
    leaves: u32,
    inners: u32,
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl<const W: usize> Tree<W> {
    /// Check order, counts, distinct counts, first keys, parents, fill and back pointers.
    pub(crate) fn validate(&self, members: &Members) -> Result<(), String> {
        let mut walk = Walk {
            last: None,
            entries: 0,
            leaves: 0,
            inners: 0,
        };
        if self.root != NONE {
            self.check_node(self.root, self.height, members, &mut walk)?;
        }
        ensure(walk.entries == self.count, || {
            format!("{} entries are counted as {}", walk.entries, self.count)
        })?;
        ensure(
            walk.leaves == self.leaves.used() && walk.inners == self.inners.used(),
            || {
                format!(
                    "{} leaves and {} inner nodes are reached",
                    walk.leaves, walk.inners
                )
            },
        )?;
        let has_pointers = !matches!(self.back, Back::Single);
        ensure(has_pointers || self.height == 0, || {
            "back pointers are missing".to_owned()
        })
    }

    fn check_node(
        &self,
        node: u32,
        level: u32,
        members: &Members,
        walk: &mut Walk<W>,
    ) -> Result<(u32, u32), String> {
        if level == 0 {
            return self.check_leaf(node, members, walk);
        }
        walk.inners += 1;
        let inner = self.inners.get(node);
        let least = if level == self.height { 2 } else { 1 };
        ensure((least..=FAN).contains(&inner.len()), || {
            format!("inner node {node} has {} children", inner.len())
        })?;
        ensure(inner.has_good_sums(), || {
            format!("inner node {node} sums its blocks up wrongly")
        })?;
        for (at, &child) in inner.children().iter().enumerate() {
            let parent = match level {
                1 => self.leaves.get(child).parent,
                _ => self.inners.get(child).parent,
            };
            ensure(parent == node, || {
                format!("{child} has {parent} for parent, not {node}")
            })?;
            let sums = self.check_node(child, level - 1, members, walk)?;
            ensure(sums == (inner.counts[at], inner.starts[at]), || {
                format!("below child {at} of {node} there are {sums:?}")
            })?;
            let key = match level {
                1 => self.leaves.get(child).keys[0],
                _ => self.inners.get(child).keys[0],
            };
            ensure(key == inner.keys[at], || {
                format!("child {at} of {node} begins otherwise")
            })?;
        }
        Ok(inner.sums(0, inner.len()))
    }

    fn check_leaf(
        &self,
        number: u32,
        members: &Members,
        walk: &mut Walk<W>,
    ) -> Result<(u32, u32), String> {
        let leaf = self.leaves.get(number);
        walk.leaves += 1;
        ensure((1..=LEAF).contains(&leaf.len()), || {
            format!("leaf {number} has {} entries", leaf.len())
        })?;
        ensure(leaf.starts >> leaf.len() == 0, || {
            format!("leaf {number} has starts past its end")
        })?;
        for (at, (key, &id)) in leaf.keys().iter().zip(leaf.ids()).enumerate() {
            let is_start = walk
                .last
                .as_ref()
                .is_none_or(|(last, _)| !same_columns(last, key));
            ensure(is_start == (leaf.starts >> at & 1 == 1), || {
                format!("entry {at} of leaf {number} is wrong about its start")
            })?;
            let is_after = walk.last.as_ref().is_none_or(|(last, before)| {
                less(last, key) || last == key && members.text(*before) < members.text(id)
            });
            ensure(is_after, || {
                format!("entry {at} of leaf {number} is out of order")
            })?;
            ensure(
                matches!(self.back, Back::Single) || self.back.get(id) == Some(number),
                || format!("member {id} is in leaf {number}, and is sought elsewhere"),
            )?;
            walk.last = Some((*key, id));
            walk.entries += 1;
        }
        Ok((leaf.len, leaf.starts.count_ones()))
    }
}
