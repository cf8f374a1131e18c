//! Growing arrays whose items never move and are named by 32-bit numbers.
//!
//! Chunk 0 holds one item, chunk `k` the items `2^(k-1)..2^k`: a small arena is small, growing never
//! copies, and as untouched pages cost nothing (see `chunk`) a half-used last chunk wastes nothing.

use crate::chunk::Chunk;
use crate::error::Error;

/// Types for which any bytes, zeroes among them, are a value.
///
/// # Safety
/// Only plain integers, arrays of them, and `repr(C)` structs of such fields qualify.
pub(crate) unsafe trait Plain: Copy + Send + Sync {}

// SAFETY: an array of bytes is plain.
unsafe impl<const N: usize> Plain for [u8; N] {}

/// A growing array of items that never move.
pub(crate) struct Arena<T> {
    /// For each chunk, where item 0 would be if the chunk reached down to it.
    bases: Vec<*mut T>,
    chunks: Vec<Chunk>,
    free: Vec<u32>,
    len: u32,
    len_max: u32,
}

// SAFETY: the pointers lead into the arena's own chunks, which it owns alone; access to the items
// follows the borrow of the arena.
unsafe impl<T: Plain> Send for Arena<T> {}
// SAFETY: as above; a shared arena gives shared items only.
unsafe impl<T: Plain> Sync for Arena<T> {}

const fn chunk_of(index: u32) -> usize {
    (u32::BITS - index.leading_zeros()) as usize
}

const fn chunk_start(chunk: usize) -> usize {
    if chunk == 0 { 0 } else { 1 << (chunk - 1) }
}

impl<T: Plain> Arena<T> {
    /// An empty arena that holds at most `len_max` items.
    pub(crate) const fn new(len_max: u32) -> Self {
        Self {
            bases: Vec::new(),
            chunks: Vec::new(),
            free: Vec::new(),
            len: 0,
            len_max,
        }
    }

    /// How many items are in use.
    pub(crate) fn used(&self) -> u32 {
        self.len - u32::try_from(self.free.len()).unwrap_or(self.len)
    }

    /// Whether `more` further items have numbers.
    pub(crate) fn has_numbers(&self, more: usize) -> bool {
        (self.used() as usize).saturating_add(more) <= self.len_max as usize
    }

    /// The bytes that the arena takes: its chunks, without the pages that were never touched, and
    /// its own lists.
    pub(crate) fn bytes(&self) -> u64 {
        let sizes = (0..).zip(&self.chunks).map(|(at, chunk)| {
            let (start, stop) = (chunk_start(at), chunk_start(at + 1));
            let touched = (self.len as usize).clamp(start, stop);
            if chunk.is_lazy() {
                touched - start
            } else {
                stop - start
            }
        });
        let items = sizes.sum::<usize>() * size_of::<T>();
        let lists = self.free.capacity() * 4 + self.chunks.capacity() * size_of::<Chunk>();
        (items + lists + self.bases.capacity() * size_of::<usize>()) as u64
    }

    /// Make sure that the next `more` calls of [`alloc`](Self::alloc) succeed.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), Error> {
        if more <= self.free.len() {
            return Ok(());
        }
        let len = self.len as usize + more - self.free.len();
        if len > self.len_max as usize {
            return Err(Error::EntriesFull);
        }
        while chunk_start(self.chunks.len()) < len {
            let start = chunk_start(self.chunks.len());
            let items = chunk_start(self.chunks.len() + 1) - start;
            let bytes = items
                .checked_mul(size_of::<T>())
                .ok_or(Error::OutOfMemory)?;
            let chunk = Chunk::zeroed(bytes)?;
            debug_assert!(align_of::<T>() <= 64, "chunks are 64-byte aligned");
            self.bases
                .push(chunk.start().cast::<T>().wrapping_sub(start));
            self.chunks.push(chunk);
        }
        Ok(())
    }

    /// Make sure that item `index` exists; items before it are zeroes until they are written.
    pub(crate) fn extend_to(&mut self, index: u32) -> Result<(), Error> {
        if index >= self.len {
            self.reserve((index - self.len) as usize + 1)?;
            self.len = index + 1;
        }
        Ok(())
    }

    /// The number of an item that was not in use; its content is arbitrary.
    ///
    /// # Panics
    /// When nothing was reserved.
    pub(crate) fn alloc(&mut self) -> u32 {
        if let Some(index) = self.free.pop() {
            return index;
        }
        let index = self.len;
        assert!(
            chunk_of(index) < self.chunks.len(),
            "items are reserved before they are taken"
        );
        self.len += 1;
        index
    }

    /// Let an item be given out again.
    pub(crate) fn release(&mut self, index: u32) {
        self.free.push(index);
    }

    #[inline]
    fn address(&self, index: u32) -> *mut T {
        self.bases[chunk_of(index)].wrapping_add(index as usize)
    }

    /// Where an item is, for a prefetch; any number is allowed.
    #[inline]
    pub(crate) fn hint(&self, index: u32) -> *const T {
        match self.bases.get(chunk_of(index)) {
            Some(base) => base.wrapping_add(index as usize),
            None => std::ptr::null(),
        }
    }

    /// An item.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> &T {
        // SAFETY: `address` checked that the chunk of this index exists. The chunk covers the index,
        // is aligned for `T` and was zeroed, so the item is a value of a plain type; no one can
        // change it while the arena is borrowed.
        unsafe { &*self.address(index) }
    }

    /// An item, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32) -> &mut T {
        // SAFETY: as in `get`, and the arena is borrowed alone.
        unsafe { &mut *self.address(index) }
    }

    /// Two different items, to be changed together.
    pub(crate) fn get_two_mut(&mut self, left: u32, right: u32) -> (&mut T, &mut T) {
        assert_ne!(left, right, "two items are asked for");
        // SAFETY: as in `get_mut`; the numbers differ, so the items do not overlap.
        unsafe { (&mut *self.address(left), &mut *self.address(right)) }
    }

    /// An item, or nothing when no chunk reaches so far.
    #[inline]
    pub(crate) fn try_get(&self, index: u32) -> Option<&T> {
        (index < self.len).then(|| self.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::Arena;
    use crate::error::Error;

    #[test]
    fn items_keep_their_place_while_the_arena_grows() {
        let mut arena: Arena<[u8; 3]> = Arena::new(100_000);
        for index in 0..70_000_u32 {
            arena.reserve(1).expect("room");
            assert_eq!(arena.alloc(), index);
            arena
                .get_mut(index)
                .copy_from_slice(&index.to_le_bytes()[..3]);
        }

        assert!((0..70_000_u32).all(|index| arena.get(index)[..] == index.to_le_bytes()[..3]));
        assert_eq!(arena.used(), 70_000);
    }

    #[test]
    fn released_items_come_back_first() {
        let mut arena: Arena<[u8; 64]> = Arena::new(3);
        arena.reserve(3).expect("room");
        let items = [arena.alloc(), arena.alloc(), arena.alloc()];
        assert_eq!(arena.reserve(1), Err(Error::EntriesFull));
        arena.release(items[1]);

        arena.reserve(1).expect("one is free");
        assert_eq!(arena.alloc(), items[1]);
    }

    #[test]
    fn items_are_zero_until_they_are_written() {
        let mut arena: Arena<[u8; 3]> = Arena::new(u32::MAX);
        arena.extend_to(300_000).expect("room");

        assert!((0..=300_000).all(|index| *arena.get(index) == [0; 3]));
        assert!(arena.try_get(300_001).is_none());
    }
}
