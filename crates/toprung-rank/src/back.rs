//! Back pointers: in which leaf of a period a member's entry is.
//!
//! A period of one leaf needs none: its ids are searched. One with few of the members keeps a hash
//! map; one with a good part of them an array of three bytes a member, which is smaller from about
//! a quarter on, and faster.

use crate::arena::Arena;
use crate::error::Error;
use crate::lanes::prefetch;

/// The highest leaf number that three bytes hold, where 0 says that there is none.
pub(crate) const LEAF_MAX: u32 = (1 << 24) - 2;

/// With at least one in so many members, an array takes over.
const DENSE_FROM: u64 = 4;
/// With fewer than one in so many, the map comes back; far enough off not to change to and fro.
const DENSE_TO: u64 = 12;

/// Where the entries of members are.
pub(crate) enum Back {
    /// All in the only leaf, if anywhere.
    Single,
    /// Some members, in a map.
    Sparse(Map),
    /// By member number; three bytes with the leaf's number and one, 0 for not there.
    Dense(Arena<[u8; 3]>),
}

impl Back {
    /// The leaf of a member, unless there is but one leaf.
    #[inline]
    pub(crate) fn get(&self, member: u32) -> Option<u32> {
        match self {
            Self::Single => None,
            Self::Sparse(map) => map.get(member),
            Self::Dense(array) => {
                let [a, b, c] = *array.try_get(member)?;
                u32::from_le_bytes([a, b, c, 0]).checked_sub(1)
            }
        }
    }

    /// Prefetch what [`get`](Self::get) will read.
    #[inline]
    pub(crate) fn prefetch(&self, member: u32) {
        match self {
            Self::Single => (),
            Self::Sparse(map) => map.prefetch(member),
            Self::Dense(array) => prefetch(array.hint(member)),
        }
    }

    /// Make room for one more member, so that [`set`](Self::set) cannot fail; `members` is how many
    /// the dictionary has, and `count` how many are here.
    pub(crate) fn reserve(&mut self, member: u32, count: u64, members: u32) -> Result<(), Error> {
        match self {
            Self::Single => Ok(()),
            Self::Sparse(map) if map.has_room() => Ok(()),
            Self::Sparse(map) if count * DENSE_FROM < u64::from(members) => map.grow(),
            Self::Sparse(map) => {
                let mut array = Arena::new(u32::MAX);
                array.extend_to(members.max(member))?;
                for (member, leaf) in map.pairs() {
                    array.extend_to(member)?;
                    write(&mut array, member, leaf + 1);
                }
                *self = Self::Dense(array);
                Ok(())
            }
            Self::Dense(array) => array.extend_to(member),
        }
    }

    /// Say where a member is; room was made for it, or it was there.
    #[inline]
    pub(crate) fn set(&mut self, member: u32, leaf: u32) {
        match self {
            Self::Single => (),
            Self::Sparse(map) => map.set(member, leaf),
            Self::Dense(array) => write(array, member, leaf + 1),
        }
    }

    /// Forget a member.
    pub(crate) fn unset(&mut self, member: u32) {
        match self {
            Self::Single => (),
            Self::Sparse(map) => map.remove(member),
            Self::Dense(array) => write(array, member, 0),
        }
    }

    /// Whether so few of the members are left that a map would be smaller.
    pub(crate) fn is_too_wide(&self, count: u64) -> bool {
        match self {
            Self::Dense(array) => count * DENSE_TO < u64::from(array.used()),
            _ => false,
        }
    }

    /// The kind that suits a period of `count` entries, with room for them.
    pub(crate) fn suited(count: u64, members: u32) -> Result<Self, Error> {
        if count * DENSE_FROM < u64::from(members) {
            return Ok(Self::Sparse(Map::with_room(count)?));
        }
        let mut array = Arena::new(u32::MAX);
        array.extend_to(members)?;
        Ok(Self::Dense(array))
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Single => 0,
            Self::Sparse(map) => (map.slots.capacity() * size_of::<u64>()) as u64,
            Self::Dense(array) => array.bytes(),
        }
    }
}

#[inline]
fn write(array: &mut Arena<[u8; 3]>, member: u32, value: u32) {
    let [a, b, c, _] = value.to_le_bytes();
    *array.get_mut(member) = [a, b, c];
}

const EMPTY: u64 = u64::MAX;

/// A hash map from member to leaf: linear probing, without tombstones.
pub(crate) struct Map {
    slots: Vec<u64>,
    len: usize,
}

const fn pack(member: u32, leaf: u32) -> u64 {
    (member as u64) << 32 | leaf as u64
}

const fn member_of(slot: u64) -> u32 {
    (slot >> 32) as u32
}

const fn leaf_of(slot: u64) -> u32 {
    (slot & 0xffff_ffff) as u32
}

impl Map {
    /// An empty map that takes `count` members without growing.
    fn with_room(count: u64) -> Result<Self, Error> {
        let count = usize::try_from(count).map_err(|_| Error::OutOfMemory)?;
        let mut map = Self {
            slots: Vec::new(),
            len: 0,
        };
        map.resize((count + 1).div_ceil(4) * 5 + 1)?;
        Ok(map)
    }

    fn resize(&mut self, slots: usize) -> Result<(), Error> {
        let mut grown = Vec::new();
        grown
            .try_reserve_exact(slots)
            .map_err(|_| Error::OutOfMemory)?;
        grown.resize(slots, EMPTY);
        let old = std::mem::replace(&mut self.slots, grown);
        self.len = 0;
        for slot in old.into_iter().filter(|&slot| slot != EMPTY) {
            self.set(member_of(slot), leaf_of(slot));
        }
        Ok(())
    }

    fn home(&self, member: u32) -> usize {
        // The high half of a product with the golden ratio spreads neighbouring numbers.
        let spread = member.wrapping_mul(0x9e37_79b9);
        ((u64::from(spread) * self.slots.len() as u64) >> 32) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() {
            0
        } else {
            at + 1
        }
    }

    /// The slot of a member, or the empty one where it would be.
    fn slot(&self, member: u32) -> usize {
        let mut at = self.home(member);
        while self.slots[at] != EMPTY && member_of(self.slots[at]) != member {
            at = self.after(at);
        }
        at
    }

    fn get(&self, member: u32) -> Option<u32> {
        let slot = self.slots[self.slot(member)];
        (slot != EMPTY).then(|| leaf_of(slot))
    }

    fn prefetch(&self, member: u32) {
        prefetch(self.slots.as_ptr().wrapping_add(self.home(member)));
    }

    fn has_room(&self) -> bool {
        (self.len + 1) * 5 <= self.slots.len() * 4
    }

    fn grow(&mut self) -> Result<(), Error> {
        self.resize(self.slots.len() + self.slots.len() / 2)
    }

    fn set(&mut self, member: u32, leaf: u32) {
        let at = self.slot(member);
        self.len += usize::from(self.slots[at] == EMPTY);
        self.slots[at] = pack(member, leaf);
    }

    /// Take a member out, and move up those that stood behind it only because it was there.
    fn remove(&mut self, member: u32) {
        let mut hole = self.slot(member);
        if self.slots[hole] == EMPTY {
            return;
        }
        self.len -= 1;
        let mut at = hole;
        loop {
            at = self.after(at);
            if self.slots[at] == EMPTY {
                break;
            }
            let wanted = self.home(member_of(self.slots[at]));
            let may_move = if hole < at {
                wanted <= hole || wanted > at
            } else {
                wanted <= hole && wanted > at
            };
            if may_move {
                self.slots[hole] = self.slots[at];
                hole = at;
            }
        }
        self.slots[hole] = EMPTY;
    }

    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let taken = self.slots.iter().filter(|&&slot| slot != EMPTY);
        taken.map(|&slot| (member_of(slot), leaf_of(slot)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Back, Map};
    use std::collections::BTreeMap;

    #[test]
    fn the_map_agrees_with_a_sorted_map() {
        let mut model = BTreeMap::new();
        let mut map = Map::with_room(0).expect("room");
        let mut state = 1_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let member = state >> 22;
            if state & 0x300 == 0 {
                map.remove(member);
                model.remove(&member);
            } else {
                if !map.has_room() {
                    map.grow().expect("room");
                }
                map.set(member, state & 0xff);
                model.insert(member, state & 0xff);
            }
            assert_eq!(map.get(member), model.get(&member).copied());
        }

        let mut pairs: Vec<_> = map.pairs().collect();
        pairs.sort_unstable();
        assert_eq!(pairs, model.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_map_that_holds_many_of_the_members_becomes_an_array() {
        let mut back = Back::suited(0, 1000).expect("room");
        assert!(matches!(back, Back::Sparse(_)));
        for member in 0..300 {
            back.reserve(member, u64::from(member), 1000).expect("room");
            back.set(member, member * 50);
        }

        assert!(matches!(back, Back::Dense(_)));
        assert!((0..300).all(|member| back.get(member) == Some(member * 50)));
        assert_eq!((back.get(300), back.get(5_000_000)), (None, None));
        assert!(back.is_too_wide(80) && !back.is_too_wide(100));
    }
}
