//! One period: a tree with the directions of its columns, behind an interface that hides how wide
//! its keys are.

use crate::batch::{Numbering, Place, Rows, Texts};
use crate::bulk;
use crate::error::Error;
use crate::key::{Key, Order, less, reached_at};
use crate::members::{GROUP, Members, NOBODY};
use crate::memory::Memory;
use crate::node::{LEAF, Leaf};
use crate::tree::{Counts, NONE, Probe, Spot, Tree, Who};
use std::io;

/// Which entries count: those strictly better than given columns, or those as good too.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Reach {
    Above,
    To,
}

/// A move of a member that is known, with as many columns as its period has.
#[derive(Copy, Clone)]
pub(crate) struct Move<'a> {
    pub(crate) member: u32,
    pub(crate) columns: &'a [i64],
    pub(crate) reached_at: i64,
    pub(crate) numbering: Option<Numbering>,
}

impl Move<'_> {
    /// A move of nobody, for places of an array that stay unused.
    pub(crate) const fn none() -> Self {
        Self {
            member: NOBODY,
            columns: &[],
            reached_at: 0,
            numbering: None,
        }
    }
}

/// Rows on their way into a new period, of members that are known.
#[derive(Copy, Clone)]
pub(crate) struct Source<'a> {
    pub(crate) descending: &'a [bool],
    pub(crate) members: &'a [u32],
    pub(crate) columns: &'a [i64],
    pub(crate) reached_at: &'a [i64],
}

/// What takes pieces of a period: keys as plain numbers, `width` to an entry, and member numbers.
pub(crate) type Piece<'a> = &'a mut dyn FnMut(&[u64], &[u32]) -> io::Result<()>;

/// How many periods an engine holds at most.
pub(crate) const PERIODS_MAX: u32 = 1 << 22;

/// A period, whatever the width of its keys.
pub(crate) trait Period: Send + Sync {
    fn columns(&self) -> usize;
    fn descending(&self) -> Vec<bool>;
    fn total(&self) -> u64;
    /// Whether `more` entries surely find numbers for their leaves.
    fn has_room(&self, more: usize) -> bool;
    fn prefetch_back(&self, member: u32);
    /// Prefetch the leaf of a member, which will be changed.
    fn prefetch_entry(&self, member: u32);
    /// The leaf that a move leads to; it is prefetched.
    fn aim(&self, step: &Move<'_>, members: &Members) -> u32;
    /// Apply a move; the ranks asked for before and after it. `hint` is what `aim` told.
    fn put(&mut self, step: &Move<'_>, hint: u32, members: &Members) -> Result<(u64, u64), Error>;
    fn remove(&mut self, member: u32, members: &Members) -> bool;
    fn rank_many(
        &self,
        players: &Texts<'_>,
        numbering: Numbering,
        members: &Members,
        out: &mut [u64],
    );
    fn place(&self, member: u32) -> Option<Place>;
    fn rows(&self, start: u64, stop: u64, members: &Members, out: &mut Rows) -> Result<(), Error>;
    fn index_at(&self, columns: &[i64], reached_at: i64, player: &[u8], members: &Members) -> u64;
    fn counts(&self, columns: &[i64], reach: Reach) -> Counts;
    fn score_at(&self, index: u64, out: &mut Vec<i64>) -> bool;
    fn open_view(&mut self, number: u64) -> Result<(), Error>;
    fn close_view(&mut self, number: u64);
    fn view_rows(
        &self,
        number: u64,
        start: u64,
        stop: u64,
        members: &Members,
        out: &mut Rows,
    ) -> Result<(), Error>;
    fn view_count(&self, number: u64, columns: &[i64], reach: Reach) -> Result<u64, Error>;
    /// Give the entries `start..stop` in order, of a view or (none) as they are.
    fn scan_keys(&self, view: Option<u64>, span: (u64, u64), take: Piece<'_>) -> io::Result<()>;
    fn validate(&self, members: &Members) -> Result<(), String>;
    fn add_memory(&self, memory: &mut Memory);
}

/// A period whose keys have `W` parts.
struct Ranking<const W: usize> {
    order: Order<W>,
    tree: Tree<W>,
}

/// Call `$make` with the number of key parts that these columns need.
macro_rules! by_width {
    ($descending:expr, $make:ident, $($argument:expr),*) => {
        match $descending.len() {
            1 => Ok($make::<2>($($argument),*)),
            2 => Ok($make::<3>($($argument),*)),
            3 => Ok($make::<4>($($argument),*)),
            4 => Ok($make::<5>($($argument),*)),
            5 => Ok($make::<6>($($argument),*)),
            _ => Err(Error::BadColumns),
        }
    };
}

/// An empty period of at most `leaves_max` leaves.
pub(crate) fn empty(descending: &[bool], leaves_max: u32) -> Result<Box<dyn Period>, Error> {
    fn make<const W: usize>(descending: &[bool], leaves_max: u32) -> Box<dyn Period> {
        Box::new(Ranking::<W> {
            order: Order::new(descending),
            tree: Tree::new(leaves_max),
        })
    }
    by_width!(descending, make, descending, leaves_max)
}

/// A period made of rows in any order; the last of a member stands.
pub(crate) fn from_rows(
    source: &Source<'_>,
    members: &Members,
    leaves_max: u32,
) -> Result<Box<dyn Period>, Error> {
    fn make<const W: usize>(
        source: &Source<'_>,
        members: &Members,
        leaves_max: u32,
    ) -> Result<Box<dyn Period>, Error> {
        let order = Order::<W>::new(source.descending);
        let mut rows = Vec::new();
        rows.try_reserve_exact(source.members.len())
            .map_err(|_| Error::OutOfMemory)?;
        let columns = source.columns.chunks_exact(W - 1);
        let keys = columns
            .zip(source.reached_at)
            .map(|(columns, &at)| order.key(columns, at));
        rows.extend(keys.zip(source.members.iter().copied()));
        bulk::keep_last(&mut rows, members.len());
        bulk::sort(&mut rows, members);
        load(order, &rows, members, leaves_max)
    }
    by_width!(source.descending, make, source, members, leaves_max)?
}

/// Takes the entries of a period in order, as bytes, until it is whole.
pub(crate) trait Loader {
    /// How many bytes a key has.
    fn key_bytes(&self) -> usize;
    /// Take some keys and as many member numbers, little-endian.
    fn push(&mut self, keys: &[u8], ids: &[u8]) -> Result<(), Error>;
    /// The period; nothing when entries are out of order, of one member, or of no member.
    fn finish(
        self: Box<Self>,
        members: &Members,
        leaves_max: u32,
    ) -> Result<Option<Box<dyn Period>>, Error>;
}

struct RowLoader<const W: usize> {
    order: Order<W>,
    rows: Vec<bulk::Row<W>>,
}

/// A loader of a period with these columns.
pub(crate) fn loader(descending: &[bool]) -> Result<Box<dyn Loader>, Error> {
    fn make<const W: usize>(descending: &[bool]) -> Box<dyn Loader> {
        Box::new(RowLoader::<W> {
            order: Order::new(descending),
            rows: Vec::new(),
        })
    }
    by_width!(descending, make, descending)
}

impl<const W: usize> Loader for RowLoader<W> {
    fn key_bytes(&self) -> usize {
        size_of::<Key<W>>()
    }

    fn push(&mut self, keys: &[u8], ids: &[u8]) -> Result<(), Error> {
        self.rows
            .try_reserve(ids.len() / 4)
            .map_err(|_| Error::OutOfMemory)?;
        let keys = keys.chunks_exact(size_of::<Key<W>>());
        self.rows
            .extend(keys.zip(ids.chunks_exact(4)).map(|(parts, id)| {
                let mut key = [0; W];
                for (part, bytes) in key.iter_mut().zip(parts.chunks_exact(8)) {
                    *part = bytes
                        .iter()
                        .rev()
                        .fold(0, |part, &byte| part << 8 | u64::from(byte));
                }
                (key, u32::from_le_bytes([id[0], id[1], id[2], id[3]]))
            }));
        Ok(())
    }

    fn finish(
        mut self: Box<Self>,
        members: &Members,
        leaves_max: u32,
    ) -> Result<Option<Box<dyn Period>>, Error> {
        let count = self.rows.len();
        if self.rows.iter().any(|row| row.1 >= members.len()) {
            return Ok(None);
        }
        bulk::keep_last(&mut self.rows, members.len());
        if self.rows.len() < count || !bulk::is_ascending(&self.rows, members) {
            return Ok(None);
        }
        load(self.order, &self.rows, members, leaves_max).map(Some)
    }
}

fn load<const W: usize>(
    order: Order<W>,
    rows: &[bulk::Row<W>],
    members: &Members,
    leaves_max: u32,
) -> Result<Box<dyn Period>, Error> {
    let mut tree = Tree::new(leaves_max);
    tree.load(rows, members)?;
    Ok(Box::new(Ranking { order, tree }))
}

impl<const W: usize> Ranking<W> {
    #[inline]
    fn probe(&self, step: &Move<'_>) -> Probe<'static, W> {
        Probe {
            key: self.order.key(step.columns, step.reached_at),
            who: Who::Member(step.member),
        }
    }

    #[inline]
    fn rank(&self, spot: Spot, numbering: Numbering) -> u64 {
        1 + match numbering {
            Numbering::Ordinal => self.tree.index(spot),
            Numbering::Shared => self.tree.above(spot),
            Numbering::Dense => self.tree.scores_above(spot),
        }
    }

    fn reaches(&self, columns: &[i64], reach: Reach) -> impl Fn(&Key<W>) -> bool {
        let rest = if reach == Reach::Above { 0 } else { u64::MAX };
        let bound = self.order.bound(columns, rest);
        move |key| {
            if reach == Reach::Above {
                less(key, &bound)
            } else {
                !less(&bound, key)
            }
        }
    }

    fn push_rows(
        &self,
        keys: &[Key<W>],
        ids: &[u32],
        members: &Members,
        out: &mut Rows,
    ) -> Result<(), Error> {
        for (key, &id) in keys.iter().zip(ids) {
            out.push_player(members.text(id))?;
            self.order.read_columns(key, &mut out.columns);
            out.reached_at.push(reached_at(key));
        }
        Ok(())
    }

    /// What `rank` tells of each player's spot; 0 for those not there.
    fn rank_each(
        &self,
        players: &Texts<'_>,
        members: &Members,
        out: &mut [u64],
        rank: impl Fn(Spot) -> u64,
    ) {
        for (start, ranks) in (0..).step_by(GROUP).zip(out.chunks_mut(GROUP)) {
            let found = members.find_group(players, start);
            self.rank_group(&found[..ranks.len()], ranks, &rank);
        }
    }

    /// The ranks of a group of members, each step for all of them so that their cache misses
    /// overlap.
    #[inline]
    fn rank_group(&self, group: &[u32], out: &mut [u64], rank: impl Fn(Spot) -> u64) {
        for &member in group {
            self.tree.back.prefetch(member);
        }
        let mut leaves = [NONE; GROUP];
        for (leaf, &member) in leaves.iter_mut().zip(group) {
            *leaf = self.tree.prefetch_ids(member);
        }
        for &leaf in &leaves[..group.len()] {
            self.tree.prefetch_parent(leaf);
        }
        for ((told, &member), leaf) in out.iter_mut().zip(group).zip(leaves) {
            *told = self.tree.find_in(leaf, member).map_or(0, &rank);
        }
    }
}

impl<const W: usize> Period for Ranking<W> {
    fn columns(&self) -> usize {
        W - 1
    }

    fn descending(&self) -> Vec<bool> {
        self.order.descending().collect()
    }

    fn total(&self) -> u64 {
        u64::from(self.tree.count)
    }

    fn has_room(&self, more: usize) -> bool {
        self.tree.leaves.has_numbers(more)
    }

    fn prefetch_back(&self, member: u32) {
        self.tree.back.prefetch(member);
    }

    fn prefetch_entry(&self, member: u32) {
        let leaf = self.tree.prefetch_ids(member);
        self.tree.prefetch_leaf(leaf);
    }

    fn aim(&self, step: &Move<'_>, members: &Members) -> u32 {
        if self.tree.root == NONE {
            return NONE;
        }
        let leaf = self.tree.leaf_for(&self.probe(step), members);
        self.tree.prefetch_leaf(leaf);
        leaf
    }

    fn put(&mut self, step: &Move<'_>, hint: u32, members: &Members) -> Result<(u64, u64), Error> {
        let old = self.tree.find(step.member);
        let before = match (old, step.numbering) {
            (Some(spot), Some(numbering)) => self.rank(spot, numbering),
            _ => 0,
        };
        let key = self.order.key(step.columns, step.reached_at);
        let new = self.tree.put(step.member, old, &key, hint, members)?;
        let after = step
            .numbering
            .map_or(0, |numbering| self.rank(new, numbering));
        Ok((before, after))
    }

    fn remove(&mut self, member: u32, members: &Members) -> bool {
        let spot = self.tree.find(member);
        if let Some(spot) = spot {
            self.tree.take(spot, members);
        }
        spot.is_some()
    }

    fn rank_many(
        &self,
        players: &Texts<'_>,
        numbering: Numbering,
        members: &Members,
        out: &mut [u64],
    ) {
        // A loop for each numbering, in which nothing is left to choose.
        match numbering {
            Numbering::Ordinal => {
                self.rank_each(players, members, out, |spot| 1 + self.tree.index(spot));
            }
            Numbering::Shared => {
                self.rank_each(players, members, out, |spot| 1 + self.tree.above(spot));
            }
            Numbering::Dense => {
                self.rank_each(players, members, out, |spot| {
                    1 + self.tree.scores_above(spot)
                });
            }
        }
    }

    fn place(&self, member: u32) -> Option<Place> {
        let spot = self.tree.find(member)?;
        let key = &self.tree.leaves.get(spot.leaf).keys[spot.at];
        let mut columns = Vec::with_capacity(W - 1);
        self.order.read_columns(key, &mut columns);
        Some(Place {
            index: self.tree.index(spot),
            above: self.tree.above(spot),
            distinct_above: self.tree.scores_above(spot),
            total: self.total(),
            columns,
            reached_at: reached_at(key),
        })
    }

    fn rows(&self, start: u64, stop: u64, members: &Members, out: &mut Rows) -> Result<(), Error> {
        self.tree.scan(start, stop, |keys, ids| {
            self.push_rows(keys, ids, members, out)
        })
    }

    fn index_at(&self, columns: &[i64], reached_at: i64, player: &[u8], members: &Members) -> u64 {
        let probe = Probe {
            key: self.order.key(columns, reached_at),
            who: Who::Text(player),
        };
        self.tree.index_of_probe(&probe, members)
    }

    fn counts(&self, columns: &[i64], reach: Reach) -> Counts {
        self.tree.counts_while(self.reaches(columns, reach))
    }

    fn score_at(&self, index: u64, out: &mut Vec<i64>) -> bool {
        let key = self.tree.score_at(index);
        if let Some(key) = &key {
            self.order.read_columns(key, out);
        }
        key.is_some()
    }

    fn open_view(&mut self, number: u64) -> Result<(), Error> {
        let mut order = Vec::new();
        let leaves = self.tree.leaves.used() as usize;
        order
            .try_reserve_exact(leaves)
            .map_err(|_| Error::OutOfMemory)?;
        order.extend(self.tree.leaves_in_order());
        self.tree.views.open(number, order, &self.tree.leaves)
    }

    fn close_view(&mut self, number: u64) {
        self.tree.views.close(number);
    }

    fn view_rows(
        &self,
        number: u64,
        start: u64,
        stop: u64,
        members: &Members,
        out: &mut Rows,
    ) -> Result<(), Error> {
        let take = |keys: &[Key<W>], ids: &[u32]| self.push_rows(keys, ids, members, out);
        self.tree
            .views
            .scan(number, &self.tree.leaves, (start, stop), take)
    }

    fn view_count(&self, number: u64, columns: &[i64], reach: Reach) -> Result<u64, Error> {
        let before = self.reaches(columns, reach);
        self.tree
            .views
            .count_while(number, &self.tree.leaves, before)
    }

    fn scan_keys(&self, view: Option<u64>, span: (u64, u64), take: Piece<'_>) -> io::Result<()> {
        let take = |keys: &[Key<W>], ids: &[u32]| take(keys.as_flattened(), ids);
        match view {
            Some(number) => self.tree.views.scan(number, &self.tree.leaves, span, take),
            None => self.tree.scan(span.0, span.1, take),
        }
    }

    fn validate(&self, members: &Members) -> Result<(), String> {
        self.tree.validate(members)
    }

    fn add_memory(&self, memory: &mut Memory) {
        let leaves = u64::from(self.tree.leaves.used());
        let (keys, ids) = ((LEAF * size_of::<Key<W>>()) as u64, LEAF as u64 * 4);
        let touched = self.tree.leaves.bytes() / size_of::<Leaf<W>>() as u64;
        memory.keys += touched * keys;
        memory.ids += touched * ids;
        memory.leaf_heads += self.tree.leaves.bytes() - touched * (keys + ids);
        memory.inner_nodes += self.tree.inners.bytes();
        memory.back_pointers += self.tree.back.bytes();
        memory.views += self.tree.views.bytes();
        memory.period_heads += size_of::<Self>() as u64;
        memory.entries += self.total();
        memory.leaves += leaves;
    }
}
