//! Doing again, after a restart, what was decided of a run.

use std::collections::HashMap;

use crate::board::{Board, WINDOWS_MAX};
use crate::cache::Cache;
use crate::decided::Decided;
use crate::decider::Kept;
use crate::deciding::{Memory, MovesMaker, UNNUMBERED, hold, note_latest};
use crate::entry::{Columns, Fact, fold};
use crate::error::Error;
use crate::run::{Item, Run};

/// Does again what was decided of a run, where an entry does not reflect it yet.
///
/// An entry may already reflect an event, or later ones: its `seq` tells. What was decided then is
/// obeyed, since it may hang on entries that have moved on.
///
/// # Errors
/// [`Error::Overflow`]: see there.
pub(crate) fn redo(memory: Memory<'_>, kept: &[Kept]) -> Result<Decided, Error> {
    let Memory { boards, cache, run } = memory;
    let kept: HashMap<u64, &Kept> = kept.iter().map(|line| (line.seq, line)).collect();
    let mut latest = HashMap::new();
    for place in 0..run.items.len() {
        let item = &run.items[place];
        let board = boards.get(item.board as usize).and_then(Option::as_ref);
        let line = kept.get(&(run.first + place as u64));
        let (Some(board), Some(line), Some(points)) = (board, line, item.points) else {
            continue;
        };
        if line.spent {
            let touched = redo_event(cache, run, board, item, points, line)?;
            note_latest(&mut latest, board.id, item.event.at);
            for (period, row) in touched.into_iter().flatten() {
                run.periods[period].touched.push(row);
            }
        }
    }
    let mut moves = MovesMaker::default();
    for period in 0..run.periods.len() {
        for touched in 0..run.periods[period].touched.len() {
            let row = run.periods[period].touched[touched];
            if let Some((standing, _)) = cache.entry(row) {
                moves.add(cache, run, period, row, &standing, UNNUMBERED);
            }
        }
    }
    hold(cache, run);
    Ok(Decided {
        moves: moves.end(cache),
        latest: latest.into_iter().collect(),
        ..Decided::default()
    })
}

/// The rows that were touched first by this event, with their periods.
fn redo_event(
    cache: &mut Cache,
    run: &Run,
    board: &Board,
    item: &Item,
    points: Columns,
    line: &Kept,
) -> Result<[Option<(usize, u32)>; WINDOWS_MAX], Error> {
    let event_id = run.event_id(item);
    let fact = Fact {
        points,
        at: item.event.at,
        event_id,
    };
    let span = &run.spans[item.span as usize];
    let mut touched = [None; WINDOWS_MAX];
    for (window, slot) in span.slots[..span.windows].iter().enumerate() {
        let name = &board.rules.windows[window % board.rules.told];
        let row = run.rows[item.rows + window];
        let before = cache.entry(row);
        let reflected = before.is_some() && cache.seq(row) >= line.seq;
        if reflected || line.late.contains(name) {
            continue;
        }
        let before = before.as_ref().map(|(standing, shown)| (standing, *shown));
        let (after, takes_id) = fold(board.rules.mode, &board.rules.descending, before, &fact)
            .map_err(|_| Error::Overflow)?;
        if cache.set(row, &after, takes_id.then_some(event_id), line.seq) {
            touched[window] = Some((slot.period as usize, row));
        }
    }
    Ok(touched)
}
