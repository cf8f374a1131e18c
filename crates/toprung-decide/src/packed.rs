//! Packed entries: many of one board, as the store and the decider hand them to each other.
//!
//! `MessagePack`: a map from player to a map from the period's number to the entry, in the order of
//! the players' bytes and then of the numbers (`toprung.ports.packed`).

use crate::entry::{COLUMNS_MAX, Columns, Standing};
use crate::msgpack::{Reader, Write};

/// How many values an entry has.
const FIELDS: usize = 6;

/// A packed entry, and where it stands among others.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub player: &'a [u8],
    pub period: i64,
    pub entry: &'a [u8],
}

/// An entry as it was read.
pub(crate) struct Entry<'a> {
    pub standing: Standing,
    pub event_id: &'a [u8],
    pub seq: u64,
}

impl Item<'_> {
    /// What orders entries of a board.
    pub fn place(&self) -> (&[u8], i64) {
        (self.player, self.period)
    }
}

/// Appends an entry as `toprung.domain.entries.Entry` is encoded.
pub(crate) fn write_entry(out: &mut Vec<u8>, standing: &Standing, event_id: &[u8], seq: u64) {
    out.array(FIELDS);
    out.ints(standing.columns.values());
    out.int(standing.reached_at);
    out.natural(standing.events);
    out.bool(standing.moved);
    out.text(event_id);
    out.natural(seq);
}

/// Reads an entry; `None`: it is none.
pub(crate) fn read_entry(bytes: &[u8]) -> Option<Entry<'_>> {
    let mut reader = Reader::new(bytes);
    let entry = next_entry(&mut reader)?;
    reader.is_at_end().then_some(entry)
}

/// What an entry reflects.
pub(crate) fn seq_of(bytes: &[u8]) -> Option<u64> {
    read_entry(bytes).map(|entry| entry.seq)
}

fn next_entry<'a>(reader: &mut Reader<'a>) -> Option<Entry<'a>> {
    if reader.array()? != FIELDS {
        return None;
    }
    let width = reader.array()?;
    if !(1..=COLUMNS_MAX).contains(&width) {
        return None;
    }
    let mut values = [0; COLUMNS_MAX];
    for value in &mut values[..width] {
        *value = reader.int()?;
    }
    let columns = Columns::new(&values[..width])?;
    let reached_at = reader.int()?;
    let events = u64::try_from(reader.int()?).ok()?;
    let moved = reader.bool()?;
    let (start, end) = reader.text()?;
    let event_id = reader.between(start, end);
    let seq = u64::try_from(reader.int()?).ok()?;
    let standing = Standing {
        columns,
        reached_at,
        events,
        moved,
    };
    Some(Entry {
        standing,
        event_id,
        seq,
    })
}

/// Reads packed entries; `None`: they are none, or not in order.
pub(crate) fn unpack(packed: &[u8]) -> Option<Vec<Item<'_>>> {
    let mut reader = Reader::new(packed);
    let mut items = Vec::with_capacity(packed.len() / 24);
    next_items(&mut reader, &mut items)?;
    reader.is_at_end().then_some(items)
}

/// Reads packed entries that something may follow.
pub(crate) fn next_items<'a>(reader: &mut Reader<'a>, items: &mut Vec<Item<'a>>) -> Option<()> {
    for _ in 0..reader.map()? {
        let (start, end) = reader.text()?;
        let player = reader.between(start, end);
        let count = reader.map()?;
        if items.last().is_some_and(|last| last.player >= player) || count == 0 {
            return None;
        }
        let first = items.len();
        for _ in 0..count {
            let period = reader.int()?;
            if items.len() > first && items[items.len() - 1].period >= period {
                return None;
            }
            let start = reader.place();
            reader.skip()?;
            let entry = reader.between(start, reader.place());
            items.push(Item {
                player,
                period,
                entry,
            });
        }
    }
    Some(())
}

/// Appends packed entries, which are in order.
pub(crate) fn pack(out: &mut Vec<u8>, items: &[Item<'_>]) {
    let players = || items.chunk_by(|left, right| left.player == right.player);
    out.map(players().count());
    for of_player in players() {
        out.text(of_player[0].player);
        out.map(of_player.len());
        for item in of_player {
            out.int(item.period);
            out.extend_from_slice(item.entry);
        }
    }
}
