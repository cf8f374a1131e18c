//! The members' texts, back to back.
//!
//! 28 members share one cache line that says where their texts end; with the texts themselves a
//! member costs its bytes and little more than two. A text never crosses a page, so that it can be
//! compared in place.

use crate::arena::{Arena, Plain};
use crate::error::Error;

const PAGE: usize = 4096;
const PAGE_BYTES: u64 = PAGE as u64;
const GROUP: u32 = 28;

/// Where the texts of 28 members end, counted from the end of the text before the first.
#[derive(Copy, Clone)]
#[repr(C, align(64))]
struct Group {
    base: u64,
    ends: [u16; GROUP as usize],
}

// SAFETY: a repr(C) struct of integers and an array of them.
unsafe impl Plain for Group {}

/// All texts by member number.
pub(crate) struct TextStore {
    groups: Arena<Group>,
    pages: Arena<[u8; PAGE]>,
    len: u32,
    end: u64,
}

impl TextStore {
    pub(crate) const fn new() -> Self {
        Self {
            groups: Arena::new(u32::MAX),
            pages: Arena::new(u32::MAX),
            len: 0,
            end: 0,
        }
    }

    /// How many texts there are.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// Bytes of the texts, and of what tells their ends.
    pub(crate) fn bytes(&self) -> (u64, u64) {
        (self.pages.bytes(), self.groups.bytes())
    }

    /// Append a text; its number is the count of those before.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<(), Error> {
        let bytes = text.len() as u64;
        let is_crossing =
            self.end / PAGE_BYTES != (self.end + bytes).saturating_sub(1) / PAGE_BYTES;
        let start = if is_crossing {
            self.end.next_multiple_of(PAGE_BYTES)
        } else {
            self.end
        };
        let end = start + bytes;
        let page = u32::try_from(start / PAGE_BYTES).map_err(|_| Error::MembersFull)?;
        let (group, at) = (self.len / GROUP, (self.len % GROUP) as usize);
        self.groups.extend_to(group)?;
        if bytes > 0 {
            self.pages.extend_to(page)?;
            let offset = Self::offset(start);
            self.pages.get_mut(page)[offset..offset + text.len()].copy_from_slice(text);
        }
        let entry = self.groups.get_mut(group);
        if at == 0 {
            entry.base = self.end;
        }
        // 28 texts of 256 bytes, each with less padding than that, stay far below 65,536.
        entry.ends[at] = u16::try_from(end - entry.base).map_err(|_| Error::BadTexts)?;
        self.end = end;
        self.len += 1;
        Ok(())
    }

    fn offset(start: u64) -> usize {
        usize::try_from(start % PAGE_BYTES).unwrap_or(0)
    }

    /// Where a text begins and ends. One that would have crossed a page begins on the next.
    #[inline]
    fn span(&self, member: u32) -> (u64, u64) {
        let group = self.groups.get(member / GROUP);
        let at = (member % GROUP) as usize;
        let before = if at == 0 { 0 } else { group.ends[at - 1] };
        let (start, end) = (
            group.base + u64::from(before),
            group.base + u64::from(group.ends[at]),
        );
        if start == end {
            return (start, end);
        }
        (start.max((end - 1) & !(PAGE_BYTES - 1)), end)
    }

    /// The text of a member.
    #[inline]
    pub(crate) fn get(&self, member: u32) -> &[u8] {
        let (start, end) = self.span(member);
        if start == end {
            return &[];
        }
        let offset = Self::offset(start);
        let length = Self::offset(end - start);
        &self.pages.get(Self::page(start))[offset..offset + length]
    }

    fn page(start: u64) -> u32 {
        u32::try_from(start / PAGE_BYTES).unwrap_or(u32::MAX)
    }

    /// Prefetch what says where the text of a member is.
    #[inline]
    pub(crate) fn prefetch_span(&self, member: u32) {
        crate::lanes::prefetch(self.groups.hint(member / GROUP));
    }
}

#[cfg(test)]
mod tests {
    use super::TextStore;

    #[test]
    fn texts_of_all_lengths_come_back() {
        let texts: Vec<Vec<u8>> = (0..4000_usize)
            .map(|at| vec![u8::try_from(at % 251).unwrap(); (at * 7919) % 257])
            .collect();
        let mut store = TextStore::new();
        for text in &texts {
            store.push(text).expect("room");
        }

        for (member, text) in (0..).zip(&texts) {
            assert_eq!(store.get(member), text);
        }
    }
}
