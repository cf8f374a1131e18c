//! Boards as far as events hang on them: modes, limits of time, calendars.

use crate::entry::{COLUMNS_MAX, Columns, Mode};
use crate::error::Error;

/// How many windows a board has at most, frozen ones included.
pub const WINDOWS_MAX: usize = 8;

/// The rules of a board. Durations are microseconds; `None` means without end.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What an event does to an entry.
    pub mode: Mode,
    /// For each column whether larger is better.
    pub descending: Vec<bool>,
    /// By which settings present points are scaled.
    pub revision: i64,
    /// The code of how its ranks are numbered, for moves.
    pub numbering: u8,
    /// How far before its arrival an event may lie.
    pub remember: Option<i64>,
    /// How far after its arrival an event may lie.
    pub max_ahead: Option<i64>,
    /// The names of the windows, in order; those of which nothing is told come last.
    pub windows: Vec<String>,
    /// For how many of the windows, the first ones, it is told what events do there. The others are
    /// frozen, or segments that events carry: for each of those one beside each of these, which
    /// takes what its window takes. Stretches after the freeze have none of them.
    pub told: usize,
    /// For each of them of how many days it is, where it is rolling, else 0.
    pub days: Vec<i64>,
}

impl Rules {
    /// Whether a window is rolling: what is late there hangs on the true arrival.
    pub(crate) fn is_rolling(&self, window: usize) -> bool {
        self.days[window] != 0
    }

    /// Whether an entry of a window may have these numbers: a day of a rolling one its share.
    pub(crate) fn holds(&self, window: usize, columns: &Columns) -> bool {
        if self.mode != Mode::Sum || !self.is_rolling(window) {
            return true;
        }
        let most = i64::MAX / self.days[window];
        columns
            .values()
            .iter()
            .all(|value| value.unsigned_abs() <= most.unsigned_abs())
    }
}

/// Instants that fall into the same periods of a board: `[low, high)`.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The first instant.
    pub low: i64,
    /// The first instant after it.
    pub high: i64,
    /// A number that tells it from all others.
    pub number: u32,
    /// The period of each window, in order.
    pub slots: Vec<Slot>,
}

/// A period of a stretch.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The number that stands for the period's key.
    pub period: u32,
    /// The first arrival that is late here; `None`: none is.
    pub closes_at: Option<i64>,
}

/// A board, and what is known of its calendar.
pub(crate) struct Board {
    pub id: i64,
    pub rules: Rules,
    stretches: Vec<Known>,
    recent: usize,
}

/// A stretch, and where it stands in the run that met it last.
pub(crate) struct Known {
    pub stretch: Stretch,
    pub run: u64,
    pub span: u32,
}

impl Board {
    pub fn new(id: i64, rules: Rules) -> Result<Self, Error> {
        if !(1..=COLUMNS_MAX).contains(&rules.descending.len())
            || !(1..=WINDOWS_MAX).contains(&rules.windows.len())
            || rules.told == 0
            || rules.windows.len() % rules.told != 0
            || rules.days.len() != rules.windows.len()
        {
            return Err(Error::BadAnswer);
        }
        Ok(Self {
            id,
            rules,
            stretches: Vec::new(),
            recent: 0,
        })
    }

    pub fn width(&self) -> usize {
        self.rules.descending.len()
    }

    /// Takes up a stretch; those that are known do not meet it.
    pub fn learn(&mut self, stretch: Stretch) -> Result<(), Error> {
        let windows = [self.rules.told, self.rules.windows.len()];
        if !windows.contains(&stretch.slots.len()) || stretch.low >= stretch.high {
            return Err(Error::BadAnswer);
        }
        let place = self.after(stretch.low);
        let known = Known {
            stretch,
            run: 0,
            span: 0,
        };
        self.stretches.insert(place, known);
        Ok(())
    }

    /// The stretch that holds an instant.
    pub fn at(&mut self, at: i64) -> Option<&mut Known> {
        let holds = |known: &Known| known.stretch.low <= at && at < known.stretch.high;
        if !self.stretches.get(self.recent).is_some_and(holds) {
            self.recent = self.after(at).checked_sub(1)?;
        }
        self.stretches
            .get_mut(self.recent)
            .filter(|known| holds(known))
    }

    pub fn forget_stretches(&mut self) {
        self.stretches.clear();
    }

    /// How many stretches begin at an instant or before.
    fn after(&self, at: i64) -> usize {
        self.stretches
            .partition_point(|known| known.stretch.low <= at)
    }
}
