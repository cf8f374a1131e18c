//! Entries of a board in blocks, as a store keeps them (`toprung.store.sqlite.blocks`).
//!
//! A block holds all entries of its board from its first key on, up to its end: the first key of the
//! next block. The first one of a board begins with the empty key and the last one has no end, so
//! that every key lies in one block. Blocks come as bytes: each its head, its content and its first
//! key, one block after the other.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use crate::crc::crc32;
use crate::msgpack::{Reader, Write};
use crate::packed::{Item, next_items, pack, read_entry, seq_of, unpack};

/// How a content is written.
const VERSION: i64 = 1;
/// The checksum, how long the content is and how long the first key is.
const HEAD_BYTES: usize = 10;
/// What a player takes beside the id and the entries, about.
const PLAYER_BYTES: usize = 6;
/// What a period's number takes in a key.
const PERIOD_BYTES: usize = 8;

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
    /// The keys that lie in none of the blocks.
    pub missing: Vec<Vec<u8>>,
}

/// Blocks after a merge.
#[derive(Debug, Default)]
pub struct Merged {
    /// The blocks that changed or came: the first key, and head and content.
    pub changed: Vec<(Vec<u8>, Vec<u8>)>,
    /// The keys of entries that lie in none of the blocks.
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

struct Block<'a> {
    first: &'a [u8],
    end: Option<&'a [u8]>,
    items: Vec<Item<'a>>,
}

impl Block<'_> {
    /// Whether a key lies before the end.
    fn reaches(&self, key: &[u8]) -> bool {
        self.end.is_none_or(|end| key < end)
    }
}

// Keys.

/// Appends where a player's entries begin: the id with an end that no longer id has there.
fn put_bound(key: &mut Vec<u8>, player: &[u8]) {
    for byte in player {
        key.push(*byte);
        if *byte == 0 {
            key.push(0xff);
        }
    }
    key.push(0);
}

/// Makes `key` that of an entry.
fn set_key(key: &mut Vec<u8>, item: &Item<'_>) {
    key.clear();
    put_bound(key, item.player);
    key.extend_from_slice(&item.period.to_be_bytes());
}

fn key_of(item: &Item<'_>) -> Vec<u8> {
    let mut key = Vec::new();
    set_key(&mut key, item);
    key
}

/// The player and the period of a key.
fn read_key(key: &[u8]) -> Option<(Cow<'_, [u8]>, i64)> {
    let (bound, period) = key.split_last_chunk::<PERIOD_BYTES>()?;
    let (0, escaped) = bound.split_last()? else {
        return None;
    };
    let player = if escaped.contains(&0) {
        let mut player = Vec::new();
        let mut bytes = escaped.iter();
        while let Some(byte) = bytes.next() {
            player.push(*byte);
            if *byte == 0 && bytes.next() != Some(&0xff) {
                return None;
            }
        }
        Cow::Owned(player)
    } else {
        Cow::Borrowed(escaped)
    };
    Some((player, i64::from_be_bytes(*period)))
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
    let mut items = Vec::with_capacity(size / 24);
    next_items(&mut reader, &mut items)?;
    let whole = reader.is_at_end();
    let block = Block { first, end, items };
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
        rest = following;
    }
    blocks.sort_unstable_by_key(|block| block.first);
    blocks.dedup_by_key(|block| block.first);
    Ok(blocks)
}

// Looking up.

/// The key of the first entry of each player.
///
/// # Errors
/// [`Damaged`]: these are no packed entries.
pub fn first_keys(packed: &[u8]) -> Result<Vec<Vec<u8>>, Damaged> {
    let items = unpack(packed).ok_or(Damaged)?;
    let players = items.chunk_by(|left, right| left.player == right.player);
    Ok(players.map(|of_player| key_of(&of_player[0])).collect())
}

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
    let mut items = Vec::new();
    let mut keys = keys.peekable();
    let blocks = read_blocks(board_id, blocks)?;
    for block in &blocks {
        while let Some(key) = keys.next_if(|key| *key < block.first) {
            found.missing.push(key.to_vec());
        }
        let mut at = block.items.iter().peekable();
        while let Some(key) = keys.next_if(|key| block.reaches(key)) {
            let (player, period) = read_key(key).ok_or(Damaged)?;
            let wanted = (&*player, period);
            while at.next_if(|item| item.place() < wanted).is_some() {}
            items.extend(at.next_if(|item| item.place() == wanted));
        }
    }
    found.missing.extend(keys.map(<[u8]>::to_vec));
    pack(&mut found.packed, &items);
    found.count = items.len();
    Ok(found)
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
        let players = block
            .items
            .chunk_by(|left, right| left.player == right.player);
        for of_player in players {
            found.add(of_player, after, width, periods).ok_or(Damaged)?;
        }
        (end, rest) = (block.end, following);
    }
    found.end = end.map(<[u8]>::to_vec);
    Ok(found)
}

impl Places {
    /// Adds the entries of a player that count.
    fn add(&mut self, items: &[Item<'_>], after: u64, width: usize, periods: &[i64]) -> Option<()> {
        let before = self.period.len();
        let number = u32::try_from(self.ends.len()).ok()?;
        for item in items {
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
            self.players.extend_from_slice(items[0].player);
            self.ends.push(u32::try_from(self.players.len()).ok()?);
        }
        Some(())
    }
}

// Merging.

/// Merges packed entries into the blocks that they lie in; where there are none, these are made.
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
    let mut blocks = read_blocks(board_id, blocks)?;
    let new = unpack(packed).ok_or(Damaged)?;
    if blocks.is_empty() {
        blocks.push(Block {
            first: &[],
            end: None,
            items: Vec::new(),
        });
    }
    let mut merged = Merged::default();
    let mut key = Vec::new();
    let mut at = 0;
    for block in &blocks {
        let mut start = at;
        while at < new.len() {
            set_key(&mut key, &new[at]);
            if key.as_slice() < block.first {
                merged.missing.push(key.clone());
                start = at + 1;
            } else if !block.reaches(&key) {
                break;
            }
            at += 1;
        }
        let sheds = |item: &Item<'_>| gone.binary_search(&item.period).is_ok();
        if start < at || block.items.iter().any(sheds) {
            let mut items = merge_items(&block.items, &new[start..at])?;
            items.retain(|item| !sheds(item));
            write_blocks(board_id, block, &items, limit, &mut merged.changed);
        }
    }
    merged.missing.extend(new[at..].iter().map(key_of));
    Ok(merged)
}

fn merge_items<'a>(old: &[Item<'a>], new: &[Item<'a>]) -> Result<Vec<Item<'a>>, Damaged> {
    let mut items = Vec::with_capacity(old.len() + new.len());
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    while let (Some(left), Some(right)) = (old.peek(), new.peek()) {
        match left.place().cmp(&right.place()) {
            Ordering::Less => items.extend(old.next()),
            Ordering::Greater => items.extend(new.next()),
            Ordering::Equal => {
                let (left_seq, right_seq) = (seq_of(left.entry), seq_of(right.entry));
                let newer = right_seq.ok_or(Damaged)? >= left_seq.ok_or(Damaged)?;
                items.push(if newer { **right } else { **left });
                (_, _) = (old.next(), new.next());
            }
        }
    }
    items.extend(old);
    items.extend(new);
    Ok(items)
}

/// Appends the blocks that hold `items` in the place of `block`.
fn write_blocks(
    board_id: i64,
    block: &Block<'_>,
    items: &[Item<'_>],
    limit: usize,
    out: &mut Vec<(Vec<u8>, Vec<u8>)>,
) {
    let mut first = block.first.to_vec();
    let mut start = 0;
    for cut in cuts(items, limit) {
        let end = bound_before(items, cut);
        let body = write_block(board_id, &first, Some(&end), &items[start..cut]);
        out.push((first, body));
        (first, start) = (end, cut);
    }
    let body = write_block(board_id, &first, block.end, &items[start..]);
    out.push((first, body));
}

/// The key that a block begins with whose first entry is the one at `place`.
fn bound_before(items: &[Item<'_>], place: usize) -> Vec<u8> {
    if items[place - 1].player == items[place].player {
        return key_of(&items[place]);
    }
    let mut bound = Vec::new();
    put_bound(&mut bound, items[place].player);
    bound
}

/// Where to cut entries so that the parts are about as long and each takes no more than `limit`
/// bytes: between players, but for one who takes more alone.
fn cuts(items: &[Item<'_>], limit: usize) -> Vec<usize> {
    let sizes: Vec<usize> = items.iter().map(item_bytes).collect();
    let players = items.chunk_by(|left, right| left.player == right.player);
    let heads: usize = players.clone().map(|of| player_bytes(&of[0])).sum();
    let all = sizes.iter().sum::<usize>() + heads;
    let target = all.div_ceil(all.div_ceil(limit).max(1));
    let mut cuts = Vec::new();
    let (mut place, mut taken) = (0, 0);
    for of_player in players {
        let head = player_bytes(&of_player[0]);
        let stop = place + of_player.len();
        let more = head + sizes[place..stop].iter().sum::<usize>();
        if taken > 0 && (taken >= target || taken + more > limit) {
            cuts.push(place);
            taken = 0;
        }
        if more <= limit {
            taken += more;
            place = stop;
            continue;
        }
        taken = head;
        for size in &sizes[place..stop] {
            if taken > head && taken + size > limit {
                cuts.push(place);
                taken = head;
            }
            taken += size;
            place += 1;
        }
    }
    cuts
}

fn player_bytes(item: &Item<'_>) -> usize {
    item.player.len() + PLAYER_BYTES
}

fn item_bytes(item: &Item<'_>) -> usize {
    item.entry.len() + 1
}

/// Head and content of a block.
fn write_block(board_id: i64, first: &[u8], end: Option<&[u8]>, items: &[Item<'_>]) -> Vec<u8> {
    let mut body = vec![0; HEAD_BYTES];
    body.array(3);
    body.int(VERSION);
    match end {
        Some(end) => body.bytes(end),
        None => body.nil(),
    }
    pack(&mut body, items);
    let content = &body[HEAD_BYTES..];
    let sum = checksum(board_id, first, content).to_le_bytes();
    let size = u32::try_from(content.len()).expect("a block is a few entries");
    let width = u16::try_from(first.len()).expect("a key is little longer than an id");
    body[..4].copy_from_slice(&sum);
    body[4..8].copy_from_slice(&size.to_le_bytes());
    body[8..HEAD_BYTES].copy_from_slice(&width.to_le_bytes());
    body
}
