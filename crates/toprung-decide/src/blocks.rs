//! Entries of a board in blocks, as a store keeps them (`toprung.store.sqlite.blocks`).
//!
//! A block holds all entries of its board from its first key on, up to its end: the first key of the
//! next block. The first one of a board begins with the empty key and the last one has no end, so
//! that every key lies in one block. Blocks come as bytes: each its head, its content and its first
//! key, one block after the other.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt;
use std::iter::Peekable;

use crate::crc::crc32;
use crate::dividing::{Part, divide};
use crate::keys::{PERIOD_BYTES, bound_of, key_of, read_key};
use crate::msgpack::{Reader, Write};
use crate::packed::{Group, Item, next_groups, pack, piece, read_entry, read_items, unpack};

/// How a content is written.
const VERSION: i64 = 1;
/// The checksum, how long the content is and how long the first key is.
const HEAD_BYTES: usize = 10;

/// A block, or what is to be merged into some, is not as it was written.
#[derive(Debug, PartialEq, Eq)]
pub struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a block of entries is not as it was written")
    }
}

impl std::error::Error for Damaged {}

/// Entries that were looked for.
#[derive(Debug, Default)]
pub struct Found {
    /// Those that there are, packed.
    pub packed: Vec<u8>,
    /// How many they are.
    pub count: usize,
    /// Of each player the first key that lies in none of the blocks.
    pub missing: Vec<Vec<u8>>,
}

/// Blocks after a merge.
#[derive(Debug, Default)]
pub struct Merged {
    /// The blocks that changed or came: the first key, and head and content.
    pub changed: Vec<(Vec<u8>, Vec<u8>)>,
    /// Of each player the first key that lies in none of the blocks. If there are any, nothing was
    /// merged.
    pub missing: Vec<Vec<u8>>,
}

/// Where players stand, column by column; see `toprung.ports.moves.Moves`.
#[derive(Debug, Default)]
pub struct Places {
    /// The UTF-8 of the players.
    pub players: Vec<u8>,
    /// Where each of their texts ends.
    pub ends: Vec<u32>,
    /// For each entry which of the periods it is in.
    pub period: Vec<u32>,
    /// For each entry which of the players it is of.
    pub player: Vec<u32>,
    /// The columns of all entries.
    pub columns: Vec<i64>,
    /// When they were reached.
    pub reached_at: Vec<i64>,
    /// Where the last block ends; `None`: nowhere.
    pub end: Option<Vec<u8>>,
}

/// A player and periods.
type Wanted<'a> = (Cow<'a, [u8]>, Vec<i64>);

struct Block<'a> {
    first: &'a [u8],
    end: Option<&'a [u8]>,
    groups: Vec<Group<'a>>,
}

impl Block<'_> {
    /// Whether a key lies before the end.
    fn reaches(&self, key: &[u8]) -> bool {
        self.end.is_none_or(|end| key < end)
    }

    /// Whether all keys of the player lie in it whose entries begin at `bound`.
    fn holds_all(&self, bound: &[u8]) -> bool {
        self.first <= bound
            && self.reaches(bound)
            && self.end.is_none_or(|end| !end.starts_with(bound))
    }
}

// Reading.

/// The next block of some, and what follows it.
fn next_block(board_id: i64, bytes: &[u8]) -> Option<(Block<'_>, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<HEAD_BYTES>()?;
    let (sum, lengths) = head.split_first_chunk::<4>()?;
    let (size, first) = lengths.split_first_chunk::<4>()?;
    let size = usize::try_from(u32::from_le_bytes(*size)).ok()?;
    let width = usize::from(u16::from_le_bytes([first[0], first[1]]));
    let (content, rest) = rest.split_at_checked(size)?;
    let (first, rest) = rest.split_at_checked(width)?;
    if u32::from_le_bytes(*sum) != checksum(board_id, first, content) {
        return None;
    }
    let mut reader = Reader::new(content);
    if reader.array()? != 3 || reader.int()? != VERSION {
        return None;
    }
    let end = if reader.nil() {
        None
    } else {
        Some(reader.bytes()?)
    };
    let mut groups = Vec::with_capacity(size / 48);
    next_groups(&mut reader, &mut groups)?;
    let whole = reader.is_at_end();
    let block = Block { first, end, groups };
    whole.then_some((block, rest))
}

fn checksum(board_id: i64, first: &[u8], content: &[u8]) -> u32 {
    crc32(content, crc32(first, crc32(&board_id.to_le_bytes(), 0)))
}

/// All blocks of some, in order, each once.
fn read_blocks(board_id: i64, bytes: &[u8]) -> Result<Vec<Block<'_>>, Damaged> {
    let mut blocks = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (block, following) = next_block(board_id, rest).ok_or(Damaged)?;
        blocks.push(block);
        // Keys that stand beside each other lead to the same block again and again.
        let same = &rest[..rest.len() - following.len()];
        rest = following;
        while let Some(following) = rest.strip_prefix(same) {
            rest = following;
        }
    }
    blocks.sort_unstable_by_key(|block| block.first);
    blocks.dedup_by_key(|block| block.first);
    Ok(blocks)
}

// Looking up.

/// The entries of some keys, which are in order, as far as the blocks have them.
///
/// # Errors
/// [`Damaged`]: one of the blocks, or a key is none.
pub fn find<'a>(
    board_id: i64,
    blocks: &[u8],
    keys: impl Iterator<Item = &'a [u8]>,
) -> Result<Found, Damaged> {
    let mut found = Found::default();
    let mut keys = keys.peekable();
    let blocks = read_blocks(board_id, blocks)?;
    let mut lines: Vec<(&[u8], Vec<Item<'_>>)> = Vec::new();
    for block in &blocks {
        while let Some(key) = keys.next_if(|key| *key < block.first) {
            miss(&mut found.missing, key);
        }
        let mut at = block.groups.iter().peekable();
        while let Some((player, periods)) = next_wanted(&mut keys, block)? {
            while at.next_if(|group| *group.player < *player).is_some() {}
            let Some(group) = at.next_if(|group| *group.player == *player) else {
                continue;
            };
            let items = read_items(&group.body).ok_or(Damaged)?.into_iter();
            let there = items.filter(|item| periods.binary_search(&item.period).is_ok());
            match lines.last_mut() {
                Some(last) if last.0 == group.player => last.1.extend(there),
                _ => lines.push((group.player, there.collect())),
            }
        }
    }
    for key in keys {
        miss(&mut found.missing, key);
    }
    lines.retain(|line| !line.1.is_empty());
    found.count = lines.iter().map(|line| line.1.len()).sum();
    let groups = lines.iter().map(|(player, items)| piece(player, items));
    pack(&mut found.packed, &groups.collect::<Vec<_>>());
    Ok(found)
}

/// The player of the next key, if it lies in a block, and the periods of all keys in it that are the
/// player's too.
fn next_wanted<'a>(
    keys: &mut Peekable<impl Iterator<Item = &'a [u8]>>,
    block: &Block<'_>,
) -> Result<Option<Wanted<'a>>, Damaged> {
    let Some(first) = keys.next_if(|key| block.reaches(key)) else {
        return Ok(None);
    };
    let (player, period) = read_key(first).ok_or(Damaged)?;
    let bound = &first[..first.len() - PERIOD_BYTES];
    let is_beside = |key: &[u8]| key.len() == first.len() && key.starts_with(bound);
    let mut periods = vec![period];
    while let Some(key) = keys.next_if(|key| is_beside(key) && block.reaches(key)) {
        periods.push(read_key(key).ok_or(Damaged)?.1);
    }
    Ok(Some((player, periods)))
}

/// Where players stand by the entries of consecutive blocks that reflect an event after `after`.
///
/// The blocks come in order, and the first one begins with `first`. Entries have `width` columns.
/// `periods` are the numbers of the periods that count, in order.
///
/// # Errors
/// [`Damaged`]: one of the blocks, or there is one missing.
pub fn places(
    board_id: i64,
    blocks: &[u8],
    first: &[u8],
    after: u64,
    width: usize,
    periods: &[i64],
) -> Result<Places, Damaged> {
    let mut found = Places::default();
    let mut rest = blocks;
    let mut end = Some(first);
    while !rest.is_empty() {
        let (block, following) = next_block(board_id, rest).ok_or(Damaged)?;
        if Some(block.first) != end {
            return Err(Damaged);
        }
        for group in &block.groups {
            found.add(group, after, width, periods).ok_or(Damaged)?;
        }
        (end, rest) = (block.end, following);
    }
    found.end = end.map(<[u8]>::to_vec);
    Ok(found)
}

impl Places {
    /// Adds the entries of a player that count.
    fn add(&mut self, group: &Group<'_>, after: u64, width: usize, periods: &[i64]) -> Option<()> {
        let before = self.period.len();
        let number = u32::try_from(self.ends.len()).ok()?;
        for item in read_items(&group.body)? {
            let Ok(period) = periods.binary_search(&item.period) else {
                continue;
            };
            let entry = read_entry(item.entry)?;
            let columns = entry.standing.columns.values();
            if columns.len() != width {
                return None;
            }
            if entry.seq > after {
                self.period.push(u32::try_from(period).ok()?);
                self.player.push(number);
                self.columns.extend_from_slice(columns);
                self.reached_at.push(entry.standing.reached_at);
            }
        }
        if self.period.len() > before {
            self.players.extend_from_slice(group.player);
            self.ends.push(u32::try_from(self.players.len()).ok()?);
        }
        Some(())
    }
}

// Merging.

/// A block that has all keys and no entry: the first one of a board.
#[must_use]
pub fn first_block(board_id: i64) -> Vec<u8> {
    write_block(board_id, &[], None, &[])
}

/// Merges packed entries into the blocks that they lie in.
///
/// An entry is not replaced by one of a smaller `seq`. Those of the periods `gone`, in order, are
/// left out of the blocks. A block that takes more than `limit` bytes becomes several.
///
/// # Errors
/// [`Damaged`]: one of the blocks, or the packed entries.
pub fn merge(
    board_id: i64,
    blocks: &[u8],
    packed: &[u8],
    gone: &[i64],
    limit: usize,
) -> Result<Merged, Damaged> {
    let mut merged = Merged::default();
    let mut coming = VecDeque::from(unpack(packed).ok_or(Damaged)?);
    let mut blocks: Vec<(Block<'_>, Vec<Group<'_>>)> = read_blocks(board_id, blocks)?
        .into_iter()
        .map(|block| (block, Vec::new()))
        .collect();
    for (block, new) in &mut blocks {
        *new = take_coming(&mut coming, block, &mut merged.missing)?;
    }
    for group in coming {
        let items = read_items(&group.body).ok_or(Damaged)?;
        miss(&mut merged.missing, &key_of(group.player, items[0].period));
    }
    if !merged.missing.is_empty() {
        return Ok(merged);
    }
    for (mut block, new) in blocks {
        let sheds = !gone.is_empty() && has_any(&block, gone)?;
        if new.is_empty() && !sheds {
            continue;
        }
        let mut groups = merge_groups(std::mem::take(&mut block.groups), new)?;
        if !gone.is_empty() {
            groups = without(groups, gone)?;
        }
        write_blocks(board_id, &block, groups, limit, &mut merged.changed)?;
    }
    Ok(merged)
}

/// Takes what lies in a block of what comes next; what lies before it is missing.
fn take_coming<'a>(
    coming: &mut VecDeque<Group<'a>>,
    block: &Block<'_>,
    missing: &mut Vec<Vec<u8>>,
) -> Result<Vec<Group<'a>>, Damaged> {
    let mut taken = Vec::new();
    while let Some(group) = coming.pop_front() {
        let bound = bound_of(group.player);
        if block.holds_all(&bound) {
            taken.push(group);
            continue;
        }
        // Some of the entries may lie before the block, some in it and some after it.
        let items = read_items(&group.body).ok_or(Damaged)?;
        let key = |item: &Item<'_>| key_of(group.player, item.period);
        let before = items.partition_point(|item| key(item).as_slice() < block.first);
        let inside = items.partition_point(|item| block.reaches(&key(item)));
        if before > 0 {
            miss(missing, &key(&items[0]));
        }
        if before < inside {
            taken.push(piece(group.player, &items[before..inside]));
        }
        if before.max(inside) < items.len() {
            coming.push_front(piece(group.player, &items[before.max(inside)..]));
            break;
        }
    }
    Ok(taken)
}

/// Adds a key that is missing, unless there is one of the same player.
fn miss(missing: &mut Vec<Vec<u8>>, key: &[u8]) {
    let bound = &key[..key.len().saturating_sub(PERIOD_BYTES)];
    let is_beside = |last: &Vec<u8>| last.len() == key.len() && last.starts_with(bound);
    if !missing.last().is_some_and(is_beside) {
        missing.push(key.to_vec());
    }
}

/// Whether a block has an entry of one of the periods.
fn has_any(block: &Block<'_>, periods: &[i64]) -> Result<bool, Damaged> {
    for group in &block.groups {
        let items = read_items(&group.body).ok_or(Damaged)?;
        if items
            .iter()
            .any(|item| periods.binary_search(&item.period).is_ok())
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The groups without the entries of some periods.
fn without<'a>(groups: Vec<Group<'a>>, periods: &[i64]) -> Result<Vec<Group<'a>>, Damaged> {
    let mut left = Vec::with_capacity(groups.len());
    for group in groups {
        let mut items = read_items(&group.body).ok_or(Damaged)?;
        let before = items.len();
        items.retain(|item| periods.binary_search(&item.period).is_err());
        if items.len() == before {
            left.push(group);
        } else if !items.is_empty() {
            left.push(piece(group.player, &items));
        }
    }
    Ok(left)
}

fn merge_groups<'a>(old: Vec<Group<'a>>, new: Vec<Group<'a>>) -> Result<Vec<Group<'a>>, Damaged> {
    let mut groups = Vec::with_capacity(old.len() + new.len());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter());
    for right in new.by_ref() {
        while let Some(left) = old.next_if(|left| left.player < right.player) {
            groups.push(left);
        }
        groups.push(match old.next_if(|left| left.player == right.player) {
            Some(left) => merge_bodies(&left, &right)?,
            None => right,
        });
    }
    groups.extend(old);
    Ok(groups)
}

/// The entries of a player, of each period the newer one.
fn merge_bodies<'a>(old: &Group<'a>, new: &Group<'a>) -> Result<Group<'a>, Damaged> {
    let left = read_items(&old.body).ok_or(Damaged)?;
    let right = read_items(&new.body).ok_or(Damaged)?;
    let newer = |(old, new): (&Item<'_>, &Item<'_>)| old.period == new.period && old.seq <= new.seq;
    if left.len() == right.len() && left.iter().zip(&right).all(newer) {
        return Ok(new.clone());
    }
    let mut items = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(old), Some(new)) = (left.peek(), right.peek()) {
        match old.period.cmp(&new.period) {
            Ordering::Less => items.extend(left.next()),
            Ordering::Greater => items.extend(right.next()),
            Ordering::Equal => {
                items.push(if new.seq >= old.seq { *new } else { *old });
                (_, _) = (left.next(), right.next());
            }
        }
    }
    items.extend(left);
    items.extend(right);
    Ok(piece(old.player, &items))
}

/// Appends the blocks that hold `groups` in the place of `block`.
fn write_blocks(
    board_id: i64,
    block: &Block<'_>,
    groups: Vec<Group<'_>>,
    limit: usize,
    out: &mut Vec<(Vec<u8>, Vec<u8>)>,
) -> Result<(), Damaged> {
    let mut parts = divide(block.first, groups, limit)
        .ok_or(Damaged)?
        .into_iter()
        .peekable();
    while let Some(Part { first, groups }) = parts.next() {
        let end = parts.peek().map(|next| &*next.first).or(block.end);
        let body = write_block(board_id, &first, end, &groups);
        out.push((first, body));
    }
    Ok(())
}

/// Head and content of a block.
fn write_block(board_id: i64, first: &[u8], end: Option<&[u8]>, groups: &[Group<'_>]) -> Vec<u8> {
    let mut body = Vec::with_capacity(1024);
    body.resize(HEAD_BYTES, 0);
    body.array(3);
    body.int(VERSION);
    match end {
        Some(end) => body.bytes(end),
        None => body.nil(),
    }
    pack(&mut body, groups);
    let content = &body[HEAD_BYTES..];
    let sum = checksum(board_id, first, content).to_le_bytes();
    let size = u32::try_from(content.len()).expect("a block is a few entries");
    let width = u16::try_from(first.len()).expect("a key is little longer than an id");
    body[..4].copy_from_slice(&sum);
    body[4..8].copy_from_slice(&size.to_le_bytes());
    body[8..HEAD_BYTES].copy_from_slice(&width.to_le_bytes());
    body
}
