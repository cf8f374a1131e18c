//! Where entries of a board stand among others: keys that compare as their players' bytes and then
//! their periods' numbers do (`toprung.store.sqlite.blocks`).

use std::borrow::Cow;

/// What a period's number takes in a key.
pub(crate) const PERIOD_BYTES: usize = 8;

/// Where a player's entries begin: the id with an end that no longer id has there.
pub(crate) fn bound_of(player: &[u8]) -> Vec<u8> {
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

pub(crate) fn key_of(player: &[u8], period: i64) -> Vec<u8> {
    let mut key = bound_of(player);
    key.extend_from_slice(&period.to_be_bytes());
    key
}

/// The player and the period of a key.
pub(crate) fn read_key(key: &[u8]) -> Option<(Cow<'_, [u8]>, i64)> {
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

#[cfg(test)]
mod tests {
    use super::{bound_of, key_of, read_key};

    #[test]
    fn keys_stand_as_players_and_periods_do() {
        let players: [&[u8]; 7] = [b"", b"\0", b"\0\0", b"a", b"a\0b", b"a\x01", b"ab"];
        let mut keys = Vec::new();
        for player in players {
            keys.push(bound_of(player));
            for period in [0, 1, 255, 256, i64::MAX] {
                let key = key_of(player, period);
                let (found, number) = read_key(&key).expect("a key");
                assert_eq!((&*found, number), (player, period));
                keys.push(key);
            }
        }
        assert!(keys.is_sorted_by(|left, right| left < right));
    }
}
