//! Read views: a moment of a period that stays readable while writes go on.
//!
//! A view notes which leaves there were and how many entries each held. Before such a leaf changes
//! for the first time its content is copied aside for the view; all others are read where they are.

use crate::arena::Arena;
use crate::batch::PeriodId;
use crate::error::Error;
use crate::key::Key;
use crate::node::Leaf;
use std::collections::HashMap;

/// A moment of a period, taken with [`Engine::read_view`](crate::Engine::read_view).
///
/// It costs memory until it is given to [`Engine::close_view`](crate::Engine::close_view), or its
/// period is dropped.
#[derive(PartialEq, Eq, Debug)]
pub struct ReadView {
    pub(crate) period: PeriodId,
    pub(crate) number: u64,
    pub(crate) total: u64,
}

impl ReadView {
    /// How many entries the period had.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }
}

struct Moment<const W: usize> {
    number: u64,
    leaves: Vec<u32>,
    /// How many entries there are up to the end of each leaf.
    ends: Vec<u64>,
    /// Bit `i`: leaf `i` is as it was then.
    unchanged: Vec<u64>,
    kept: HashMap<u32, Box<Leaf<W>>>,
}

/// The open views of one period.
pub(crate) struct Views<const W: usize> {
    moments: Vec<Moment<W>>,
}

impl<const W: usize> Default for Views<W> {
    fn default() -> Self {
        Self {
            moments: Vec::new(),
        }
    }
}

impl<const W: usize> Views<W> {
    pub(crate) fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// Open a view of these leaves.
    pub(crate) fn open(
        &mut self,
        number: u64,
        order: Vec<u32>,
        leaves: &Arena<Leaf<W>>,
    ) -> Result<(), Error> {
        let mut ends = Vec::new();
        ends.try_reserve_exact(order.len())
            .map_err(|_| Error::OutOfMemory)?;
        let mut end = 0;
        let mut unchanged = vec![0; order.iter().max().map_or(0, |&leaf| leaf as usize / 64 + 1)];
        for &leaf in &order {
            end += leaves.get(leaf).len() as u64;
            ends.push(end);
            unchanged[leaf as usize / 64] |= 1 << (leaf % 64);
        }
        self.moments.push(Moment {
            number,
            leaves: order,
            ends,
            unchanged,
            kept: HashMap::new(),
        });
        Ok(())
    }

    /// Close a view; one that is not open is closed already.
    pub(crate) fn close(&mut self, number: u64) {
        self.moments.retain(|moment| moment.number != number);
    }

    /// Keep the content of a leaf for the views that still need it.
    pub(crate) fn keep(&mut self, number: u32, leaf: &Leaf<W>) {
        for moment in &mut self.moments {
            let Some(word) = moment.unchanged.get_mut(number as usize / 64) else {
                continue;
            };
            let bit = 1 << (number % 64);
            if *word & bit != 0 {
                *word &= !bit;
                moment.kept.insert(number, Box::new(*leaf));
            }
        }
    }

    /// How many bytes the views take.
    pub(crate) fn bytes(&self) -> u64 {
        let one = |moment: &Moment<W>| {
            moment.leaves.capacity() * 4
                + moment.ends.capacity() * 8
                + moment.unchanged.capacity() * 8
                + moment.kept.capacity() * 16
                + moment.kept.len() * size_of::<Leaf<W>>()
        };
        self.moments.iter().map(|moment| one(moment) as u64).sum()
    }

    fn moment(&self, number: u64) -> Result<&Moment<W>, Error> {
        let moment = self.moments.iter().find(|moment| moment.number == number);
        moment.ok_or(Error::UnknownPeriod)
    }

    /// How many entries of a view have keys that are `before`: true for a first part of the order.
    pub(crate) fn count_while(
        &self,
        number: u64,
        leaves: &Arena<Leaf<W>>,
        before: impl Fn(&Key<W>) -> bool,
    ) -> Result<u64, Error> {
        let moment = self.moment(number)?;
        let first_key = |leaf| moment.leaf(leaf, leaves).keys[0];
        let after = moment
            .leaves
            .partition_point(|&leaf| before(&first_key(leaf)));
        let Some(at) = after.checked_sub(1) else {
            return Ok(0);
        };
        let leaf = moment.leaf(moment.leaves[at], leaves);
        Ok(moment.start(at) + leaf.keys().partition_point(before) as u64)
    }

    /// Give `take` the entries `start..stop` of a view in order, a piece of a leaf at a time.
    pub(crate) fn scan<E: From<Error>>(
        &self,
        number: u64,
        leaves: &Arena<Leaf<W>>,
        (start, stop): (u64, u64),
        mut take: impl FnMut(&[Key<W>], &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let moment = self.moment(number)?;
        let mut from = start;
        let mut at = moment.ends.partition_point(|&end| end <= start);
        while at < moment.leaves.len() && from < stop {
            let leaf = moment.leaf(moment.leaves[at], leaves);
            let (begin, end) = (moment.start(at), moment.ends[at].min(stop));
            let piece = within(begin, from)..within(begin, end);
            take(&leaf.keys[piece.clone()], &leaf.ids[piece])?;
            (from, at) = (end, at + 1);
        }
        Ok(())
    }
}

/// The place in a leaf that begins at `begin` of the entry with this index.
fn within(begin: u64, index: u64) -> usize {
    usize::try_from(index - begin).expect("a leaf is small")
}

impl<const W: usize> Moment<W> {
    fn start(&self, at: usize) -> u64 {
        if at == 0 { 0 } else { self.ends[at - 1] }
    }

    fn leaf<'a>(&'a self, number: u32, leaves: &'a Arena<Leaf<W>>) -> &'a Leaf<W> {
        match self.kept.get(&number) {
            Some(leaf) => leaf,
            None => leaves.get(number),
        }
    }
}
