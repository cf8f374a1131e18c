//! How much memory an engine takes, by part.

use crate::node::LEAF;

/// Bytes by part, and what they hold. Memory that was taken from the system but never touched is
/// not counted: it costs nothing.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Memory {
    /// The members' texts.
    pub texts: u64,
    /// What tells where each text ends.
    pub text_ends: u64,
    /// The table from texts to member numbers.
    pub dictionary: u64,
    /// The keys in leaves, with the room that leaves keep free.
    pub keys: u64,
    /// The member numbers in leaves, with the room that leaves keep free.
    pub ids: u64,
    /// The heads of leaves, and the lists of nodes.
    pub leaf_heads: u64,
    /// The inner nodes.
    pub inner_nodes: u64,
    /// The pointers from members to leaves.
    pub back_pointers: u64,
    /// What is copied aside for open views.
    pub views: u64,
    /// The list of periods.
    pub period_heads: u64,
    /// How many members there are.
    pub members: u64,
    /// How many entries there are in all periods.
    pub entries: u64,
    /// How many periods there are.
    pub periods: u64,
    /// How many leaves are in use.
    pub leaves: u64,
    /// How full these are: 1 is full.
    pub leaf_fill: f64,
}

impl Memory {
    /// Work out the fill from entries and leaves.
    pub(crate) fn set_fill(&mut self) {
        let room = self.leaves * LEAF as u64;
        // A ratio to be shown; more than 2^53 entries do not fit anyway.
        #[allow(clippy::cast_precision_loss)]
        if room > 0 {
            self.leaf_fill = self.entries as f64 / room as f64;
        }
    }

    /// All bytes together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.texts
            + self.text_ends
            + self.dictionary
            + self.keys
            + self.ids
            + self.leaf_heads
            + self.inner_nodes
            + self.back_pointers
            + self.views
            + self.period_heads
    }
}
