//! Keys of entries in blocks: they compare as the player's bytes and then the period's number do.

use std::borrow::Cow;

/// What a period's number takes in a key.
pub const PERIOD_BYTES: usize = 8;

/// Where a player's entries begin: the id with an end that no longer id has there.
pub fn bound_of(player: &[u8]) -> Vec<u8> {
    let mut bound = Vec::with_capacity(player.len() + 1 + PERIOD_BYTES);
    for (place, part) in player.split(|byte| *byte == 0).enumerate() {
        if place > 0 {
            bound.extend_from_slice(&[0, 0xff]);
        }
        bound.extend_from_slice(part);
    }
    bound.push(0);
    bound
}

/// The key of an entry.
pub fn key_of(player: &[u8], period: i64) -> Vec<u8> {
    let mut key = bound_of(player);
    key.extend_from_slice(&period.to_be_bytes());
    key
}

/// The player and the period of a key.
pub fn read_key(key: &[u8]) -> Option<(Cow<'_, [u8]>, i64)> {
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
