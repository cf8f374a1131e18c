//! A run of consecutive events while it is planned and decided.

use std::collections::HashMap;

use crate::board::{Board, Known, WINDOWS_MAX};
use crate::cache::NONE;
use crate::entry::Columns;
use crate::error::Error;
use crate::event::{Event, read_event};

/// An event of a run, with what was found out about it.
pub(crate) struct Item {
    pub event: Event,
    pub received_at: i64,
    pub ranked: bool,
    /// Where its record stands among the bytes of the run.
    pub start: usize,
    /// Which of the boards of the run it is on; `NONE`: its board is not there.
    pub board: u32,
    /// Its points by the present columns; `None`: they cannot be said by these.
    pub points: Option<Columns>,
    pub hash: u64,
    /// Which of the kept lines that were told has its id; `NONE`: none.
    pub first: u32,
    /// Which of the spans of the run it lies in.
    pub span: u32,
    /// Where its rows stand among those of the run, one for each window.
    pub rows: usize,
}

/// A stretch that a run meets.
pub(crate) struct Span {
    pub number: u32,
    pub windows: usize,
    pub slots: [SpanSlot; WINDOWS_MAX],
}

/// A period of a span.
#[derive(Clone, Copy)]
pub(crate) struct SpanSlot {
    /// Which of the periods of the run it is.
    pub period: u32,
    pub closes_at: Option<i64>,
}

/// A period that a run meets.
pub(crate) struct RunPeriod {
    pub number: u32,
    pub width: usize,
    /// Where it stands among the periods of the moves.
    pub shown: u32,
    /// The rows that were changed in it, in order.
    pub touched: Vec<u32>,
}

/// What is kept of an event that came before.
pub struct First {
    /// Whether it used up its id.
    pub spent: bool,
    /// The UTF-8 of its player.
    pub player_id: Vec<u8>,
    /// Its points by the present columns of the board, if they can be said by these.
    pub points: Option<Columns>,
    /// When it happened.
    pub at: i64,
    /// Whether the sender said when.
    pub at_given: bool,
}

/// A run. Its parts are kept from run to run, so that few of them are made anew.
#[derive(Default)]
pub(crate) struct Run {
    /// Tells runs apart.
    pub number: u64,
    pub first: u64,
    pub bytes: Vec<u8>,
    arrivals: Vec<Arrival>,
    pub items: Vec<Item>,
    pub planned: usize,
    pub spans: Vec<Span>,
    pub periods: Vec<RunPeriod>,
    places: HashMap<u32, u32>,
    pub rows: Vec<u32>,
    pub firsts: Vec<First>,
}

struct Arrival {
    received_at: i64,
    ranked: bool,
    end: usize,
}

impl Run {
    /// Begins another run.
    pub fn start(&mut self, first: u64) {
        self.number += 1;
        self.first = first;
        self.bytes.clear();
        self.arrivals.clear();
        self.items.clear();
        self.planned = 0;
        self.spans.clear();
        self.periods.clear();
        self.places.clear();
        self.rows.clear();
        self.firsts.clear();
    }

    /// Adds a record to the run.
    pub fn push(&mut self, received_at: i64, body: &[u8], ranked: bool) {
        self.bytes.extend_from_slice(body);
        let end = self.bytes.len();
        self.arrivals.push(Arrival {
            received_at,
            ranked,
            end,
        });
    }

    /// How many records it has.
    pub fn length(&self) -> usize {
        self.arrivals.len()
    }

    /// Reads the records.
    pub fn read(&mut self) -> Result<(), Error> {
        let mut start = 0;
        for (place, arrival) in self.arrivals.iter().enumerate() {
            let body = &self.bytes[start..arrival.end];
            let event = read_event(body).ok_or(Error::Damaged(place))?;
            self.items.push(Item {
                points: Some(event.points),
                event,
                received_at: arrival.received_at,
                ranked: arrival.ranked,
                start,
                board: NONE,
                hash: 0,
                first: NONE,
                span: NONE,
                rows: 0,
            });
            start = arrival.end;
        }
        Ok(())
    }

    /// The span of a stretch of a board.
    pub fn span(&mut self, known: &mut Known, width: usize) -> u32 {
        if known.run == self.number {
            return known.span;
        }
        let mut span = Span {
            number: known.stretch.number,
            windows: known.stretch.slots.len(),
            slots: [SpanSlot {
                period: NONE,
                closes_at: None,
            }; WINDOWS_MAX],
        };
        for (slot, found) in span.slots.iter_mut().zip(&known.stretch.slots) {
            slot.period = self.period(found.period, width);
            slot.closes_at = found.closes_at;
        }
        known.run = self.number;
        known.span = index(self.spans.len());
        self.spans.push(span);
        known.span
    }

    fn period(&mut self, number: u32, width: usize) -> u32 {
        let periods = &mut self.periods;
        *self.places.entry(number).or_insert_with(|| {
            periods.push(RunPeriod {
                number,
                width,
                shown: NONE,
                touched: Vec::new(),
            });
            index(periods.len() - 1)
        })
    }

    pub fn event_id(&self, item: &Item) -> &[u8] {
        let (start, end) = item.event.event_id;
        &self.bytes[item.start + start..item.start + end]
    }

    pub fn player_id(&self, item: &Item) -> &[u8] {
        let (start, end) = item.event.player_id;
        &self.bytes[item.start + start..item.start + end]
    }
}

impl Item {
    /// Whether the points were read by other columns than the present ones.
    pub fn is_foreign(&self, board: &Board) -> bool {
        self.event.revision != board.rules.revision
    }
}

/// A place in the run. Runs are far shorter than 2^32: their bytes are held twice.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn index(place: usize) -> u32 {
    place as u32
}
