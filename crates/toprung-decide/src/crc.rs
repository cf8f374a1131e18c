//! The checksum of zlib and PNG (CRC-32 of ISO 3309), so that Python has it too.

/// Tables for eight bytes at a time (M. E. Kounavis and F. L. Berry, A Systematic Approach to
/// Building High Performance Software-Based CRC Generators, 2005).
const TABLES: [[u32; 256]; 8] = tables();
const REVERSED_POLYNOMIAL: u32 = 0xEDB8_8320;

#[allow(clippy::cast_possible_truncation)] // the place is below 256
const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut place = 0;
    while place < 256 {
        let mut word = place as u32;
        let mut bit = 0;
        while bit < 8 {
            word = (word >> 1) ^ (REVERSED_POLYNOMIAL * (word & 1));
            bit += 1;
        }
        tables[0][place] = word;
        place += 1;
    }
    let mut further = 1;
    while further < 8 {
        place = 0;
        while place < 256 {
            let before = tables[further - 1][place];
            tables[further][place] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            place += 1;
        }
        further += 1;
    }
    tables
}

/// The checksum of `bytes`, after what already has the checksum `before`; 0: nothing.
pub(crate) fn crc32(bytes: &[u8], before: u32) -> u32 {
    let mut sum = !before;
    let words = bytes.chunks_exact(8);
    let rest = words.remainder();
    for word in words {
        let low = sum ^ u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        sum = TABLES[7][(low & 0xff) as usize]
            ^ TABLES[6][(low >> 8 & 0xff) as usize]
            ^ TABLES[5][(low >> 16 & 0xff) as usize]
            ^ TABLES[4][(low >> 24) as usize]
            ^ TABLES[3][usize::from(word[4])]
            ^ TABLES[2][usize::from(word[5])]
            ^ TABLES[1][usize::from(word[6])]
            ^ TABLES[0][usize::from(word[7])];
    }
    for byte in rest {
        sum = (sum >> 8) ^ TABLES[0][((sum ^ u32::from(*byte)) & 0xff) as usize];
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc32(b"123456789", 0), 0xCBF4_3926);
        assert_eq!(crc32(b"", 0), 0);
    }

    #[test]
    fn parts_make_the_checksum_of_the_whole() {
        let bytes: Vec<u8> = (0..100).collect();
        for cut in 0..100 {
            let (left, right) = bytes.split_at(cut);
            assert_eq!(crc32(right, crc32(left, 0)), crc32(&bytes, 0));
        }
    }
}
