//! Entries, and how an event changes one (`toprung.domain.entries`).

/// How many columns an entry has at most.
pub const COLUMNS_MAX: usize = 5;

/// What an event does to an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Columns are added up.
    Sum,
    /// The best columns stand.
    Best,
    /// The columns of the latest event stand.
    Last,
}

/// One to five numbers; what is beyond them is zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Columns {
    values: [i64; COLUMNS_MAX],
    width: u8,
}

impl Columns {
    /// The numbers of a slice; `None` if they are none or too many.
    #[must_use]
    pub fn new(values: &[i64]) -> Option<Self> {
        if !(1..=COLUMNS_MAX).contains(&values.len()) {
            return None;
        }
        let mut columns = Self {
            width: u8::try_from(values.len()).ok()?,
            ..Self::default()
        };
        columns.values[..values.len()].copy_from_slice(values);
        Some(columns)
    }

    /// The numbers and how many of them count.
    pub(crate) fn parts(&self) -> (&[i64; COLUMNS_MAX], u8) {
        (&self.values, self.width)
    }

    /// The reverse of `parts`.
    pub(crate) fn from_parts(values: [i64; COLUMNS_MAX], width: u8) -> Self {
        Self { values, width }
    }

    /// The numbers.
    #[must_use]
    pub fn values(&self) -> &[i64] {
        &self.values[..usize::from(self.width)]
    }

    /// The first of them.
    pub(crate) fn first(&self) -> i64 {
        self.values[0]
    }

    fn any(&self) -> bool {
        self.values.iter().any(|value| *value != 0)
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = *self;
        for (value, more) in sum.values.iter_mut().zip(other.values) {
            *value = value.checked_add(more)?;
        }
        Some(sum)
    }

    fn is_better(&self, other: &Self, descending: &[bool]) -> bool {
        self.values()
            .iter()
            .zip(other.values())
            .zip(descending)
            .find(|((new, old), _)| new != old)
            .is_some_and(|((new, old), larger)| (new > old) == *larger)
    }
}

/// An entry without the event that is shown and the `seq`.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// The scaled numbers.
    pub columns: Columns,
    /// When they were reached.
    pub reached_at: i64,
    /// How many events counted.
    pub events: u64,
    /// Under `sum`, whether an event that was not all zero has counted.
    pub moved: bool,
}

impl Standing {
    /// Whether an event that leads from `before` to this changed nothing that is shown.
    pub(crate) fn same(&self, before: &Self) -> bool {
        self.columns == before.columns && self.reached_at == before.reached_at
    }
}

/// A total would leave the 64-bit range.
#[derive(Debug)]
pub(crate) struct Overflow;

/// What an event brings.
pub(crate) struct Fact<'a> {
    pub points: Columns,
    pub at: i64,
    pub event_id: &'a [u8],
}

/// The entry after an event, and whether the event is the one that is shown.
///
/// `before` is the entry with the event shown; `None` stands for a player not on the board.
pub(crate) fn fold(
    mode: Mode,
    descending: &[bool],
    before: Option<(&Standing, &[u8])>,
    fact: &Fact<'_>,
) -> Result<(Standing, bool), Overflow> {
    let Some((entry, shown)) = before else {
        let standing = Standing {
            columns: fact.points,
            reached_at: fact.at,
            events: 1,
            moved: mode == Mode::Sum && fact.points.any(),
        };
        return Ok((standing, mode == Mode::Last));
    };
    let mut after = Standing {
        events: entry.events + 1,
        ..*entry
    };
    match mode {
        Mode::Sum if !fact.points.any() => {
            if !entry.moved {
                after.reached_at = entry.reached_at.min(fact.at);
            }
        }
        Mode::Sum => {
            after.columns = entry.columns.plus(&fact.points).ok_or(Overflow)?;
            after.reached_at = if entry.moved {
                entry.reached_at.max(fact.at)
            } else {
                fact.at
            };
            after.moved = true;
        }
        Mode::Best if fact.points == entry.columns => {
            after.reached_at = entry.reached_at.min(fact.at);
        }
        Mode::Best => {
            if fact.points.is_better(&entry.columns, descending) {
                after.columns = fact.points;
                after.reached_at = fact.at;
            }
        }
        Mode::Last => {
            if (fact.at, fact.event_id) > (entry.reached_at, shown) {
                after.columns = fact.points;
                after.reached_at = fact.at;
                return Ok((after, true));
            }
        }
    }
    Ok((after, false))
}

#[cfg(test)]
mod tests {
    use super::{Columns, Fact, Mode, Standing, fold};

    fn columns(values: &[i64]) -> Columns {
        Columns::new(values).expect("one to five")
    }

    fn entry(values: &[i64], reached_at: i64, moved: bool) -> Standing {
        Standing {
            columns: columns(values),
            reached_at,
            events: 1,
            moved,
        }
    }

    fn after(mode: Mode, before: &Standing, values: &[i64], at: i64) -> Option<(Vec<i64>, i64)> {
        let fact = Fact {
            points: columns(values),
            at,
            event_id: b"e",
        };
        fold(mode, &[true, false], Some((before, b"d")), &fact)
            .ok()
            .map(|(after, _)| (after.columns.values().to_vec(), after.reached_at))
    }

    #[test]
    fn a_sum_is_reached_by_its_latest_event_that_is_not_zero() {
        let moved = entry(&[5, 1], 10, true);
        assert_eq!(
            after(Mode::Sum, &moved, &[1, -1], 4),
            Some((vec![6, 0], 10))
        );
        assert_eq!(
            after(Mode::Sum, &moved, &[0, 0], 40),
            Some((vec![5, 1], 10))
        );
        let zero = entry(&[0, 0], 10, false);
        assert_eq!(after(Mode::Sum, &zero, &[0, 0], 4), Some((vec![0, 0], 4)));
        assert_eq!(after(Mode::Sum, &zero, &[0, 1], 4), Some((vec![0, 1], 4)));
    }

    #[test]
    fn a_sum_stays_within_64_bits() {
        let most = entry(&[i64::MAX, i64::MIN], 1, true);
        assert_eq!(after(Mode::Sum, &most, &[1, 0], 2), None);
        assert_eq!(after(Mode::Sum, &most, &[0, -1], 2), None);
        assert_eq!(
            after(Mode::Sum, &most, &[-1, 1], 2),
            Some((vec![i64::MAX - 1, i64::MIN + 1], 2))
        );
    }

    #[test]
    fn columns_move_as_one_unit_under_best() {
        let best = entry(&[100, 5], 10, false);
        assert_eq!(
            after(Mode::Best, &best, &[50, 1], 20),
            Some((vec![100, 5], 10))
        );
        assert_eq!(
            after(Mode::Best, &best, &[100, 4], 20),
            Some((vec![100, 4], 20))
        );
        assert_eq!(
            after(Mode::Best, &best, &[100, 5], 3),
            Some((vec![100, 5], 3))
        );
    }

    #[test]
    fn the_larger_id_is_the_last_of_equal_instants() {
        let last = entry(&[7, 7], 10, false);
        assert_eq!(
            after(Mode::Last, &last, &[1, 1], 10),
            Some((vec![1, 1], 10))
        );
        assert_eq!(after(Mode::Last, &last, &[1, 1], 9), Some((vec![7, 7], 10)));
    }
}
