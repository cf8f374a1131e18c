//! Packed entries: many of one board, as the store and the decider hand them to each other.
//!
//! `MessagePack`: a map from player to bytes, in the order of the players' bytes. These are a map from
//! the period's number to the entry, in the order of the numbers (`toprung.ports.packed`). Who does
//! not care for a player passes over the bytes.

use std::borrow::Cow;

use crate::entry::{COLUMNS_MAX, Columns, Standing};
use crate::msgpack::{Reader, Write};

/// How many values an entry has.
const FIELDS: usize = 6;

/// A player's packed entries.
#[derive(Clone)]
pub(crate) struct Group<'a> {
    pub player: &'a [u8],
    pub body: Cow<'a, [u8]>,
}

/// A packed entry, with the number of its period and what it reflects.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub period: i64,
    pub seq: u64,
    pub entry: &'a [u8],
}

/// An entry as it was read.
pub(crate) struct Entry<'a> {
    pub standing: Standing,
    pub event_id: &'a [u8],
    pub seq: u64,
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

/// Passes over an entry; what it reflects.
fn next_seq(reader: &mut Reader<'_>) -> Option<u64> {
    if reader.array()? != FIELDS {
        return None;
    }
    for _ in 0..reader.array()? {
        reader.int()?;
    }
    reader.int()?;
    reader.int()?;
    reader.bool()?;
    reader.unchecked_text()?;
    u64::try_from(reader.int()?).ok()
}

/// Reads packed entries player by player; `None`: they are none, or not in order.
pub(crate) fn unpack(packed: &[u8]) -> Option<Vec<Group<'_>>> {
    let mut reader = Reader::new(packed);
    let mut groups = Vec::with_capacity(packed.len() / 96);
    next_groups(&mut reader, &mut groups)?;
    reader.is_at_end().then_some(groups)
}

/// Reads packed entries that something may follow.
pub(crate) fn next_groups<'a>(reader: &mut Reader<'a>, groups: &mut Vec<Group<'a>>) -> Option<()> {
    for _ in 0..reader.map()? {
        let player = reader.unchecked_text()?;
        if groups.last().is_some_and(|last| last.player >= player) {
            return None;
        }
        let body = Cow::Borrowed(reader.bytes()?);
        groups.push(Group { player, body });
    }
    Some(())
}

/// Appends packed entries, which are in order.
pub(crate) fn pack(out: &mut Vec<u8>, groups: &[Group<'_>]) {
    out.map(groups.len());
    for group in groups {
        out.text(group.player);
        out.bytes(&group.body);
    }
}

/// Reads the entries of a player; `None`: they are none, or not in order.
pub(crate) fn read_items(body: &[u8]) -> Option<Vec<Item<'_>>> {
    let mut reader = Reader::new(body);
    let count = reader.map()?;
    let mut items: Vec<Item<'_>> = Vec::with_capacity(count.min(body.len()));
    for _ in 0..count {
        let period = reader.int()?;
        if items.last().is_some_and(|last| last.period >= period) {
            return None;
        }
        let start = reader.place();
        let seq = next_seq(&mut reader)?;
        let entry = reader.between(start, reader.place());
        items.push(Item { period, seq, entry });
    }
    (reader.is_at_end() && count > 0).then_some(items)
}

/// A player's entries, which are in order, as bytes.
pub(crate) fn write_items(items: &[Item<'_>]) -> Vec<u8> {
    let bytes: usize = items.iter().map(|item| item.entry.len() + 9).sum();
    let mut body = Vec::with_capacity(bytes + 5);
    body.map(items.len());
    for item in items {
        body.int(item.period);
        body.extend_from_slice(item.entry);
    }
    body
}

/// Some entries of a player.
pub(crate) fn piece<'a>(player: &'a [u8], items: &[Item<'_>]) -> Group<'a> {
    let body = Cow::Owned(write_items(items));
    Group { player, body }
}
