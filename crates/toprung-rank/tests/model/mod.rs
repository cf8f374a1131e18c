//! The rules of a period in the plainest form: a sorted list, searched from one end to the other.

pub mod history;

use std::collections::BTreeMap;
use toprung_rank::Numbering;

/// An entry as it is compared: columns turned so that smaller is better, instant, player.
pub type Entry = (Vec<i64>, i64, Vec<u8>);

/// A period as a sorted list.
#[derive(Clone, Default)]
pub struct Model {
    pub descending: Vec<bool>,
    pub order: Vec<Entry>,
    entries: BTreeMap<Vec<u8>, (Vec<i64>, i64)>,
}

impl Model {
    pub fn new(descending: &[bool]) -> Self {
        Self {
            descending: descending.to_vec(),
            ..Self::default()
        }
    }

    /// Complemented where larger is better; turning twice gives the columns back.
    pub fn turn(&self, columns: &[i64]) -> Vec<i64> {
        let turned = columns.iter().zip(&self.descending);
        turned
            .map(|(&column, &down)| if down { !column } else { column })
            .collect()
    }

    pub fn entry(&self, player: &[u8]) -> Option<Entry> {
        let (columns, reached_at) = self.entries.get(player)?;
        Some((columns.clone(), *reached_at, player.to_vec()))
    }

    pub fn put(&mut self, player: &[u8], columns: &[i64], reached_at: i64) {
        self.remove(player);
        let entry = (self.turn(columns), reached_at, player.to_vec());
        self.entries
            .insert(player.to_vec(), (entry.0.clone(), reached_at));
        let index = self.index(&entry);
        self.order.insert(index, entry);
    }

    pub fn remove(&mut self, player: &[u8]) -> bool {
        let Some(entry) = self.entry(player) else {
            return false;
        };
        let index = self.index(&entry);
        self.order.remove(index);
        self.entries.remove(player);
        true
    }

    pub fn index(&self, entry: &Entry) -> usize {
        self.order.partition_point(|other| other < entry)
    }

    /// How many entries are strictly better in the columns given.
    pub fn above(&self, columns: &[i64]) -> usize {
        let bound = self.turn(columns);
        self.order
            .partition_point(|entry| entry.0[..bound.len()] < bound[..])
    }

    /// How many entries are better or equal in the columns given.
    pub fn to(&self, columns: &[i64]) -> usize {
        let bound = self.turn(columns);
        self.order
            .partition_point(|entry| entry.0[..bound.len()] <= bound[..])
    }

    /// The distinct scores of the first `stop` entries, turned, in order.
    pub fn scores(&self, stop: usize) -> Vec<&Vec<i64>> {
        let mut scores: Vec<_> = self.order[..stop].iter().map(|entry| &entry.0).collect();
        scores.dedup();
        scores
    }

    pub fn rank(&self, player: &[u8], numbering: Numbering) -> u64 {
        let Some(entry) = self.entry(player) else {
            return 0;
        };
        let above = self.above(&self.turn(&entry.0));
        1 + match numbering {
            Numbering::Ordinal => self.index(&entry) as u64,
            Numbering::Shared => above as u64,
            Numbering::Dense => self.scores(above).len() as u64,
        }
    }
}
