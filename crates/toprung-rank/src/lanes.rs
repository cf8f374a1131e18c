//! Searching short arrays of 32-bit numbers several at a time, and prefetching.

/// Ask for the cache line at `address`, which need not be valid.
#[inline]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is a hint; it reads nothing and cannot fault, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

/// Ask for `bytes` from `address` on, line by line.
#[inline]
pub(crate) fn prefetch_span<T>(address: *const T, bytes: usize) {
    for offset in (0..bytes).step_by(64) {
        prefetch(address.cast::<u8>().wrapping_add(offset));
    }
}

/// Ask for the cache lines of the first and the last of some bytes.
#[inline]
pub(crate) fn prefetch_ends(bytes: &[u8]) {
    let range = bytes.as_ptr_range();
    prefetch(range.start);
    prefetch(range.end.wrapping_sub(1));
}

/// Bit `i` says whether item `i`, shifted right by `shift`, is `wanted`.
#[inline]
pub(crate) fn matches(items: &[u32; 16], shift: u32, wanted: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE2 belongs to every x86_64 processor; the four loads need no alignment and cover
    // exactly the sixteen items.
    unsafe {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi32, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_movemask_epi8,
            _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32, _mm_srl_epi32,
        };
        let signed = |number: u32| i32::from_ne_bytes(number.to_ne_bytes());
        #[allow(clippy::cast_ptr_alignment)]
        let start = items.as_ptr().cast::<__m128i>();
        let distance = _mm_cvtsi32_si128(signed(shift));
        let target = _mm_set1_epi32(signed(wanted));
        let lanes = |at| {
            _mm_cmpeq_epi32(
                _mm_srl_epi32(_mm_loadu_si128(start.add(at)), distance),
                target,
            )
        };
        let low = _mm_packs_epi32(lanes(0), lanes(1));
        let high = _mm_packs_epi32(lanes(2), lanes(3));
        u32::from_ne_bytes(_mm_movemask_epi8(_mm_packs_epi16(low, high)).to_ne_bytes())
    }
    #[cfg(not(target_arch = "x86_64"))]
    items.iter().enumerate().fold(0, |mask, (at, &item)| {
        mask | (u32::from(item.checked_shr(shift).unwrap_or(0) == wanted) << at)
    })
}

/// Bit `i` says whether item `i` is `wanted`.
#[inline]
pub(crate) fn matches_63(items: &[u32; 63], wanted: u32) -> u64 {
    // The last block begins with the last item of the block before it.
    [0, 16, 32, 47].into_iter().fold(0, |mask, start| {
        let block = items[start..].first_chunk::<16>();
        let here = block.map_or(0, |block| matches(block, 0, wanted));
        mask | u64::from(here) << start
    })
}

/// The index of the first item that is `wanted`.
#[inline]
pub(crate) fn find(items: &[u32], wanted: u32) -> Option<usize> {
    let mut rest = items;
    while let Some((block, after)) = rest.split_first_chunk::<16>() {
        let mask = matches(block, 0, wanted);
        if mask != 0 {
            return Some(items.len() - rest.len() + mask.trailing_zeros() as usize);
        }
        rest = after;
    }
    let at = rest.iter().position(|&item| item == wanted)?;
    Some(items.len() - rest.len() + at)
}

#[cfg(test)]
mod tests {
    use super::{find, matches, matches_63};

    #[test]
    fn find_tells_the_first_of_equal_items() {
        for len in 0..70_u32 {
            let items: Vec<u32> = (0..len).map(|item| item / 2).collect();
            for wanted in 0..40 {
                assert_eq!(
                    find(&items, wanted),
                    items.iter().position(|&item| item == wanted)
                );
            }
        }
    }

    #[test]
    fn matches_63_tells_every_equal_item() {
        for wanted in 0..63 {
            let items: [u32; 63] = std::array::from_fn(|item| u32::from(item == wanted));
            assert_eq!(matches_63(&items, 1), 1 << wanted);
        }
        assert_eq!(matches_63(&[7; 63], 7), u64::MAX >> 1);
    }

    #[test]
    fn matches_compares_the_high_bits() {
        let items: [u32; 16] =
            std::array::from_fn(|item| u32::try_from(item).unwrap() << 28 | 0x4d);

        assert_eq!(matches(&items, 28, 5), 1 << 5);
        assert_eq!(matches(&[u32::MAX; 16], 0, u32::MAX), 0xffff);
    }
}
