//! As much of `MessagePack` as records and kept lines need (the specification is at msgpack.org).

/// Reads values one after the other. `None` means that the bytes are not what was asked for.
pub struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Reader<'a> {
    /// A reader that stands before the first value.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }

    /// Whether everything was read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.place == self.bytes.len()
    }

    /// How many values an array has, which then follow.
    pub fn array(&mut self) -> Option<usize> {
        match self.byte()? {
            head @ 0x90..=0x9f => Some(usize::from(head & 0x0f)),
            0xdc => self.length(2),
            0xdd => self.length(4),
            _ => None,
        }
    }

    /// How many pairs a map has, which then follow.
    pub fn map(&mut self) -> Option<usize> {
        match self.byte()? {
            head @ 0x80..=0x8f => Some(usize::from(head & 0x0f)),
            0xde => self.length(2),
            0xdf => self.length(4),
            _ => None,
        }
    }

    /// Where the next value begins among the bytes.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// The bytes between two places.
    #[must_use]
    pub fn between(&self, start: usize, end: usize) -> &'a [u8] {
        &self.bytes[start..end]
    }

    /// A text: where it stands among the bytes.
    pub fn text(&mut self) -> Option<(usize, usize)> {
        let text = self.unchecked_text()?;
        std::str::from_utf8(text).ok()?;
        Some((self.place - text.len(), self.place))
    }

    /// A text that need not be UTF-8.
    pub fn unchecked_text(&mut self) -> Option<&'a [u8]> {
        let length = match self.byte()? {
            head @ 0xa0..=0xbf => usize::from(head & 0x1f),
            0xd9 => self.length(1)?,
            0xda => self.length(2)?,
            0xdb => self.length(4)?,
            _ => return None,
        };
        self.take(length)
    }

    /// A whole number of 64 bits, signed.
    pub fn int(&mut self) -> Option<i64> {
        match self.byte()? {
            head @ 0x00..=0x7f => Some(i64::from(head)),
            head @ 0xe0..=0xff => Some(i64::from(head) - 256),
            0xcc => self.take(1).map(|bytes| i64::from(bytes[0])),
            0xcd => self.word().map(|word| i64::from(u16::from_be_bytes(word))),
            0xce => self.word().map(|word| i64::from(u32::from_be_bytes(word))),
            0xcf => i64::try_from(u64::from_be_bytes(self.word()?)).ok(),
            0xd0 => self.word().map(|word| i64::from(i8::from_be_bytes(word))),
            0xd1 => self.word().map(|word| i64::from(i16::from_be_bytes(word))),
            0xd2 => self.word().map(|word| i64::from(i32::from_be_bytes(word))),
            0xd3 => self.word().map(i64::from_be_bytes),
            _ => None,
        }
    }

    /// True or false.
    pub fn bool(&mut self) -> Option<bool> {
        match self.byte()? {
            0xc2 => Some(false),
            0xc3 => Some(true),
            _ => None,
        }
    }

    /// A text, or nothing in its place.
    pub fn text_or_nil(&mut self) -> Option<()> {
        if self.nil() {
            return Some(());
        }
        self.text().map(|_| ())
    }

    /// Bytes.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let width = match self.byte()? {
            0xc4 => 1,
            0xc5 => 2,
            0xc6 => 4,
            _ => return None,
        };
        let length = self.length(width)?;
        self.take(length)
    }

    /// Bytes, or nothing in their place.
    pub fn bytes_or_nil(&mut self) -> Option<()> {
        if self.nil() {
            return Some(());
        }
        self.bytes().map(|_| ())
    }

    /// Passes over a value of any kind, with what is in it.
    pub fn skip(&mut self) -> Option<()> {
        let mut left = 1_usize;
        while left > 0 {
            left -= 1;
            let head = self.byte()?;
            let (data, inside) = match head {
                0x00..=0x7f | 0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => (0, 0),
                0x80..=0x8f => (0, 2 * usize::from(head & 0x0f)),
                0x90..=0x9f => (0, usize::from(head & 0x0f)),
                0xa0..=0xbf => (usize::from(head & 0x1f), 0),
                0xc1 => return None,
                0xc4 | 0xd9 => (self.length(1)?, 0),
                0xc5 | 0xda => (self.length(2)?, 0),
                0xc6 | 0xdb => (self.length(4)?, 0),
                0xc7 => (self.length(1)? + 1, 0),
                0xc8 => (self.length(2)? + 1, 0),
                0xc9 => (self.length(4)? + 1, 0),
                0xcc | 0xd0 => (1, 0),
                0xcd | 0xd1 | 0xd4 => (2, 0),
                0xca | 0xce | 0xd2 => (4, 0),
                0xcb | 0xcf | 0xd3 => (8, 0),
                0xd5 => (3, 0),
                0xd6 => (5, 0),
                0xd7 => (9, 0),
                0xd8 => (17, 0),
                0xdc => (0, self.length(2)?),
                0xdd => (0, self.length(4)?),
                0xde => (0, 2 * self.length(2)?),
                0xdf => (0, self.length(4)?.checked_mul(2)?),
            };
            self.take(data)?;
            left = left.checked_add(inside)?;
        }
        Some(())
    }

    /// Whether the next value is nothing; if so it is passed over.
    pub fn nil(&mut self) -> bool {
        let found = self.bytes.get(self.place) == Some(&0xc0);
        self.place += usize::from(found);
        found
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.place)?;
        self.place += 1;
        Some(byte)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.place.checked_add(length)?;
        let taken = self.bytes.get(self.place..end)?;
        self.place = end;
        Some(taken)
    }

    fn word<const WIDTH: usize>(&mut self) -> Option<[u8; WIDTH]> {
        self.take(WIDTH)?.try_into().ok()
    }

    /// A length of `width` bytes.
    fn length(&mut self, width: usize) -> Option<usize> {
        let bytes = self.take(width)?;
        Some(
            bytes
                .iter()
                .fold(0, |length, byte| length << 8 | usize::from(*byte)),
        )
    }
}

/// Appends values in their shortest form, as msgspec writes them.
pub trait Write {
    /// The head of an array of `count` values, which follow.
    fn array(&mut self, count: usize);
    /// The head of a map of `count` pairs, which follow.
    fn map(&mut self, count: usize);
    /// A whole number.
    fn int(&mut self, value: i64);
    /// A whole number that is none below 0, nor 2^63 or more.
    fn natural(&mut self, value: u64);
    /// A text, as UTF-8.
    fn text(&mut self, text: &[u8]);
    /// Bytes.
    fn bytes(&mut self, bytes: &[u8]);
    /// True or false.
    fn bool(&mut self, value: bool);
    /// Nothing.
    fn nil(&mut self);
    /// An array of whole numbers.
    fn ints(&mut self, values: &[i64]);
}

impl Write for Vec<u8> {
    fn array(&mut self, count: usize) {
        head(self, count, (0x90, 16), &[(0xdc, 2), (0xdd, 4)]);
    }

    fn map(&mut self, count: usize) {
        head(self, count, (0x80, 16), &[(0xde, 2), (0xdf, 4)]);
    }

    // Each narrowing stands in the branch where the value fits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn int(&mut self, value: i64) {
        match value {
            -32..=127 => self.push(value as u8),
            128..=0xff => self.extend_from_slice(&[0xcc, value as u8]),
            0x100..=0xffff => {
                self.push(0xcd);
                self.extend_from_slice(&(value as u16).to_be_bytes());
            }
            0x1_0000..=0xffff_ffff => {
                self.push(0xce);
                self.extend_from_slice(&(value as u32).to_be_bytes());
            }
            0x1_0000_0000.. => {
                self.push(0xcf);
                self.extend_from_slice(&value.to_be_bytes());
            }
            -0x80..=-33 => self.extend_from_slice(&[0xd0, value as u8]),
            -0x8000..=-0x81 => {
                self.push(0xd1);
                self.extend_from_slice(&(value as i16).to_be_bytes());
            }
            -0x8000_0000..=-0x8001 => {
                self.push(0xd2);
                self.extend_from_slice(&(value as i32).to_be_bytes());
            }
            _ => {
                self.push(0xd3);
                self.extend_from_slice(&value.to_be_bytes());
            }
        }
    }

    fn natural(&mut self, value: u64) {
        self.int(i64::try_from(value).unwrap_or(i64::MAX));
    }

    fn text(&mut self, text: &[u8]) {
        head(
            self,
            text.len(),
            (0xa0, 32),
            &[(0xd9, 1), (0xda, 2), (0xdb, 4)],
        );
        self.extend_from_slice(text);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        head(
            self,
            bytes.len(),
            (0, 0),
            &[(0xc4, 1), (0xc5, 2), (0xc6, 4)],
        );
        self.extend_from_slice(bytes);
    }

    fn bool(&mut self, value: bool) {
        self.push(0xc2 | u8::from(value));
    }

    fn nil(&mut self) {
        self.push(0xc0);
    }

    fn ints(&mut self, values: &[i64]) {
        self.array(values.len());
        for value in values {
            self.int(*value);
        }
    }
}

/// A head that holds a small count itself, or is followed by it in the fewest bytes of `wide`.
#[allow(clippy::cast_possible_truncation)] // a small count is below 32
fn head(out: &mut Vec<u8>, count: usize, (small, limit): (u8, usize), wide: &[(u8, usize)]) {
    if count < limit {
        out.push(small | count as u8);
        return;
    }
    let bytes = count.to_be_bytes();
    for (mark, width) in wide {
        let (above, low) = bytes.split_at(bytes.len() - width);
        if above.iter().all(|byte| *byte == 0) {
            out.push(*mark);
            out.extend_from_slice(low);
            return;
        }
    }
    unreachable!("what is written holds fewer than 2^32 values");
}

#[cfg(test)]
mod tests {
    use super::{Reader, Write};

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for bits in 0..64 {
            for near in [-1, 0, 1] {
                for sign in [1, -1] {
                    let value = (1_i64 << bits).wrapping_add(near).wrapping_mul(sign);
                    let mut bytes = Vec::new();
                    bytes.int(value);
                    let mut reader = Reader::new(&bytes);
                    assert_eq!(reader.int(), Some(value));
                    assert!(reader.is_at_end());
                }
            }
        }
    }

    #[test]
    fn a_text_is_read_as_it_was_written() {
        for length in [0, 1, 31, 32, 255, 256, 65_535, 65_536] {
            let mut bytes = Vec::new();
            bytes.text(&vec![b'x'; length]);
            let (start, end) = Reader::new(&bytes).text().expect("a text");
            assert_eq!((end, end - start), (bytes.len(), length));
        }
    }

    #[test]
    fn bytes_are_read_as_they_were_written() {
        for length in [0, 1, 31, 255, 256, 65_535, 65_536] {
            let mut bytes = Vec::new();
            bytes.bytes(&vec![7; length]);
            assert_eq!(Reader::new(&bytes).bytes(), Some(&vec![7; length][..]));
        }
    }

    #[test]
    fn a_value_of_any_kind_is_passed_over() {
        for value in [
            &[0xc0][..],
            &[0xca, 0, 0, 0, 0],
            &[0xcb, 0, 0, 0, 0, 0, 0, 0, 0],
            &[0x82, 0xa1, b'a', 0x91, 0x01, 0xa1, b'b', 0x80],
            &[0xc7, 2, 5, 1, 1],
            &[0xd5, 5, 1, 1],
            &[0xde, 0, 1, 0xc3, 0xdc, 0, 2, 0xc4, 1, 9, 0xd0, 0x80],
        ] {
            let mut reader = Reader::new(value);
            assert_eq!(reader.skip(), Some(()));
            assert!(reader.is_at_end());
            assert_eq!(Reader::new(&value[..value.len() - 1]).skip(), None);
        }
    }
}
