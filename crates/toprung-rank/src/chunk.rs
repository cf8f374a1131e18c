//! Zeroed memory, straight from the system where that is better.
//!
//! A large chunk comes from `mmap`: its pages cost nothing until they are first used, so a chunk
//! may be asked for long before it is full, and they are huge pages where the system allows it, for
//! random access to gigabytes spends a quarter of its time on page tables otherwise.

use crate::error::Error;
use std::alloc::Layout;
use std::ptr::NonNull;

const ALIGN: usize = 64;

/// One piece of zeroed memory, at least 64-byte aligned, given back when dropped.
pub(crate) struct Chunk {
    start: NonNull<u8>,
    bytes: usize,
    is_mapped: bool,
}

// SAFETY: a chunk owns its memory alone, like a `Box<[u8]>`.
unsafe impl Send for Chunk {}
// SAFETY: a shared chunk gives nothing but its address.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// Take `bytes` (not 0) of zeroed memory.
    pub(crate) fn zeroed(bytes: usize) -> Result<Self, Error> {
        assert!(bytes > 0, "a chunk holds something");
        if system::MAPS && bytes >= system::MAP_BYTES_MIN {
            let start = system::map(bytes).ok_or(Error::OutOfMemory)?;
            return Ok(Self {
                start,
                bytes,
                is_mapped: true,
            });
        }
        let layout = Layout::from_size_align(bytes, ALIGN).map_err(|_| Error::OutOfMemory)?;
        // SAFETY: the layout's size is not zero, as asserted above.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        Ok(Self {
            start: NonNull::new(start).ok_or(Error::OutOfMemory)?,
            bytes,
            is_mapped: false,
        })
    }

    /// Whether pages that were never touched take no memory.
    pub(crate) fn is_lazy(&self) -> bool {
        self.is_mapped
    }

    /// Where it begins.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if self.is_mapped {
            // SAFETY: `zeroed` got exactly this range from `map`, and nothing outlives its chunk.
            unsafe { system::unmap(self.start, self.bytes) };
            return;
        }
        if let Ok(layout) = Layout::from_size_align(self.bytes, ALIGN) {
            // SAFETY: `zeroed` allocated the memory with this very layout.
            unsafe { std::alloc::dealloc(self.start.as_ptr(), layout) };
        }
    }
}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64"),
    not(miri)
))]
mod system {
    use std::ffi::{c_int, c_long, c_void};
    use std::ptr::NonNull;

    pub(super) const MAPS: bool = true;
    pub(super) const MAP_BYTES_MIN: usize = 256 << 10;
    const HUGE_PAGE: usize = 2 << 20;
    const PROT_READ_WRITE: c_int = 1 | 2;
    const MAP_PRIVATE_ANONYMOUS: c_int = 0x02 | 0x20;
    const MADV_HUGEPAGE: c_int = 14;

    unsafe extern "C" {
        fn mmap(
            address: *mut c_void,
            bytes: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: c_long,
        ) -> *mut c_void;
        fn munmap(address: *mut c_void, bytes: usize) -> c_int;
        fn madvise(address: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    fn map_plain(bytes: usize) -> Option<NonNull<u8>> {
        // SAFETY: a private anonymous mapping at an address of the system's choice touches no
        // memory that is in use.
        let start = unsafe {
            mmap(
                std::ptr::null_mut(),
                bytes,
                PROT_READ_WRITE,
                MAP_PRIVATE_ANONYMOUS,
                -1,
                0,
            )
        };
        if start.addr() == usize::MAX {
            return None;
        }
        NonNull::new(start.cast())
    }

    /// Map zeroed memory; a large piece begins on a huge page's boundary and asks for huge pages.
    pub(super) fn map(bytes: usize) -> Option<NonNull<u8>> {
        if bytes < 2 * HUGE_PAGE {
            return map_plain(bytes);
        }
        let whole = map_plain(bytes.checked_add(HUGE_PAGE)?)?.as_ptr();
        let head = whole.addr().wrapping_neg() % HUGE_PAGE;
        // SAFETY: `head` is less than HUGE_PAGE, so `start` and the `bytes` after it lie inside the
        // mapping; the pieces before and after are ours, page-aligned and never used again. Advice
        // does not change what the memory holds, and may be refused.
        unsafe {
            let start = whole.add(head);
            if head > 0 {
                munmap(whole.cast(), head);
            }
            let end = bytes.next_multiple_of(4096);
            if HUGE_PAGE - head > end - bytes {
                munmap(start.add(end).cast(), HUGE_PAGE - head - (end - bytes));
            }
            madvise(start.cast(), bytes, MADV_HUGEPAGE);
            NonNull::new(start)
        }
    }

    /// Give a mapping back.
    ///
    /// # Safety
    /// The range is one that `map` gave, and nothing refers to it any more.
    pub(super) unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { munmap(start.as_ptr().cast(), bytes) };
    }
}

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64"),
    not(miri)
)))]
mod system {
    use std::ptr::NonNull;

    pub(super) const MAPS: bool = false;
    pub(super) const MAP_BYTES_MIN: usize = usize::MAX;

    pub(super) fn map(_bytes: usize) -> Option<NonNull<u8>> {
        None
    }

    /// Nothing was mapped, so there is nothing to give back.
    ///
    /// # Safety
    /// None needed; it mirrors the version that maps.
    pub(super) unsafe fn unmap(_start: NonNull<u8>, _bytes: usize) {}
}
