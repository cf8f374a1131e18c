//! `RankImage`: an image of an engine that is written part by part.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use pyo3::prelude::*;
use toprung_rank::{Engine, Error, ImageWriter, PeriodId, ReadView, Written};

/// A part is given out when it has reached this many bytes; it takes some 0.2 ms to make.
const PART_BYTES: usize = 1 << 18;
const PART_MEMBERS: u32 = 1 << 13;
const PART_ENTRIES: u64 = 1 << 13;

/// So many bytes of a file are read at a time.
const READ_BYTES: usize = 1 << 20;

/// An image on its way: one moment of some periods, and how far it is written.
#[pyclass(module = "toprung._native._core")]
pub struct RankImage {
    views: Vec<ReadView>,
    written: Written,
    part: Vec<u8>,
    stage: Stage,
}

/// What is to be written next.
#[derive(Clone, Copy)]
enum Stage {
    Members,
    /// From this entry of that view on.
    Entries(usize, u64),
    End,
    Nothing,
}

impl RankImage {
    /// Takes the moment; all periods stand still in it.
    pub fn begin(engine: &mut Engine, periods: &[PeriodId], header: &[u8]) -> Result<Self, Error> {
        let mut part = Vec::new();
        let written = ImageWriter::new(header, &mut part)
            .map_err(|error| unwritten(&error))?
            .pause();
        let mut image = Self {
            views: Vec::new(),
            written,
            part,
            stage: Stage::Members,
        };
        for period in periods {
            match engine.read_view(*period) {
                Ok(view) => image.views.push(view),
                Err(error) => {
                    image.end(engine);
                    return Err(error);
                }
            }
        }
        Ok(image)
    }

    /// Gives the moment back.
    pub fn end(&mut self, engine: &mut Engine) {
        for view in self.views.drain(..) {
            engine.close_view(view);
        }
        self.stage = Stage::Nothing;
    }

    /// The next bytes of the image; none when it is whole.
    pub fn next(&mut self, engine: &Engine) -> Result<Vec<u8>, Error> {
        while self.part.len() < PART_BYTES && !matches!(self.stage, Stage::Nothing) {
            self.write_more(engine).map_err(|error| unwritten(&error))?;
        }
        Ok(std::mem::take(&mut self.part))
    }

    fn write_more(&mut self, engine: &Engine) -> io::Result<()> {
        let mut writer = ImageWriter::resume(self.written, &mut self.part);
        self.stage = match self.stage {
            Stage::Members if writer.members(engine, PART_MEMBERS)? => Stage::Entries(0, 0),
            Stage::Members => Stage::Members,
            Stage::Entries(at, _) if at == self.views.len() => Stage::End,
            Stage::Entries(at, from) => {
                let view = &self.views[at];
                let stop = view.total().min(from + PART_ENTRIES);
                writer.view_part(engine, view, from, stop)?;
                if stop == view.total() {
                    Stage::Entries(at + 1, 0)
                } else {
                    Stage::Entries(at, stop)
                }
            }
            Stage::End => {
                writer.finish()?;
                self.stage = Stage::Nothing;
                return Ok(());
            }
            Stage::Nothing => Stage::Nothing,
        };
        self.written = writer.pause();
        Ok(())
    }
}

/// Memory takes every byte, so what fails is the engine.
fn unwritten(error: &io::Error) -> Error {
    Error::Damaged(error.to_string())
}

/// Reads the image in a file, and the header it was written with.
///
/// The outer error: the file cannot be opened. The inner one: it holds no whole image.
pub fn read(path: &Path) -> io::Result<Result<(Engine, Vec<u8>), Error>> {
    let mut file = BufReader::with_capacity(READ_BYTES, File::open(path)?);
    Ok(Engine::read_image(&mut file))
}
