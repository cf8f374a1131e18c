//! The engine: all periods of a project over one dictionary of members.

use crate::batch::{COLUMNS_MAX, Moves, Numbering, PeriodId, Place, Rows, Texts};
use crate::error::Error;
use std::collections::BTreeMap;

type Key = (Vec<i64>, i64, Vec<u8>);

#[derive(Clone, Default, Debug)]
struct Period {
    descending: Vec<bool>,
    order: Vec<Key>,
    entries: BTreeMap<Vec<u8>, (Vec<i64>, i64)>,
}

impl Period {
    fn turn(&self, columns: &[i64]) -> Vec<i64> {
        columns
            .iter()
            .zip(&self.descending)
            .map(|(&column, &down)| if down { !column } else { column })
            .collect()
    }

    fn width(&self) -> usize {
        self.descending.len()
    }

    fn lower(&self, columns: &[i64], above: bool) -> usize {
        let prefix = self.turn(columns);
        self.order.partition_point(|key| {
            let start = &key.0[..prefix.len()];
            if above {
                *start < prefix[..]
            } else {
                *start <= prefix[..]
            }
        })
    }

    fn key(&self, player: &[u8]) -> Option<Key> {
        self.entries
            .get(player)
            .map(|(columns, at)| (columns.clone(), *at, player.to_vec()))
    }

    fn index(&self, key: &Key) -> usize {
        self.order.partition_point(|other| other < key)
    }

    fn distinct(&self, stop: usize) -> u64 {
        let mut scores: Vec<_> = self.order[..stop].iter().map(|key| &key.0).collect();
        scores.dedup();
        scores.len() as u64
    }

    fn rank(&self, player: &[u8], numbering: Numbering) -> u64 {
        let Some(key) = self.key(player) else {
            return 0;
        };
        let above = self.lower(&self.turn(&key.0), true);
        match numbering {
            Numbering::Ordinal => self.index(&key) as u64 + 1,
            Numbering::Shared => above as u64 + 1,
            Numbering::Dense => self.distinct(above) + 1,
        }
    }

    fn remove(&mut self, player: &[u8]) -> bool {
        let Some(key) = self.key(player) else {
            return false;
        };
        let index = self.index(&key);
        self.order.remove(index);
        self.entries.remove(player);
        true
    }

    fn put(&mut self, player: &[u8], columns: &[i64], reached_at: i64) {
        self.remove(player);
        let key = (self.turn(columns), reached_at, player.to_vec());
        self.entries
            .insert(player.to_vec(), (key.0.clone(), reached_at));
        let index = self.index(&key);
        self.order.insert(index, key);
    }
}

/// All periods of a project over one dictionary of members.
#[derive(Default, Debug)]
pub struct Engine {
    periods: Vec<Option<Period>>,
}

impl Engine {
    /// An engine without periods and members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn period(&self, period: PeriodId) -> Result<&Period, Error> {
        self.periods
            .get(period.0 as usize)
            .and_then(Option::as_ref)
            .ok_or(Error::UnknownPeriod)
    }

    /// Make an empty period; for each column, whether larger is better.
    ///
    /// # Errors
    /// [`Error::BadColumns`] unless there are 1 to 5 columns.
    pub fn add_period(&mut self, descending: &[bool]) -> Result<PeriodId, Error> {
        if descending.is_empty() || descending.len() > COLUMNS_MAX {
            return Err(Error::BadColumns);
        }
        let period = Some(Period {
            descending: descending.to_vec(),
            ..Period::default()
        });
        let free = self.periods.iter().position(Option::is_none);
        let slot = free.unwrap_or(self.periods.len());
        if free.is_some() {
            self.periods[slot] = period;
        } else {
            self.periods.push(period);
        }
        Ok(PeriodId(
            u32::try_from(slot).map_err(|_| Error::EntriesFull)?,
        ))
    }

    /// Forget a period and its entries.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn drop_period(&mut self, period: PeriodId) -> Result<(), Error> {
        self.period(period)?;
        self.periods[period.0 as usize] = None;
        Ok(())
    }

    /// Apply moves in order, and tell for each the rank asked for before and after it.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`], [`Error::BadTexts`].
    pub fn apply(
        &mut self,
        moves: &Moves<'_>,
        before: &mut [u64],
        after: &mut [u64],
    ) -> Result<(), Error> {
        let count = moves.periods.len();
        let lengths = [
            moves.players.len(),
            moves.reached_at.len(),
            moves.numbering.len(),
            before.len(),
            after.len(),
        ];
        if lengths.iter().any(|&length| length != count) {
            return Err(Error::BadColumns);
        }
        moves.players.check()?;
        let mut columns_count = 0;
        for (&period, &code) in moves.periods.iter().zip(moves.numbering) {
            columns_count += self.period(period)?.width();
            Numbering::from_code(code)?;
        }
        if columns_count != moves.columns.len() {
            return Err(Error::BadColumns);
        }
        let mut at = 0;
        for index in 0..count {
            let Some(period) = self.periods[moves.periods[index].0 as usize].as_mut() else {
                return Err(Error::UnknownPeriod);
            };
            let columns = &moves.columns[at..at + period.width()];
            at += period.width();
            let player = moves.players.get(index);
            let numbering = Numbering::from_code(moves.numbering[index])?;
            before[index] = numbering.map_or(0, |numbering| period.rank(player, numbering));
            period.put(player, columns, moves.reached_at[index]);
            after[index] = numbering.map_or(0, |numbering| period.rank(player, numbering));
        }
        Ok(())
    }

    /// Remove players from a period; tells how many were there.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadTexts`].
    pub fn remove(&mut self, period: PeriodId, players: &Texts<'_>) -> Result<u64, Error> {
        players.check()?;
        self.period(period)?;
        let Some(period) = self.periods[period.0 as usize].as_mut() else {
            return Err(Error::UnknownPeriod);
        };
        Ok((0..players.len())
            .map(|index| u64::from(period.remove(players.get(index))))
            .sum())
    }

    /// Make a period from rows in any order; of a player who comes twice the last row stands.
    ///
    /// # Errors
    /// [`Error::BadColumns`], [`Error::BadTexts`].
    pub fn build(
        &mut self,
        descending: &[bool],
        players: &Texts<'_>,
        columns: &[i64],
        reached_at: &[i64],
    ) -> Result<PeriodId, Error> {
        players.check()?;
        if reached_at.len() != players.len()
            || Some(columns.len()) != players.len().checked_mul(descending.len())
        {
            return Err(Error::BadColumns);
        }
        let id = self.add_period(descending)?;
        if let Some(period) = self.periods[id.0 as usize].as_mut() {
            for (index, columns) in columns.chunks(descending.len()).enumerate() {
                period.put(players.get(index), columns, reached_at[index]);
            }
        }
        Ok(id)
    }

    /// How many entries a period has.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn total(&self, period: PeriodId) -> Result<u64, Error> {
        Ok(self.period(period)?.order.len() as u64)
    }

    /// How many entries stand before each player; `u64::MAX` for those not there.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadTexts`], [`Error::BadColumns`] when `out` has another
    /// length.
    pub fn index_of_many(
        &self,
        period: PeriodId,
        players: &Texts<'_>,
        out: &mut [u64],
    ) -> Result<(), Error> {
        self.rank_many(period, players, Numbering::Ordinal, out)?;
        for rank in out {
            *rank = rank.wrapping_sub(1);
        }
        Ok(())
    }

    /// The rank of each player; 0 for those not there.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadTexts`], [`Error::BadColumns`] when `out` has another
    /// length.
    pub fn rank_many(
        &self,
        period: PeriodId,
        players: &Texts<'_>,
        numbering: Numbering,
        out: &mut [u64],
    ) -> Result<(), Error> {
        let period = self.period(period)?;
        players.check()?;
        if out.len() != players.len() {
            return Err(Error::BadColumns);
        }
        for (index, rank) in out.iter_mut().enumerate() {
            *rank = period.rank(players.get(index), numbering);
        }
        Ok(())
    }

    /// All that one look-up tells about a player; nothing when not there.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn place(&self, period: PeriodId, player: &[u8]) -> Result<Option<Place>, Error> {
        let period = self.period(period)?;
        let Some(key) = period.key(player) else {
            return Ok(None);
        };
        let columns = period.turn(&key.0);
        let above = period.lower(&columns, true);
        Ok(Some(Place {
            index: period.index(&key) as u64,
            above: above as u64,
            distinct_above: period.distinct(above),
            total: period.order.len() as u64,
            columns,
            reached_at: key.1,
        }))
    }

    /// Append the rows `start..stop` in order; what lies past the end is left out.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`]; [`Error::BadTexts`] when the texts no longer fit 32 bits.
    pub fn rows(
        &self,
        period: PeriodId,
        start: u64,
        stop: u64,
        out: &mut Rows,
    ) -> Result<(), Error> {
        let period = self.period(period)?;
        let stop = stop.min(period.order.len() as u64);
        for key in &period.order[usize::try_from(start.min(stop)).unwrap_or(usize::MAX)..]
            [..usize::try_from(stop.saturating_sub(start)).unwrap_or(usize::MAX)]
        {
            out.push_player(&key.2)?;
            out.columns.extend(period.turn(&key.0));
            out.reached_at.push(key.1);
        }
        Ok(())
    }

    /// For each player the window of `above` rows above and `below` below, as `(start, stop)`,
    /// cut at the edges; `(0, 0)` for those not there. `out` is emptied first.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadTexts`].
    pub fn around_many(
        &self,
        period: PeriodId,
        players: &Texts<'_>,
        above: u64,
        below: u64,
        out: &mut Vec<(u64, u64)>,
    ) -> Result<(), Error> {
        let total = self.total(period)?;
        let mut indices = vec![0; players.len()];
        self.index_of_many(period, players, &mut indices)?;
        out.clear();
        out.extend(indices.iter().map(|&index| match index {
            u64::MAX => (0, 0),
            _ => (
                index.saturating_sub(above),
                index.saturating_add(below).saturating_add(1).min(total),
            ),
        }));
        Ok(())
    }

    /// How many entries stand before such an entry, whether it is there or not.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`].
    pub fn index_at(
        &self,
        period: PeriodId,
        columns: &[i64],
        reached_at: i64,
        player: &[u8],
    ) -> Result<u64, Error> {
        let period = self.period(period)?;
        if columns.len() != period.width() {
            return Err(Error::BadColumns);
        }
        Ok(period.index(&(period.turn(columns), reached_at, player.to_vec())) as u64)
    }

    /// How many entries are strictly better; fewer columns than the period has are compared alone.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`].
    pub fn count_above(&self, period: PeriodId, columns: &[i64]) -> Result<u64, Error> {
        let period = self.period(period)?;
        if columns.is_empty() || columns.len() > period.width() {
            return Err(Error::BadColumns);
        }
        Ok(period.lower(columns, true) as u64)
    }

    /// How many entries are better or equal; fewer columns than the period has are compared alone.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`].
    pub fn count_to(&self, period: PeriodId, columns: &[i64]) -> Result<u64, Error> {
        let period = self.period(period)?;
        if columns.is_empty() || columns.len() > period.width() {
            return Err(Error::BadColumns);
        }
        Ok(period.lower(columns, false) as u64)
    }

    /// How many distinct scores are strictly better than these columns.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`].
    pub fn distinct_above(&self, period: PeriodId, columns: &[i64]) -> Result<u64, Error> {
        let period = self.period(period)?;
        if columns.len() != period.width() {
            return Err(Error::BadColumns);
        }
        Ok(period.distinct(period.lower(columns, true)))
    }

    /// Put the columns of the distinct score with this index, counted from 0 at the best, into
    /// `out`; tells whether there is one.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn distinct_at(
        &self,
        period: PeriodId,
        index: u64,
        out: &mut Vec<i64>,
    ) -> Result<bool, Error> {
        let period = self.period(period)?;
        out.clear();
        let mut scores: Vec<_> = period.order.iter().map(|key| &key.0).collect();
        scores.dedup();
        let found = usize::try_from(index)
            .ok()
            .and_then(|index| scores.get(index));
        out.extend(found.map(|score| period.turn(score)).unwrap_or_default());
        Ok(found.is_some())
    }
}
