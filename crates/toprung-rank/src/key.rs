//! Keys: the columns of an entry and its `reached_at`, turned so that the smaller one ranks first.
//!
//! `W` is the number of parts: the columns and `reached_at`. Each part is the signed number with its
//! sign bit flipped, and all bits flipped where larger is better; both are exclusive ors, so every
//! 64-bit number keeps its place and one pass turns a key either way.

/// The parts of a key.
pub(crate) type Key<const W: usize> = [u64; W];

const ASCENDING: u64 = 1 << 63;
const DESCENDING: u64 = !ASCENDING;

const fn unsigned(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

const fn signed(number: u64) -> i64 {
    i64::from_ne_bytes(number.to_ne_bytes())
}

/// How a period's columns become keys.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Order<const W: usize> {
    flips: [u64; W],
}

impl<const W: usize> Order<W> {
    /// The order of columns of which `descending` are better when larger.
    pub(crate) fn new(descending: &[bool]) -> Self {
        let mut flips = [ASCENDING; W];
        for (flip, &down) in flips.iter_mut().zip(descending) {
            *flip = if down { DESCENDING } else { ASCENDING };
        }
        Self { flips }
    }

    /// For each column whether larger is better.
    pub(crate) fn descending(&self) -> impl Iterator<Item = bool> {
        self.flips[..W - 1].iter().map(|&flip| flip == DESCENDING)
    }

    /// The key of columns and an instant.
    #[inline]
    pub(crate) fn key(&self, columns: &[i64], reached_at: i64) -> Key<W> {
        let mut key = [0; W];
        for (at, part) in key[..W - 1].iter_mut().enumerate() {
            *part = unsigned(columns[at]) ^ self.flips[at];
        }
        key[W - 1] = unsigned(reached_at) ^ ASCENDING;
        key
    }

    /// The smallest key (`rest` 0) or the largest (`rest` all ones) that begins with `columns`.
    pub(crate) fn bound(&self, columns: &[i64], rest: u64) -> Key<W> {
        let mut key = [rest; W];
        for ((part, &column), &flip) in key.iter_mut().zip(columns).zip(&self.flips) {
            *part = unsigned(column) ^ flip;
        }
        key
    }

    /// Append the columns of a key to `out`.
    pub(crate) fn read_columns(&self, key: &Key<W>, out: &mut Vec<i64>) {
        let columns = key[..W - 1].iter().zip(&self.flips);
        out.extend(columns.map(|(&part, &flip)| signed(part ^ flip)));
    }
}

/// The instant of a key.
pub(crate) fn reached_at<const W: usize>(key: &Key<W>) -> i64 {
    signed(key[W - 1] ^ ASCENDING)
}

/// Whether `left` ranks before `right`.
#[inline]
pub(crate) fn less<const W: usize>(left: &Key<W>, right: &Key<W>) -> bool {
    if W == 2 {
        // One comparison of 128 bits needs no branch between the parts.
        let wide = |key: &Key<W>| (u128::from(key[0]) << 64) | u128::from(key[1]);
        return wide(left) < wide(right);
    }
    left < right
}

/// Whether two keys are equal in all columns.
#[inline]
pub(crate) fn same_columns<const W: usize>(left: &Key<W>, right: &Key<W>) -> bool {
    left[..W - 1] == right[..W - 1]
}

#[cfg(test)]
mod tests {
    use super::{Order, less, reached_at};

    const NUMBERS: [i64; 7] = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];

    #[test]
    fn keys_order_as_the_numbers_do() {
        for (down, order) in [false, true].map(|down| (down, Order::<2>::new(&[down]))) {
            for (left, right) in NUMBERS
                .iter()
                .flat_map(|l| NUMBERS.iter().map(move |r| (l, r)))
            {
                let expected = if down { left > right } else { left < right };
                let (a, b) = (order.key(&[*left], 7), order.key(&[*right], 7));

                assert_eq!(less(&a, &b), expected);
                assert_eq!(
                    less(&order.key(&[3], *left), &order.key(&[3], *right)),
                    left < right
                );
            }
        }
    }

    #[test]
    fn keys_read_back() {
        let order = Order::<4>::new(&[true, false, true]);
        for number in NUMBERS {
            let mut columns = Vec::new();
            let key = order.key(&[number, number, 5], number);
            order.read_columns(&key, &mut columns);

            assert_eq!(columns, [number, number, 5]);
            assert_eq!(reached_at(&key), number);
        }
    }
}
