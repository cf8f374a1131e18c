//! The shapes in which batches come in and rows go out: columns of plain buffers.

use crate::error::Error;

/// The most columns a period may have.
pub const COLUMNS_MAX: usize = 5;

/// The longest text, in bytes.
pub const TEXT_BYTES_MAX: usize = 256;

/// The handle of a period. It is given out again after the period was dropped.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PeriodId(pub u32);

/// Many texts back to back: text `i` is `bytes[ends[i - 1]..ends[i]]`, the first begins at 0.
///
/// The engine compares bytes and never asks whether they are UTF-8.
#[derive(Copy, Clone, Debug)]
pub struct Texts<'a> {
    /// All texts, one after the other.
    pub bytes: &'a [u8],
    /// Where each text ends.
    pub ends: &'a [u32],
}

impl<'a> Texts<'a> {
    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Text `index` of texts that were checked.
    pub(crate) fn get(&self, index: usize) -> &'a [u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start as usize..self.ends[index] as usize]
    }

    /// Refuse texts that [`get`](Self::get) could not give, or that are too long.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut start = 0;
        for &end in self.ends {
            if end < start || (end - start) as usize > TEXT_BYTES_MAX {
                return Err(Error::BadTexts);
            }
            start = end;
        }
        if start as usize > self.bytes.len() {
            return Err(Error::BadTexts);
        }
        Ok(())
    }
}

/// A batch of moves: after each, the entry of its period and player is exactly what it says.
#[derive(Copy, Clone, Debug)]
pub struct Moves<'a> {
    /// The period of each move.
    pub periods: &'a [PeriodId],
    /// The player of each move.
    pub players: Texts<'a>,
    /// The columns of all moves, one after the other, of each as many as its period has.
    pub columns: &'a [i64],
    /// When each entry reached these columns.
    pub reached_at: &'a [i64],
    /// Which rank each move is asked for: 0 none, else the code of a [`Numbering`].
    pub numbering: &'a [u8],
}

/// How entries are numbered that are equal in all columns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Numbering {
    /// 1, 2, 3, 4: by `reached_at`, then by the player's bytes. Code 1.
    Ordinal,
    /// 1, 2, 2, 4. Code 2.
    Shared,
    /// 1, 2, 2, 3. Code 3.
    Dense,
}

impl Numbering {
    /// The numbering of a code in [`Moves::numbering`]; nothing for 0.
    ///
    /// # Errors
    /// [`Error::BadColumns`] for a code that is none.
    pub fn from_code(code: u8) -> Result<Option<Self>, Error> {
        match code {
            0 => Ok(None),
            1 => Ok(Some(Self::Ordinal)),
            2 => Ok(Some(Self::Shared)),
            3 => Ok(Some(Self::Dense)),
            _ => Err(Error::BadColumns),
        }
    }
}

/// Everything that one look-up tells about an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// How many entries stand before it; its ordinal rank is one more.
    pub index: u64,
    /// How many entries are strictly better in their columns; its shared rank is one more.
    pub above: u64,
    /// How many distinct scores are strictly better; its dense rank is one more.
    pub distinct_above: u64,
    /// How many entries the period has.
    pub total: u64,
    /// Its columns.
    pub columns: Vec<i64>,
    /// When it reached them.
    pub reached_at: i64,
}

/// Rows of a period as columns; may be used again after [`clear`](Self::clear).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// The players' texts, one after the other.
    pub bytes: Vec<u8>,
    /// Where each text ends.
    pub ends: Vec<u32>,
    /// The columns of all rows, one after the other.
    pub columns: Vec<i64>,
    /// When each entry reached its columns.
    pub reached_at: Vec<i64>,
}

impl Rows {
    /// How many rows it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it holds no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Forget the rows and keep the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.columns.clear();
        self.reached_at.clear();
    }

    /// The texts of the players.
    #[must_use]
    pub fn players(&self) -> Texts<'_> {
        Texts {
            bytes: &self.bytes,
            ends: &self.ends,
        }
    }

    /// Put one player's text at the end.
    ///
    /// # Errors
    /// [`Error::BadTexts`] when the texts together no longer fit 32 bits.
    pub(crate) fn push_player(&mut self, text: &[u8]) -> Result<(), Error> {
        let end = u32::try_from(self.bytes.len() + text.len()).map_err(|_| Error::BadTexts)?;
        self.bytes.extend_from_slice(text);
        self.ends.push(end);
        Ok(())
    }
}
