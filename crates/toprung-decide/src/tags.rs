//! Hash tables of small numbers: where something of a hash may stand, without the thing itself.
//!
//! A slot is one word: 24 bits of the hash and a number of 40 bits. Who looks something up gets the
//! numbers under its hash, and looks there: seldom, another thing of the same bits stands there too.

use crate::error::Error;

/// The largest number that a slot holds. 0 marks a free slot.
pub(crate) const NUMBER_MAX: u64 = (1 << NUMBER_BITS) - 1;
const NUMBER_BITS: u32 = 40;
const TAG_BITS: u32 = 24;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;

/// One table with open addressing and linear probing.
///
/// A tag's home is in proportion to the tag, so a table may have any size and grow by half: it is
/// between 0.58 and 0.875 full once it has grown.
#[derive(Default)]
struct Table {
    slots: Vec<u64>,
    used: usize,
}

impl Table {
    fn home(&self, tag: u64) -> usize {
        // Less than the number of slots, for a tag has 24 bits.
        usize::try_from((tag * self.slots.len() as u64) >> TAG_BITS).unwrap_or_default()
    }

    fn next(&self, place: usize) -> usize {
        if place + 1 == self.slots.len() {
            0
        } else {
            place + 1
        }
    }

    /// The numbers under a tag.
    fn find(&self, tag: u64) -> impl Iterator<Item = u64> {
        let mut place = self.home(tag);
        std::iter::from_fn(move || {
            loop {
                let slot = *self.slots.get(place)?;
                if slot == 0 {
                    return None;
                }
                place = self.next(place);
                if slot >> NUMBER_BITS == tag {
                    return Some(slot & NUMBER_MAX);
                }
            }
        })
    }

    /// Makes room for one more.
    fn reserve(&mut self) -> Result<(), Error> {
        if (self.used + 1) * 8 <= self.slots.len() * 7 {
            return Ok(());
        }
        let size = (self.slots.len() + self.slots.len() / 2).max(4);
        let mut slots = Vec::new();
        slots
            .try_reserve_exact(size)
            .map_err(|_| Error::OutOfMemory)?;
        slots.resize(size, 0);
        let old = std::mem::replace(&mut self.slots, slots);
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            self.place(slot);
        }
        Ok(())
    }

    /// Puts a slot where there is room. Whether it is not there yet.
    fn place(&mut self, slot: u64) -> bool {
        let mut place = self.home(slot >> NUMBER_BITS);
        loop {
            match self.slots[place] {
                0 => {
                    self.slots[place] = slot;
                    return true;
                }
                other if other == slot => return false,
                _ => place = self.next(place),
            }
        }
    }

    /// Takes a slot out and closes the gap, so that no mark of it stays (D. E. Knuth, The Art of
    /// Computer Programming, volume 3, section 6.4, algorithm R).
    fn remove(&mut self, slot: u64) {
        let mut gap = self.home(slot >> NUMBER_BITS);
        while self.slots[gap] != slot {
            gap = self.next(gap);
        }
        let mut place = gap;
        loop {
            place = self.next(place);
            let other = self.slots[place];
            if other == 0 {
                break;
            }
            let home = self.home(other >> NUMBER_BITS);
            let stays = if gap <= place {
                gap < home && home <= place
            } else {
                gap < home || home <= place
            };
            if !stays {
                self.slots[gap] = other;
                gap = place;
            }
        }
        self.slots[gap] = 0;
        self.used -= 1;
    }
}

/// Many small tables by the first bits of the hash: each grows by itself, so none takes long.
pub(crate) struct Tags {
    tables: Box<[Table]>,
    bits: u32,
}

impl Tags {
    /// Empty tables, two to the power of `bits` of them.
    pub fn new(bits: u32) -> Self {
        Self {
            tables: (0..1_usize << bits).map(|_| Table::default()).collect(),
            bits,
        }
    }

    /// The numbers under a hash, in no order.
    pub fn find(&self, hash: u64) -> impl Iterator<Item = u64> {
        self.tables[self.table(hash)].find(self.tag(hash))
    }

    /// Brings what stands under some hashes close to the processor.
    ///
    /// A large table lies outside the processor's caches, so that a look-up mostly waits for memory.
    /// In a loop that does nothing else it waits for many of them at once.
    pub fn warm(&self, hashes: impl Iterator<Item = u64>) {
        let slots = hashes.map(|hash| {
            let table = &self.tables[self.table(hash)];
            table.slots.get(table.home(self.tag(hash)))
        });
        std::hint::black_box(slots.fold(0, |met, slot| met ^ slot.unwrap_or(&0)));
    }

    /// Adds a number under a hash, if it is not there yet.
    pub fn insert(&mut self, hash: u64, number: u64) -> Result<(), Error> {
        if number == 0 || number > NUMBER_MAX {
            return Err(Error::Full);
        }
        let slot = self.tag(hash) << NUMBER_BITS | number;
        let place = self.table(hash);
        let table = &mut self.tables[place];
        table.reserve()?;
        if table.place(slot) {
            table.used += 1;
        }
        Ok(())
    }

    /// Takes out a number that stands under a hash.
    pub fn remove(&mut self, hash: u64, number: u64) {
        let slot = self.tag(hash) << NUMBER_BITS | number;
        let place = self.table(hash);
        self.tables[place].remove(slot);
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.tables.iter().map(|table| table.used).sum()
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        let slots: usize = self.tables.iter().map(|table| table.slots.capacity()).sum();
        slots * size_of::<u64>() + self.tables.len() * size_of::<Table>()
    }

    /// Takes everything out, and makes room for `count` numbers in each table.
    pub fn prepare(&mut self, count: usize) -> Result<(), Error> {
        for table in &mut self.tables {
            table.slots.clear();
            table.used = 0;
            let size = count * 2 + 1;
            table
                .slots
                .try_reserve(size)
                .map_err(|_| Error::OutOfMemory)?;
            table.slots.resize(size, 0);
        }
        Ok(())
    }

    fn table(&self, hash: u64) -> usize {
        if self.bits == 0 {
            return 0;
        }
        usize::try_from(hash >> (64 - self.bits)).unwrap_or_default()
    }

    fn tag(&self, hash: u64) -> u64 {
        hash >> (64 - self.bits - TAG_BITS) & TAG_MASK
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::Tags;

    /// Numbers that look like chance (xorshift; G. Marsaglia, 2003).
    struct Chance(u64);

    impl Chance {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
    }

    fn found(tags: &Tags, hash: u64) -> Vec<u64> {
        let mut found: Vec<u64> = tags.find(hash).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn holds_what_a_map_holds() {
        for bits in [0, 3] {
            let mut tags = Tags::new(bits);
            let mut expected: HashMap<u64, Vec<u64>> = HashMap::new();
            let mut chance = Chance(7);
            for number in 1..20_000 {
                // Few hashes, the ends among them: they meet, and wrap around the end of a table.
                let hash = match chance.next() % 8 {
                    0 => u64::MAX - ((chance.next() % 4) << 40),
                    1 => (chance.next() % 4) << 40,
                    _ => (chance.next() % 997) << 50 | (chance.next() % 3) << 40,
                };
                let here = expected.entry(hash).or_default();
                if !here.is_empty() && chance.next() % 2 == 0 {
                    tags.remove(hash, here.pop().expect("not empty"));
                } else {
                    tags.insert(hash, number).expect("room");
                    here.push(number);
                }
                here.sort_unstable();
                assert_eq!(found(&tags, hash), *here);
            }
            for (hash, here) in &expected {
                assert_eq!(found(&tags, *hash), *here);
            }
            assert_eq!(tags.len(), expected.values().map(Vec::len).sum::<usize>());
        }
    }

    #[test]
    fn the_same_again_is_held_once() {
        let mut tags = Tags::new(2);
        tags.insert(5, 9).expect("room");
        tags.insert(5, 9).expect("room");
        assert_eq!(found(&tags, 5), [9]);
        assert_eq!(tags.len(), 1);
    }

    #[test]
    fn a_number_beyond_40_bits_is_refused() {
        let mut tags = Tags::new(2);
        assert!(tags.insert(5, 1 << 40).is_err());
        assert!(tags.insert(5, 0).is_err());
        assert_eq!(tags.len(), 0);
    }
}
