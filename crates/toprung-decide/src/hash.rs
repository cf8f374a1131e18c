//! Hashes of ids.

/// 64 bits that tell event ids of boards apart well enough to know where to look.
///
/// The same as `toprung.domain.keeping.event_hash`, which stored files hold: the id's bytes are taken
/// as little-endian words of eight, the last filled up with zeros; each is mixed in by the finalizer
/// of `MurmurHash3` (A. Appleby, in the public domain).
#[must_use]
pub fn event_hash(board_id: i64, event_id: &[u8]) -> u64 {
    let length = (event_id.len() as u64) << 56;
    let board = u64::from_le_bytes(board_id.to_le_bytes());
    let mut found = mix(board ^ length);
    for part in event_id.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        found = mix(found ^ u64::from_le_bytes(word));
    }
    found
}

/// The hash of a player's id.
pub(crate) fn player_hash(player: &[u8]) -> u64 {
    event_hash(0, player)
}

/// The hash of a player in a period, both by number.
pub(crate) fn place_hash(period: u32, player: u32) -> u64 {
    mix(u64::from(period) << 32 | u64::from(player))
}

fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let word = (word ^ word >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    word ^ word >> 33
}
