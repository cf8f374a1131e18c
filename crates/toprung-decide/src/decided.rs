//! What became of a run of events.

/// What became of an event, in the numbers that cross into Python.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Outcome {
    /// It changed the board.
    Counted,
    /// It was counted as seen, and nothing that is shown moved.
    Unchanged,
    /// It came too late for every window, or is older than the board's memory.
    Late,
    /// It lies too far in the future.
    Early,
    /// A total would leave the 64-bit range.
    Overflow,
    /// The same event came before.
    Duplicate,
    /// Its id came before with other content.
    Conflict,
    /// The board's columns changed, and its points cannot be read by the new ones.
    Invalid,
    /// Its board is no longer there.
    UnknownBoard,
}

impl Outcome {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Unchanged => "unchanged",
            Self::Late => "late",
            Self::Early => "early",
            Self::Overflow => "overflow",
            Self::Duplicate => "duplicate",
            Self::Conflict => "conflict",
            Self::Invalid => "invalid",
            Self::UnknownBoard => "unknown_board",
        }
    }

    /// Whether the event used up its id.
    pub(crate) fn spends_id(self) -> bool {
        matches!(self, Self::Counted | Self::Unchanged)
    }
}

/// Kept lines in order, see `toprung.domain.keeping.SeenBlock`.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// The `seq` of the first line.
    pub first: u64,
    /// The `seq` of the last line.
    pub last: u64,
    /// `MessagePack`: an array of `[board id, event id, seen]`.
    pub body: Vec<u8>,
    /// For each line the hash of its id and its `seq`, little-endian words.
    pub places: Vec<u8>,
}

/// New places, column by column, see `toprung.ports.moves.Moves`.
#[derive(Clone, Default, Debug)]
pub struct Moves {
    /// The periods that are met, by number.
    pub periods: Vec<u32>,
    /// How many columns an entry of each of them has.
    pub widths: Vec<u32>,
    /// The UTF-8 of the players that are met.
    pub players: Vec<u8>,
    /// Where each of their texts ends.
    pub ends: Vec<u32>,
    /// For each move which of the periods it is in.
    pub period: Vec<u32>,
    /// For each move which of the players it is of.
    pub player: Vec<u32>,
    /// For each move how its ranks are numbered.
    pub numbering: Vec<u8>,
    /// The columns of all moves.
    pub columns: Vec<i64>,
    /// When they were reached.
    pub reached_at: Vec<i64>,
}

/// What is told of the events, for decisions and replies to be made of it.
#[derive(Clone, Default, Debug)]
pub struct Told {
    /// The outcome of each event.
    pub outcomes: Vec<u8>,
    /// The numbers of the stretches that the run meets.
    pub stretches: Vec<u32>,
    /// For each event which of them it lies in; where its board is not there, the number says
    /// nothing.
    pub spans: Vec<u32>,
    /// What each event that counted did in each window.
    pub steps: Vec<Step>,
    /// `MessagePack`: for each of the steps the entry before it, or nil.
    pub before: Vec<u8>,
    /// The same after it; nil where the event was late.
    pub after: Vec<u8>,
    /// `MessagePack`: for each window of each event that overflowed the entry before, or nil.
    pub overflowed: Vec<u8>,
    /// For each duplicate and conflict its place in the run, and the `seq` of the event that came
    /// first if that is in the run too, else 0.
    pub again: Vec<(usize, u64)>,
}

/// What an event did in a window, by the first column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number before it; `None`: the player was not on the board.
    pub before: Option<i64>,
    /// The number after it; `None`: the event was late here.
    pub after: Option<i64>,
}

/// What became of a run of events.
#[derive(Clone, Default, Debug)]
pub struct Decided {
    /// What is to be kept.
    pub blocks: Vec<Block>,
    /// New places.
    pub moves: Moves,
    /// How many of the moves each event made.
    pub moved: Vec<u8>,
    /// By board the latest `at` that counted.
    pub latest: Vec<(i64, i64)>,
    /// What is told, if it was asked for.
    pub told: Told,
}
