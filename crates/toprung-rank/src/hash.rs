//! One quick hash for the dictionary and for checksums.

const A: u64 = 0x9e37_79b9_7f4a_7c15;
const B: u64 = 0xd6e8_feb8_6659_fd93;

/// The two halves of a product, exclusively ored: the step that wyhash made popular.
fn fold(left: u64, right: u64) -> u64 {
    let wide = u128::from(left) * u128::from(right);
    // The two halves of the product; nothing is lost.
    #[allow(clippy::cast_possible_truncation)]
    let (low, high) = (wide as u64, (wide >> 64) as u64);
    low ^ high
}

/// The hash of some bytes after what `seed` stands for.
pub(crate) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut state = A ^ seed ^ fold(bytes.len() as u64 ^ A, B);
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        state = fold(state ^ u64::from_le_bytes(*word), B);
        rest = after;
    }
    let mut word = [0; 8];
    if let Some(last) = bytes.last_chunk::<8>() {
        // Eight bytes or more end in a full word; that some are read twice is no loss.
        word = *last;
    } else {
        word[..rest.len()].copy_from_slice(rest);
    }
    fold(fold(state ^ u64::from_le_bytes(word), B) ^ A, B)
}

#[cfg(test)]
mod tests {
    use super::hash;
    use std::collections::HashSet;

    #[test]
    fn every_bit_and_the_length_count() {
        let mut seen = HashSet::new();
        for length in 0..40_usize {
            let mut bytes = vec![0; length];
            assert!(seen.insert(hash(0, &bytes)));
            for bit in 0..length * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(seen.insert(hash(0, &bytes)), "bit {bit} of {length} bytes");
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        assert!(seen.insert(hash(1, b"")));
    }
}
