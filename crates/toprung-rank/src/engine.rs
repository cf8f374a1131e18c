//! The engine: all periods of a project over one dictionary of members.

use crate::batch::{COLUMNS_MAX, Moves, Numbering, PeriodId, Place, Rows, Texts};
use crate::error::Error;
use crate::members::{GROUP, Members, NOBODY};
use crate::memory::Memory;
use crate::period::{self, Move, PERIODS_MAX, Period, Reach, Source};
use crate::view::ReadView;

/// All periods of a project over one dictionary of members.
///
/// Reading takes `&Engine`, so that many threads may read together; whoever writes has it alone.
pub struct Engine {
    pub(crate) members: Members,
    pub(crate) periods: Vec<Option<Box<dyn Period>>>,
    free: Vec<u32>,
    views_opened: u64,
    pub(crate) leaves_max: u32,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine without periods and members.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(u32::MAX, u32::MAX)
    }

    /// An engine that is full earlier, so that a test may see it.
    pub(crate) fn with_limits(members_max: u32, leaves_max: u32) -> Self {
        Self {
            members: Members::new(members_max),
            periods: Vec::new(),
            free: Vec::new(),
            views_opened: 0,
            leaves_max,
        }
    }

    pub(crate) fn period(&self, period: PeriodId) -> Result<&dyn Period, Error> {
        let slot = self.periods.get(period.0 as usize);
        slot.and_then(Option::as_deref).ok_or(Error::UnknownPeriod)
    }

    fn period_mut(&mut self, period: PeriodId) -> Result<&mut Box<dyn Period>, Error> {
        let slot = self.periods.get_mut(period.0 as usize);
        slot.and_then(Option::as_mut).ok_or(Error::UnknownPeriod)
    }

    /// Put a period into a free slot.
    fn keep(&mut self, period: Box<dyn Period>) -> Result<PeriodId, Error> {
        if let Some(slot) = self.free.pop() {
            self.periods[slot as usize] = Some(period);
            return Ok(PeriodId(slot));
        }
        let slot = u32::try_from(self.periods.len()).map_err(|_| Error::EntriesFull)?;
        if slot >= PERIODS_MAX {
            return Err(Error::EntriesFull);
        }
        self.periods.push(Some(period));
        Ok(PeriodId(slot))
    }

    /// Become an engine of these members and periods, each under the handle that is its place.
    pub(crate) fn restore(&mut self, members: Members, periods: Vec<Option<Box<dyn Period>>>) {
        let slots = (0..).zip(&periods);
        self.free = slots
            .filter(|(_, period)| period.is_none())
            .map(|(slot, _)| slot)
            .collect();
        (self.members, self.periods) = (members, periods);
    }

    /// The handles of all periods, in ascending order.
    #[must_use]
    pub fn periods(&self) -> Vec<PeriodId> {
        let slots = (0..).zip(&self.periods);
        slots
            .filter(|(_, period)| period.is_some())
            .map(|(slot, _)| PeriodId(slot))
            .collect()
    }

    /// For each column of a period whether larger is better.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn descending(&self, period: PeriodId) -> Result<Vec<bool>, Error> {
        Ok(self.period(period)?.descending())
    }

    /// Make an empty period; for each column, whether larger is better.
    ///
    /// # Errors
    /// [`Error::BadColumns`] unless there are 1 to 5 columns.
    pub fn add_period(&mut self, descending: &[bool]) -> Result<PeriodId, Error> {
        let period = period::empty(descending, self.leaves_max)?;
        self.keep(period)
    }

    /// Forget a period, its entries and its views.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn drop_period(&mut self, period: PeriodId) -> Result<(), Error> {
        self.period(period)?;
        self.periods[period.0 as usize] = None;
        self.free.push(period.0);
        Ok(())
    }

    /// Apply moves in order, and tell for each the rank asked for before and after it: 0 where none
    /// is asked for, or the player was not there.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`] also when arrays differ in length or a
    /// numbering has no such code, [`Error::BadTexts`], [`Error::MembersFull`],
    /// [`Error::EntriesFull`]: nothing was applied. [`Error::OutOfMemory`]: see there.
    pub fn apply(
        &mut self,
        moves: &Moves<'_>,
        before: &mut [u64],
        after: &mut [u64],
    ) -> Result<(), Error> {
        self.check_moves(moves, before.len(), after.len())?;
        let mut numbers = Vec::new();
        self.members.intern_all(&moves.players, &mut numbers)?;
        let mut columns = moves.columns;
        for start in (0..numbers.len()).step_by(GROUP) {
            let stop = numbers.len().min(start + GROUP);
            let mut steps = [(PeriodId(0), Move::none()); GROUP];
            for (slot, at) in steps.iter_mut().zip(start..stop) {
                let id = moves.periods[at];
                let (here, rest) = columns.split_at(self.period(id)?.columns());
                columns = rest;
                slot.0 = id;
                slot.1 = Move {
                    member: numbers[at],
                    columns: here,
                    reached_at: moves.reached_at[at],
                    numbering: Numbering::from_code(moves.numbering[at])?,
                };
            }
            let ranks = before[start..stop].iter_mut().zip(&mut after[start..stop]);
            self.apply_group(&steps[..stop - start], ranks)?;
        }
        Ok(())
    }

    /// Refuse moves that do not fit together, or for which there may be no room.
    fn check_moves(&self, moves: &Moves<'_>, before: usize, after: usize) -> Result<(), Error> {
        let count = moves.periods.len();
        let lengths = [
            moves.players.len(),
            moves.reached_at.len(),
            moves.numbering.len(),
            before,
            after,
        ];
        if lengths.iter().any(|&length| length != count) {
            return Err(Error::BadColumns);
        }
        moves.players.check()?;
        let mut columns = 0;
        for (&id, &code) in moves.periods.iter().zip(moves.numbering) {
            let period = self.period(id)?;
            columns += period.columns();
            Numbering::from_code(code)?;
            if !period.has_room(count) {
                return Err(Error::EntriesFull);
            }
        }
        if columns == moves.columns.len() {
            Ok(())
        } else {
            Err(Error::BadColumns)
        }
    }

    /// Apply a group of moves, each step of the preparation for all of them so that their cache
    /// misses overlap.
    fn apply_group<'a>(
        &mut self,
        steps: &[(PeriodId, Move<'_>)],
        ranks: impl Iterator<Item = (&'a mut u64, &'a mut u64)>,
    ) -> Result<(), Error> {
        for (id, step) in steps {
            self.period(*id)?.prefetch_back(step.member);
        }
        for (id, step) in steps {
            self.period(*id)?.prefetch_entry(step.member);
        }
        let mut aims = [NOBODY; GROUP];
        for (aim, (id, step)) in aims.iter_mut().zip(steps) {
            *aim = self.period(*id)?.aim(step, &self.members);
        }
        for (((id, step), &aim), (before, after)) in steps.iter().zip(&aims).zip(ranks) {
            let slot = self.periods.get_mut(id.0 as usize);
            let period = slot.and_then(Option::as_mut).ok_or(Error::UnknownPeriod)?;
            (*before, *after) = period.put(step, aim, &self.members)?;
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
        let mut removed = 0;
        for start in (0..players.len()).step_by(GROUP) {
            let found = self.members.find_group(players, start);
            let slot = self.periods[period.0 as usize].as_mut();
            let entries = slot.ok_or(Error::UnknownPeriod)?;
            for &member in found.iter().filter(|&&member| member != NOBODY) {
                removed += u64::from(entries.remove(member, &self.members));
            }
        }
        Ok(removed)
    }

    /// Make a period from rows in any order; of a player who comes twice the last row stands. Rows
    /// that are in order take less time.
    ///
    /// # Errors
    /// [`Error::BadColumns`] also when arrays differ in length, [`Error::BadTexts`],
    /// [`Error::MembersFull`], [`Error::EntriesFull`], [`Error::OutOfMemory`]: no period was made.
    pub fn build(
        &mut self,
        descending: &[bool],
        players: &Texts<'_>,
        columns: &[i64],
        reached_at: &[i64],
    ) -> Result<PeriodId, Error> {
        if descending.is_empty() || descending.len() > COLUMNS_MAX {
            return Err(Error::BadColumns);
        }
        players.check()?;
        if reached_at.len() != players.len()
            || Some(columns.len()) != players.len().checked_mul(descending.len())
        {
            return Err(Error::BadColumns);
        }
        let mut numbers = Vec::new();
        self.members.intern_all(players, &mut numbers)?;
        let source = Source {
            descending,
            members: &numbers,
            columns,
            reached_at,
        };
        let built = period::from_rows(&source, &self.members, self.leaves_max)?;
        self.keep(built)
    }

    /// How many entries a period has.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn total(&self, period: PeriodId) -> Result<u64, Error> {
        Ok(self.period(period)?.total())
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
        period.rank_many(players, numbering, &self.members, out);
        Ok(())
    }

    /// All that one look-up tells about a player; nothing when not there.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`].
    pub fn place(&self, period: PeriodId, player: &[u8]) -> Result<Option<Place>, Error> {
        let period = self.period(period)?;
        match self.members.find(player) {
            NOBODY => Ok(None),
            member => Ok(period.place(member)),
        }
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
        self.period(period)?.rows(start, stop, &self.members, out)
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
        let period = self.with_columns(period, columns)?;
        Ok(period.index_at(columns, reached_at, player, &self.members))
    }

    /// A period that has exactly so many columns.
    fn with_columns(&self, period: PeriodId, columns: &[i64]) -> Result<&dyn Period, Error> {
        let period = self.period(period)?;
        if columns.len() == period.columns() {
            Ok(period)
        } else {
            Err(Error::BadColumns)
        }
    }

    /// A period that has so many columns or more.
    fn with_prefix(&self, period: PeriodId, columns: &[i64]) -> Result<&dyn Period, Error> {
        let period = self.period(period)?;
        let is_prefix = (1..=period.columns()).contains(&columns.len());
        if is_prefix {
            Ok(period)
        } else {
            Err(Error::BadColumns)
        }
    }

    /// How many entries are strictly better; fewer columns than the period has are compared alone.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`].
    pub fn count_above(&self, period: PeriodId, columns: &[i64]) -> Result<u64, Error> {
        let period = self.with_prefix(period, columns)?;
        Ok(period.counts(columns, Reach::Above).entries)
    }

    /// How many entries are better or equal; fewer columns than the period has are compared alone.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`].
    pub fn count_to(&self, period: PeriodId, columns: &[i64]) -> Result<u64, Error> {
        let period = self.with_prefix(period, columns)?;
        Ok(period.counts(columns, Reach::To).entries)
    }

    /// How many distinct scores are strictly better than these columns.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::BadColumns`].
    pub fn distinct_above(&self, period: PeriodId, columns: &[i64]) -> Result<u64, Error> {
        let period = self.with_columns(period, columns)?;
        Ok(period.counts(columns, Reach::Above).scores)
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
        out.clear();
        Ok(self.period(period)?.score_at(index, out))
    }

    /// Hold this moment of a period, to be read while writes go on.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`], [`Error::OutOfMemory`].
    pub fn read_view(&mut self, period: PeriodId) -> Result<ReadView, Error> {
        let number = self.views_opened;
        let viewed = self.period_mut(period)?;
        viewed.open_view(number)?;
        let total = viewed.total();
        self.views_opened += 1;
        Ok(ReadView {
            period,
            number,
            total,
        })
    }

    /// Let go of a view; one whose period was dropped is gone already.
    // Taken by value so that nobody reads it afterwards.
    #[allow(clippy::needless_pass_by_value)]
    pub fn close_view(&mut self, view: ReadView) {
        let ReadView { period, number, .. } = view;
        if let Ok(viewed) = self.period_mut(period) {
            viewed.close_view(number);
        }
    }

    /// Append the rows `start..stop` of a view, as [`rows`](Self::rows) does.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`] when the period was dropped since; [`Error::BadTexts`] when the
    /// texts no longer fit 32 bits.
    pub fn view_rows(
        &self,
        view: &ReadView,
        start: u64,
        stop: u64,
        out: &mut Rows,
    ) -> Result<(), Error> {
        let period = self.period(view.period)?;
        period.view_rows(view.number, start, stop, &self.members, out)
    }

    /// How many entries of a view are strictly better; fewer columns are compared alone.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`] when the period was dropped since, [`Error::BadColumns`].
    pub fn view_count_above(&self, view: &ReadView, columns: &[i64]) -> Result<u64, Error> {
        let period = self.with_prefix(view.period, columns)?;
        period.view_count(view.number, columns, Reach::Above)
    }

    /// How many entries of a view are better or equal; fewer columns are compared alone.
    ///
    /// # Errors
    /// [`Error::UnknownPeriod`] when the period was dropped since, [`Error::BadColumns`].
    pub fn view_count_to(&self, view: &ReadView, columns: &[i64]) -> Result<u64, Error> {
        let period = self.with_prefix(view.period, columns)?;
        period.view_count(view.number, columns, Reach::To)
    }

    /// Check everything that must hold: order, counts, distinct counts, fill, back pointers and
    /// dictionary. Slow; for tests, and for doubt.
    ///
    /// # Errors
    /// What does not hold.
    pub fn validate(&self) -> Result<(), String> {
        self.members.validate()?;
        for (slot, period) in self.periods.iter().enumerate() {
            if let Some(period) = period {
                let checked = period.validate(&self.members);
                checked.map_err(|what| format!("period {slot}: {what}"))?;
            }
        }
        Ok(())
    }

    /// How much memory the engine takes, by part.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let (texts, text_ends, dictionary) = self.members.bytes();
        let mut memory = Memory {
            texts,
            text_ends,
            dictionary,
            period_heads: (self.periods.capacity() * size_of::<Option<Box<dyn Period>>>()) as u64,
            members: u64::from(self.members.len()),
            ..Memory::default()
        };
        for period in self.periods.iter().flatten() {
            period.add_memory(&mut memory);
            memory.periods += 1;
        }
        memory.set_fill();
        memory
    }
}
