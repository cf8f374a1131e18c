//! The dictionary: a member's text to its number, and back.
//!
//! Numbers are given in the order of arrival and never change. The table is open addressing over
//! buckets of one cache line, in 256 shards that grow one at a time by a quarter, so that no call
//! waits for the whole table and none is ever half empty. A slot is 32 bits: the number in as many
//! low bits as the dictionary needs now, and bits of the hash above it, which spare nearly every
//! comparison with another member's text.

use crate::batch::Texts;
use crate::error::Error;
use crate::hash;
use crate::lanes;
use crate::texts::TextStore;

/// No member.
pub(crate) const NOBODY: u32 = u32::MAX;

/// How many texts are looked up together: enough to keep the memory busy, few enough for the cache.
pub(crate) const GROUP: usize = 16;

const SHARDS: usize = 256;
const SLOTS: usize = 16;
const EMPTY: u32 = u32::MAX;

#[derive(Copy, Clone)]
#[repr(C, align(64))]
struct Bucket([u32; SLOTS]);

/// One part of the table, chosen by the highest bits of the hash.
struct Shard {
    buckets: Vec<Bucket>,
    len: usize,
    number_bits: u32,
}

fn hash(text: &[u8]) -> u64 {
    hash::hash(0, text)
}

const fn shard_of(hash: u64) -> usize {
    (hash >> 56) as usize
}

/// The bits of the hash that a slot may hold; neither shard nor bucket is chosen by them.
const fn tag_of(hash: u64) -> u32 {
    ((hash >> 32) & 0xff_ffff) as u32
}

/// How many bits hold every number below `len`, with one value to spare: all ones marks an empty
/// slot. Eight or more, as a tag has 24.
fn bits_for(len: u32) -> u32 {
    (u32::BITS - len.saturating_add(1).leading_zeros()).max(8)
}

impl Shard {
    const fn new() -> Self {
        Self {
            buckets: Vec::new(),
            len: 0,
            number_bits: 8,
        }
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((hash & 0xffff_ffff) as usize * self.buckets.len()) >> 32
    }

    #[inline]
    fn wanted(&self, hash: u64) -> u32 {
        tag_of(hash) & u32::MAX.checked_shr(self.number_bits).unwrap_or(0)
    }

    /// Bit `i` says whether slot `i` of a bucket may be the one.
    #[inline]
    fn candidates(&self, bucket: usize, wanted: u32) -> u32 {
        let slots = &self.buckets[bucket].0;
        lanes::matches(slots, self.number_bits, wanted) & !lanes::matches(slots, 0, EMPTY)
    }

    #[inline]
    fn number(&self, slot: u32) -> u32 {
        slot & !u32::MAX.checked_shl(self.number_bits).unwrap_or(0)
    }

    /// The first number in the home bucket that may be the one.
    #[inline]
    fn guess(&self, hash: u64) -> u32 {
        let Some(Bucket(slots)) = self.buckets.get(self.home(hash)) else {
            return NOBODY;
        };
        let mask = lanes::matches(slots, self.number_bits, self.wanted(hash));
        // Empty slots come last, so one that looks like the first match says that there is none.
        match slots.get(mask.trailing_zeros() as usize) {
            Some(&slot) if slot != EMPTY => self.number(slot),
            _ => NOBODY,
        }
    }

    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> u32 {
        if self.buckets.is_empty() {
            return NOBODY;
        }
        let wanted = self.wanted(hash);
        let mut bucket = self.home(hash);
        loop {
            let mut mask = self.candidates(bucket, wanted);
            while mask != 0 {
                let number = self.number(self.buckets[bucket].0[mask.trailing_zeros() as usize]);
                if is_it(number) {
                    return number;
                }
                mask &= mask - 1;
            }
            if lanes::matches(&self.buckets[bucket].0, 0, EMPTY) != 0 {
                return NOBODY;
            }
            bucket = (bucket + 1) % self.buckets.len();
        }
    }

    /// Put a number that is not there; there is room.
    fn place(&mut self, hash: u64, number: u32) {
        let tag = self.wanted(hash).checked_shl(self.number_bits).unwrap_or(0);
        let mut bucket = self.home(hash);
        loop {
            let slots = &mut self.buckets[bucket].0;
            let free = lanes::matches(slots, 0, EMPTY);
            if free != 0 {
                slots[free.trailing_zeros() as usize] = tag | number;
                self.len += 1;
                return;
            }
            bucket = (bucket + 1) % self.buckets.len();
        }
    }

    fn has_room(&self, number: u32) -> bool {
        let is_narrow = bits_for(number) > self.number_bits;
        // Nine tenths full at most.
        !is_narrow && (self.len + 1) * 10 <= self.buckets.len() * SLOTS * 9
    }

    /// Make room for `more` numbers below `limit`; the texts give the hashes again.
    fn grow(&mut self, more: usize, limit: u32, texts: &TextStore) -> Result<(), Error> {
        let least = ((self.len + more) * 10).div_ceil(SLOTS * 9);
        let count = if least > self.buckets.len() {
            least.max(self.buckets.len() + self.buckets.len().div_ceil(4))
        } else {
            self.buckets.len()
        };
        let mut grown = Self {
            buckets: Vec::new(),
            len: 0,
            number_bits: bits_for(limit),
        };
        grown
            .buckets
            .try_reserve_exact(count)
            .map_err(|_| Error::OutOfMemory)?;
        grown.buckets.resize(count, Bucket([EMPTY; SLOTS]));
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.0);
        let numbers: Vec<u32> = slots
            .filter(|&&slot| slot != EMPTY)
            .map(|&slot| self.number(slot))
            .collect();
        for (at, &number) in numbers.iter().enumerate() {
            if let Some(&later) = numbers.get(at + 2 * GROUP) {
                texts.prefetch_span(later);
            }
            if let Some(&later) = numbers.get(at + GROUP) {
                lanes::prefetch_ends(texts.get(later));
            }
            grown.place(hash(texts.get(number)), number);
        }
        *self = grown;
        Ok(())
    }
}

/// All members that any period ever had.
pub(crate) struct Members {
    shards: Box<[Shard; SHARDS]>,
    texts: TextStore,
    len_max: u32,
}

impl Members {
    /// A dictionary that takes at most `len_max` members.
    pub(crate) fn new(len_max: u32) -> Self {
        Self {
            shards: Box::new(std::array::from_fn(|_| Shard::new())),
            texts: TextStore::new(),
            len_max: len_max.min(NOBODY - 1),
        }
    }

    /// How many members there are.
    pub(crate) fn len(&self) -> u32 {
        self.texts.len()
    }

    /// The text of a member.
    #[inline]
    pub(crate) fn text(&self, member: u32) -> &[u8] {
        self.texts.get(member)
    }

    /// Bytes of the texts, of what tells their ends, and of the table.
    pub(crate) fn bytes(&self) -> (u64, u64, u64) {
        let (texts, ends) = self.texts.bytes();
        let slots: usize = self
            .shards
            .iter()
            .map(|shard| shard.buckets.capacity() * size_of::<Bucket>() + size_of::<Shard>())
            .sum();
        (texts, ends, slots as u64)
    }

    /// The number of a text, or [`NOBODY`].
    pub(crate) fn find(&self, text: &[u8]) -> u32 {
        self.find_hashed(hash(text), text)
    }

    fn find_hashed(&self, hash: u64, text: &[u8]) -> u32 {
        self.shards[shard_of(hash)].find(hash, |number| self.texts.get(number) == text)
    }

    /// The numbers of the texts `start..start + GROUP` (or fewer, at the end), each step for all of
    /// them so that their cache misses overlap.
    pub(crate) fn find_group(&self, texts: &Texts<'_>, start: usize) -> [u32; GROUP] {
        let count = GROUP.min(texts.len() - start);
        let mut wanted: [(&[u8], u64); GROUP] = [(&[], 0); GROUP];
        for ((text, hashed), at) in wanted[..count].iter_mut().zip(start..) {
            *text = texts.get(at);
            *hashed = hash(text);
            let shard = &self.shards[shard_of(*hashed)];
            lanes::prefetch(shard.buckets.as_ptr().wrapping_add(shard.home(*hashed)));
        }
        let mut found = [NOBODY; GROUP];
        for (number, &(_, hash)) in found.iter_mut().zip(&wanted[..count]) {
            *number = self.shards[shard_of(hash)].guess(hash);
            self.texts.prefetch_span(*number);
        }
        let mut known: [&[u8]; GROUP] = [&[]; GROUP];
        for (text, &number) in known.iter_mut().zip(&found[..count]) {
            if number != NOBODY {
                *text = self.texts.get(number);
                lanes::prefetch_ends(text);
            }
        }
        for ((number, known), &(text, hash)) in found.iter_mut().zip(known).zip(&wanted[..count]) {
            if *number == NOBODY || known != text {
                *number = self.find_hashed(hash, text);
            }
        }
        found
    }

    /// The number of a text, a new one if it has none yet.
    pub(crate) fn intern(&mut self, text: &[u8]) -> Result<u32, Error> {
        let hash = hash(text);
        let known = self.find_hashed(hash, text);
        if known != NOBODY {
            return Ok(known);
        }
        let number = self.texts.len();
        if number >= self.len_max {
            return Err(Error::MembersFull);
        }
        let shard = &mut self.shards[shard_of(hash)];
        if !shard.has_room(number) {
            // The shards are filled alike, so bits for a quarter more last until each has grown.
            shard.grow(1, number.saturating_add(number / 4), &self.texts)?;
        }
        self.texts.push(text)?;
        shard.place(hash, number);
        Ok(number)
    }

    /// The numbers of all texts, new ones where needed, appended to `numbers`.
    pub(crate) fn intern_all(
        &mut self,
        texts: &Texts<'_>,
        numbers: &mut Vec<u32>,
    ) -> Result<(), Error> {
        numbers
            .try_reserve(texts.len())
            .map_err(|_| Error::OutOfMemory)?;
        for start in (0..texts.len()).step_by(GROUP) {
            let found = self.find_group(texts, start);
            for (at, number) in found[..GROUP.min(texts.len() - start)].iter().enumerate() {
                numbers.push(match *number {
                    NOBODY => self.intern(texts.get(start + at))?,
                    known => known,
                });
            }
        }
        Ok(())
    }

    /// Add a text without looking for it; [`index`](Self::index) must follow before any search.
    pub(crate) fn append(&mut self, text: &[u8]) -> Result<(), Error> {
        if self.texts.len() >= self.len_max {
            return Err(Error::MembersFull);
        }
        self.texts.push(text)
    }

    /// Make the table for texts that were appended; `false` when two are equal.
    pub(crate) fn index(&mut self) -> Result<bool, Error> {
        let len = self.texts.len();
        let mut counts = [0; SHARDS];
        for number in 0..len {
            counts[shard_of(hash(self.texts.get(number)))] += 1;
        }
        for (shard, &count) in self.shards.iter_mut().zip(&counts) {
            shard.grow(count, len, &self.texts)?;
        }
        let mut ahead = std::collections::VecDeque::with_capacity(2 * GROUP);
        for number in 0..len {
            let hash = hash(self.texts.get(number));
            let shard = &self.shards[shard_of(hash)];
            lanes::prefetch(shard.buckets.as_ptr().wrapping_add(shard.home(hash)));
            ahead.push_back((hash, number));
            if ahead.len() == 2 * GROUP && !self.add_new(ahead.pop_front()) {
                return Ok(false);
            }
        }
        while !ahead.is_empty() {
            if !self.add_new(ahead.pop_front()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Add a member to the table unless its text is there; nobody is added without complaint.
    fn add_new(&mut self, member: Option<(u64, u32)>) -> bool {
        let Some((hash, number)) = member else {
            return true;
        };
        if self.find_hashed(hash, self.texts.get(number)) != NOBODY {
            return false;
        }
        self.shards[shard_of(hash)].place(hash, number);
        true
    }

    /// Check that every text is found under its number, and nothing else is in the table.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let slots: usize = self.shards.iter().map(|shard| shard.len).sum();
        if slots != self.len() as usize {
            return Err(format!("{slots} slots hold {} members", self.len()));
        }
        for number in 0..self.len() {
            if self.find(self.text(number)) != number {
                return Err(format!("member {number} is not found by its text"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Members, NOBODY, bits_for};
    use crate::batch::Texts;
    use crate::error::Error;

    #[test]
    fn numbers_are_given_once_in_order() {
        let mut members = Members::new(u32::MAX);
        for round in 0..2 {
            for number in 0..20_000_u32 {
                let text = format!("player-{number}");
                assert_eq!(members.intern(text.as_bytes()), Ok(number), "round {round}");
            }
        }

        members.validate().expect("whole");
        assert_eq!(members.find(b"player-20000"), NOBODY);
        assert_eq!(members.text(77), b"player-77");
    }

    #[test]
    fn texts_of_any_bytes_and_length_differ() {
        let mut members = Members::new(u32::MAX);
        let texts: Vec<Vec<u8>> = (0..=256)
            .flat_map(|length| [vec![0; length], vec![0xff; length], vec![b'a'; length]])
            .collect();
        let numbers: Vec<u32> = texts
            .iter()
            .map(|text| members.intern(text).expect("room"))
            .collect();

        members.validate().expect("whole");
        // The three texts of length 0 are one.
        assert_eq!(members.len(), 769);
        assert!(
            numbers
                .iter()
                .zip(&texts)
                .all(|(&number, text)| members.text(number) == text)
        );
    }

    #[test]
    fn a_group_finds_what_single_calls_find() {
        let mut members = Members::new(u32::MAX);
        for number in 0..1000 {
            members
                .intern(format!("{}", number * 3).as_bytes())
                .expect("room");
        }
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for number in 0..45 {
            bytes.extend_from_slice(format!("{number}").as_bytes());
            ends.push(u32::try_from(bytes.len()).unwrap());
        }
        let texts = Texts {
            bytes: &bytes,
            ends: &ends,
        };

        for start in [0, 16, 32, 40] {
            let found = members.find_group(&texts, start);
            for (at, &number) in found.iter().enumerate().take(45 - start) {
                assert_eq!(number, members.find(texts.get(start + at)));
            }
        }
    }

    #[test]
    fn a_full_dictionary_refuses_only_new_texts() {
        let mut members = Members::new(2);
        assert_eq!((members.intern(b"a"), members.intern(b"b")), (Ok(0), Ok(1)));

        assert_eq!(members.intern(b"c"), Err(Error::MembersFull));
        assert_eq!(members.intern(b"b"), Ok(1));
        members.validate().expect("whole");
    }

    #[test]
    fn numbers_leave_all_ones_free() {
        for (len, bits) in [
            (0, 8),
            (254, 8),
            (255, 9),
            ((1 << 27) - 2, 27),
            ((1 << 27) - 1, 28),
        ] {
            assert_eq!(bits_for(len), bits, "{len}");
        }
        assert_eq!(bits_for(u32::MAX - 1), 32);
    }
}
