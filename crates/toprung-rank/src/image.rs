//! Images: an engine as one stream of bytes, for a quick start.
//!
//! ```text
//! image   = "toprungi" version:u32 block*
//! block   = kind:u8 length:u32 payload check:u64
//! ```
//! All numbers are little-endian. `check` is the hash of the payload after the check of the block
//! before, the kind and the length, so that a block that is changed, lost, moved or cut off is
//! noticed before anything in it is believed. Kinds, each with its payload:
//!
//! - 1 header: a piece of the caller's bytes
//! - 2 members: `count:u32 length:u16*count texts`, numbered on from the members before
//! - 3 period: `handle:u32 total:u64`, then a byte for each column: 1 where larger is better
//! - 4 entries of the period before, in order: pieces of `count:u8 part:u64*count*width
//!   member:u32*count`, where parts are keys as the engine compares them
//! - 5 end: `members:u32 periods:u32`

use crate::batch::{PeriodId, TEXT_BYTES_MAX};
use crate::engine::Engine;
use crate::error::Error;
use crate::hash::hash;
use crate::members::Members;
use crate::period::{self, Loader, Period};
use crate::view::ReadView;
use std::io::{self, Read, Write};

const MAGIC: &[u8; 8] = b"toprungi";
const VERSION: u32 = 1;
/// A block is written when its payload has reached this.
const BLOCK_BYTES: usize = 1 << 18;
/// No block is longer: a block is full, plus one piece or one text.
const BLOCK_BYTES_MAX: usize = BLOCK_BYTES + 4096;

const HEADER: u8 = 1;
const MEMBERS: u8 = 2;
const PERIOD: u8 = 3;
const ENTRIES: u8 = 4;
const END: u8 = 5;

fn check_of(chain: u64, kind: u8, payload: &[u8]) -> u64 {
    let head = u64::from(kind) << 56 ^ payload.len() as u64;
    hash(chain.rotate_left(32) ^ head, payload)
}

/// How far an image is written; see [`ImageWriter::pause`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Written {
    chain: u64,
    members: u32,
    periods: u32,
}

/// Writes an image one period at a time, or a part of one, so that a caller may let others have the
/// engine between.
///
/// Each period is written at most once, from a view or as it is at that moment. The image is whole
/// after [`finish`](Self::finish).
pub struct ImageWriter<'w> {
    out: &'w mut dyn Write,
    written: Written,
}

impl<'w> ImageWriter<'w> {
    /// Begin an image. The `header` is the caller's own and comes back as it was.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn new(header: &[u8], out: &'w mut dyn Write) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        let written = Written {
            chain: u64::from(VERSION),
            members: 0,
            periods: 0,
        };
        let mut writer = Self { out, written };
        for piece in header.chunks(BLOCK_BYTES) {
            writer.block(HEADER, piece)?;
        }
        Ok(writer)
    }

    /// Stop for now, so that the image can be continued elsewhere.
    #[must_use]
    pub fn pause(self) -> Written {
        self.written
    }

    /// Go on where an image was paused, after what was written until then.
    pub fn resume(written: Written, out: &'w mut dyn Write) -> Self {
        Self { out, written }
    }

    /// Write the next members, at most `most`; tells whether all of the engine are written.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn members(&mut self, engine: &Engine, most: u32) -> io::Result<bool> {
        let all = engine.members.len();
        let stop = self.written.members.saturating_add(most).min(all);
        self.new_members(&engine.members, stop)?;
        Ok(stop == all)
    }

    /// Write the entries `start..stop` of a period as it was when the view was taken. Parts of a
    /// period follow each other from 0 to its total, with nothing else between.
    ///
    /// # Errors
    /// What `out` reports, or [`Error::UnknownPeriod`] inside an [`io::Error`].
    pub fn view_part(
        &mut self,
        engine: &Engine,
        view: &ReadView,
        start: u64,
        stop: u64,
    ) -> io::Result<()> {
        if start == 0 {
            self.begin_period(engine, view.period, view.total())?;
        }
        self.entries(engine, view.period, Some(view.number), (start, stop))
    }

    /// Write a period as it is.
    ///
    /// # Errors
    /// What `out` reports, or [`Error::UnknownPeriod`] inside an [`io::Error`].
    pub fn period(&mut self, engine: &Engine, period: PeriodId) -> io::Result<()> {
        let total = engine.total(period)?;
        self.begin_period(engine, period, total)?;
        self.entries(engine, period, None, (0, total))
    }

    /// Write a period as it was when the view was taken.
    ///
    /// # Errors
    /// What `out` reports, or [`Error::UnknownPeriod`] inside an [`io::Error`].
    pub fn view(&mut self, engine: &Engine, view: &ReadView) -> io::Result<()> {
        self.view_part(engine, view, 0, view.total())
    }

    /// End the image.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn finish(mut self) -> io::Result<()> {
        let mut payload = self.written.members.to_le_bytes().to_vec();
        payload.extend(self.written.periods.to_le_bytes());
        self.block(END, &payload)?;
        self.out.flush()
    }

    fn block(&mut self, kind: u8, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
        self.written.chain = check_of(self.written.chain, kind, payload);
        self.out.write_all(&[kind])?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(payload)?;
        self.out.write_all(&self.written.chain.to_le_bytes())
    }

    /// Write the members up to `stop` that are not in the image yet.
    fn new_members(&mut self, members: &Members, stop: u32) -> io::Result<()> {
        let (mut lengths, mut texts, mut count) = (Vec::new(), Vec::new(), 0_u32);
        while self.written.members < stop {
            let text = members.text(self.written.members);
            lengths.extend(
                u16::try_from(text.len())
                    .map_err(io::Error::other)?
                    .to_le_bytes(),
            );
            texts.extend_from_slice(text);
            (self.written.members, count) = (self.written.members + 1, count + 1);
            if lengths.len() + texts.len() >= BLOCK_BYTES || self.written.members == stop {
                let payload = [&count.to_le_bytes()[..], &lengths, &texts].concat();
                self.block(MEMBERS, &payload)?;
                lengths.clear();
                texts.clear();
                count = 0;
            }
        }
        Ok(())
    }

    fn begin_period(&mut self, engine: &Engine, id: PeriodId, total: u64) -> io::Result<()> {
        let period = engine.period(id)?;
        self.new_members(&engine.members, engine.members.len())?;
        let mut payload = id.0.to_le_bytes().to_vec();
        payload.extend(total.to_le_bytes());
        payload.extend(period.descending().into_iter().map(u8::from));
        self.written.periods += 1;
        self.block(PERIOD, &payload)
    }

    fn entries(
        &mut self,
        engine: &Engine,
        id: PeriodId,
        view: Option<u64>,
        span: (u64, u64),
    ) -> io::Result<()> {
        let mut payload = Vec::new();
        engine
            .period(id)?
            .scan_keys(view, span, &mut |parts, ids| {
                payload.push(u8::try_from(ids.len()).map_err(io::Error::other)?);
                append(&mut payload, parts, u64::to_le_bytes);
                append(&mut payload, ids, u32::to_le_bytes);
                if payload.len() >= BLOCK_BYTES {
                    self.block(ENTRIES, &payload)?;
                    payload.clear();
                }
                Ok(())
            })?;
        if payload.is_empty() {
            Ok(())
        } else {
            self.block(ENTRIES, &payload)
        }
    }
}

/// Append numbers as bytes, all in one stretch: a loop that copies, not one that grows.
fn append<T: Copy, const N: usize>(payload: &mut Vec<u8>, items: &[T], bytes: fn(T) -> [u8; N]) {
    let start = payload.len();
    payload.resize(start + items.len() * N, 0);
    for (place, &item) in payload[start..].chunks_exact_mut(N).zip(items) {
        place.copy_from_slice(&bytes(item));
    }
}

fn damaged(what: impl Into<String>) -> Error {
    Error::Damaged(what.into())
}

/// Takes numbers from the front of a payload.
struct Payload<'a>(&'a [u8]);

impl<'a> Payload<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| damaged("a block is short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn end(&self) -> Result<(), Error> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(damaged("a block is long"))
        }
    }
}

/// A period of which entries are still to come.
struct Unfinished {
    handle: u32,
    left: u64,
    loader: Box<dyn Loader>,
}

/// What was read so far.
struct ImageReader {
    header: Vec<u8>,
    members: Members,
    periods: Vec<Option<Box<dyn Period>>>,
    periods_read: u32,
    unfinished: Option<Unfinished>,
}

impl ImageReader {
    /// Take in a block; `true` for the last.
    fn block(&mut self, kind: u8, payload: &[u8]) -> Result<bool, Error> {
        if self.unfinished.is_some() != (kind == ENTRIES) {
            return Err(damaged("a block is out of place"));
        }
        let mut payload = Payload(payload);
        match kind {
            HEADER => self.header.extend_from_slice(payload.0),
            MEMBERS => self.members(&mut payload)?,
            PERIOD => self.period(&mut payload)?,
            ENTRIES => self.entries(&mut payload)?,
            END => return self.end(&mut payload),
            _ => return Err(damaged("a block of no known kind")),
        }
        Ok(false)
    }

    fn members(&mut self, payload: &mut Payload<'_>) -> Result<(), Error> {
        let count = payload.u32()? as usize;
        let lengths = payload.bytes(
            count
                .checked_mul(2)
                .ok_or_else(|| damaged("too many members"))?,
        )?;
        for length in lengths.chunks_exact(2) {
            let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
            if length > TEXT_BYTES_MAX {
                return Err(damaged("a text is too long"));
            }
            self.members.append(payload.bytes(length)?)?;
        }
        payload.end()
    }

    fn period(&mut self, payload: &mut Payload<'_>) -> Result<(), Error> {
        let handle = payload.u32()?;
        let total = u64::from_le_bytes(payload.array()?);
        let descending: Vec<bool> = payload.0.iter().map(|&flag| flag == 1).collect();
        let loader = period::loader(&descending).map_err(|_| damaged("a period has no columns"))?;
        self.unfinished = Some(Unfinished {
            handle,
            left: total,
            loader,
        });
        if total == 0 {
            self.finish_period()
        } else {
            Ok(())
        }
    }

    fn entries(&mut self, payload: &mut Payload<'_>) -> Result<(), Error> {
        let Some(unfinished) = &mut self.unfinished else {
            return Err(damaged("entries of no period"));
        };
        let key_bytes = unfinished.loader.key_bytes();
        while !payload.0.is_empty() {
            let count = usize::from(payload.array::<1>()?[0]);
            let (parts, ids) = (payload.bytes(count * key_bytes)?, payload.bytes(count * 4)?);
            let left = unfinished.left.checked_sub(count as u64);
            unfinished.left =
                left.ok_or_else(|| damaged("a period has more entries than it says"))?;
            unfinished.loader.push(parts, ids)?;
        }
        if unfinished.left == 0 {
            self.finish_period()
        } else {
            Ok(())
        }
    }

    fn finish_period(&mut self) -> Result<(), Error> {
        let Some(Unfinished { handle, loader, .. }) = self.unfinished.take() else {
            return Ok(());
        };
        let slot = handle as usize;
        if handle >= period::PERIODS_MAX || matches!(self.periods.get(slot), Some(Some(_))) {
            return Err(damaged("a period's handle is taken"));
        }
        let period = loader.finish(&self.members, u32::MAX)?;
        let period = period.ok_or_else(|| damaged("entries are out of order"))?;
        if slot >= self.periods.len() {
            self.periods.resize_with(slot + 1, || None);
        }
        self.periods[slot] = Some(period);
        self.periods_read += 1;
        Ok(())
    }

    fn end(&mut self, payload: &mut Payload<'_>) -> Result<bool, Error> {
        let counts = (payload.u32()?, payload.u32()?);
        payload.end()?;
        if counts != (self.members.len(), self.periods_read) {
            return Err(damaged("members or periods are missing"));
        }
        Ok(true)
    }

    fn into_engine(mut self) -> Result<(Engine, Vec<u8>), Error> {
        if !self.members.index()? {
            return Err(damaged("two members are the same"));
        }
        let mut engine = Engine::new();
        engine.restore(self.members, self.periods);
        Ok((engine, self.header))
    }
}

/// Read `bytes`, where an early end is damage like any other.
fn read_exact(input: &mut dyn Read, bytes: &mut [u8]) -> Result<(), Error> {
    input
        .read_exact(bytes)
        .map_err(|error| damaged(format!("it cannot be read: {error}")))
}

/// Read the next block into `payload`; its kind.
fn read_block(input: &mut dyn Read, chain: &mut u64, payload: &mut Vec<u8>) -> Result<u8, Error> {
    let (mut kind, mut length, mut check) = ([0], [0; 4], [0; 8]);
    read_exact(input, &mut kind)?;
    read_exact(input, &mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > BLOCK_BYTES_MAX {
        return Err(damaged("a block is too long"));
    }
    payload.resize(length, 0);
    read_exact(input, payload)?;
    read_exact(input, &mut check)?;
    *chain = check_of(*chain, kind[0], payload);
    if u64::from_le_bytes(check) == *chain {
        Ok(kind[0])
    } else {
        Err(damaged("a check fails"))
    }
}

impl Engine {
    /// Write the whole engine as an image; see [`ImageWriter`] for one that can pause.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write_image(&self, header: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let mut writer = ImageWriter::new(header, out)?;
        for period in self.periods() {
            writer.period(self, period)?;
        }
        writer.finish()
    }

    /// Read an image: the engine, its periods under the handles they had, and the caller's header.
    ///
    /// # Errors
    /// [`Error::Damaged`] when anything at all is not as it was written, or cannot be read;
    /// [`Error::MembersFull`], [`Error::EntriesFull`], [`Error::OutOfMemory`].
    pub fn read_image(input: &mut dyn Read) -> Result<(Self, Vec<u8>), Error> {
        let (mut magic, mut version) = ([0; 8], [0; 4]);
        read_exact(input, &mut magic)?;
        read_exact(input, &mut version)?;
        if magic != *MAGIC || u32::from_le_bytes(version) != VERSION {
            return Err(damaged("not an image of this version"));
        }
        let mut reader = ImageReader {
            header: Vec::new(),
            members: Members::new(u32::MAX),
            periods: Vec::new(),
            periods_read: 0,
            unfinished: None,
        };
        let (mut chain, mut payload) = (u64::from(VERSION), Vec::new());
        loop {
            let kind = read_block(input, &mut chain, &mut payload)?;
            if reader.block(kind, &payload)? {
                break;
            }
        }
        match input.read(&mut [0]) {
            Ok(0) => reader.into_engine(),
            _ => Err(damaged("something follows its end")),
        }
    }
}
