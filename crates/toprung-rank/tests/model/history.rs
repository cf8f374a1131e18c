//! A history of operations read from bytes, done to an engine and to models, and compared.
//!
//! The bytes may be those of a seeded generator or of a fuzzer: each step takes what it needs.

use super::Model;
use std::collections::BTreeMap;
use toprung_rank::{Engine, Error, Moves, Numbering, PeriodId, ReadView, Rows, Texts};

const NUMBERINGS: [Numbering; 3] = [Numbering::Ordinal, Numbering::Shared, Numbering::Dense];
const EDGES: [i64; 4] = [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX];

/// Numbers chosen by bytes.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        first
    }

    fn below(&mut self, limit: usize) -> usize {
        (usize::from(self.byte()) << 8 | usize::from(self.byte())) % limit
    }

    /// Mostly small, so that scores tie; now and then at an edge of what 64 bits hold.
    fn number(&mut self) -> i64 {
        match self.byte() {
            edge @ 0..4 => EDGES[usize::from(edge)],
            small @ 4..160 => i64::from(small % 7) - 3,
            other => i64::from(other) * 256 + i64::from(self.byte()) - 50_000,
        }
    }
}

/// How large a history becomes.
#[derive(Copy, Clone)]
pub struct Size {
    pub players: usize,
    pub batch: usize,
    pub periods: usize,
}

/// Texts as buffers.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Buffer {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends
            .push(u32::try_from(self.bytes.len()).expect("tests are small"));
    }

    fn texts(&self) -> Texts<'_> {
        Texts {
            bytes: &self.bytes,
            ends: &self.ends,
        }
    }
}

/// Ids of many lengths, 0 and 256 bytes among them, that agree in long first parts.
fn player(number: usize) -> Vec<u8> {
    let mut text = vec![0xfe_u8; [0, 1, 7, 8, 9, 17, 40, 250][number % 8]];
    text.extend_from_slice(&number.to_be_bytes()[2..]);
    if number == 0 { Vec::new() } else { text }
}

/// An engine and what it should hold.
pub struct Pair {
    size: Size,
    engine: Engine,
    models: BTreeMap<PeriodId, Model>,
    views: Vec<(ReadView, Option<Model>)>,
}

impl Pair {
    pub fn new(size: Size) -> Self {
        Self {
            size,
            engine: Engine::new(),
            models: BTreeMap::new(),
            views: Vec::new(),
        }
    }

    fn descending(choices: &mut Choices<'_>) -> Vec<bool> {
        let bits = choices.byte();
        (0..=usize::from(bits) % 5)
            .map(|column| bits >> (3 + column) & 1 == 1)
            .collect()
    }

    fn any_period(&self, choices: &mut Choices<'_>) -> PeriodId {
        let at = choices.below(self.models.len());
        *self.models.keys().nth(at).expect("chosen among them")
    }

    fn any_player(&self, choices: &mut Choices<'_>) -> Vec<u8> {
        player(choices.below(self.size.players))
    }

    fn any_columns(choices: &mut Choices<'_>, count: usize) -> Vec<i64> {
        (0..count).map(|_| choices.number()).collect()
    }

    /// Do one step to both, and compare what it tells.
    pub fn step(&mut self, choices: &mut Choices<'_>) {
        if self.models.is_empty() {
            return self.add(choices);
        }
        match choices.byte() % 32 {
            0 if self.models.len() < self.size.periods => self.add(choices),
            1 if self.models.len() < self.size.periods => self.build(choices),
            2 if choices.byte() < 40 => self.drop_period(choices),
            3..6 => self.remove(choices),
            6..8 => self.open_view(choices),
            8 => self.close_view(choices),
            9 => self.refuse(choices),
            22 => self.reload(choices),
            10..22 => self.apply(choices),
            _ => self.compare_reads(choices),
        }
    }

    fn add(&mut self, choices: &mut Choices<'_>) {
        let descending = Self::descending(choices);
        let period = self
            .engine
            .add_period(&descending)
            .expect("one to five columns");
        let taken = self.models.insert(period, Model::new(&descending));
        assert!(taken.is_none(), "a handle in use was given out");
    }

    fn build(&mut self, choices: &mut Choices<'_>) {
        let mut model = Model::new(&Self::descending(choices));
        let (mut players, mut columns, mut reached_at) =
            (Buffer::default(), Vec::new(), Vec::new());
        for _ in 0..choices.below(self.size.batch * 4) {
            let (player, score) = (
                self.any_player(choices),
                Self::any_columns(choices, model.descending.len()),
            );
            players.push(&player);
            columns.extend_from_slice(&score);
            reached_at.push(choices.number());
            model.put(&player, &score, reached_at[reached_at.len() - 1]);
        }
        let built = self
            .engine
            .build(&model.descending, &players.texts(), &columns, &reached_at);
        self.models.insert(built.expect("good rows"), model);
    }

    fn drop_period(&mut self, choices: &mut Choices<'_>) {
        let period = self.any_period(choices);
        self.engine.drop_period(period).expect("it is there");
        assert_eq!(self.engine.total(period), Err(Error::UnknownPeriod));
        self.models.remove(&period);
        for (view, model) in &mut self.views {
            let is_gone = self
                .engine
                .view_rows(view, 0, 1, &mut Rows::default())
                .is_err();
            if is_gone {
                *model = None;
            }
        }
    }

    fn remove(&mut self, choices: &mut Choices<'_>) {
        let period = self.any_period(choices);
        let mut players = Buffer::default();
        let model = self.models.get_mut(&period).expect("chosen");
        let mut expected = 0;
        for _ in 0..choices.below(self.size.batch) {
            let player = player(choices.below(self.size.players));
            players.push(&player);
            expected += u64::from(model.remove(&player));
        }
        assert_eq!(self.engine.remove(period, &players.texts()), Ok(expected));
    }

    fn apply(&mut self, choices: &mut Choices<'_>) {
        let (mut periods, mut players) = (Vec::new(), Buffer::default());
        let (mut columns, mut reached_at, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut period = self.any_period(choices);
        for _ in 0..=choices.below(self.size.batch) {
            if choices.byte() < 30 {
                period = self.any_period(choices);
            }
            let player = self.any_player(choices);
            let model = self.models.get_mut(&period).expect("chosen");
            let score = Self::any_columns(choices, model.descending.len());
            let (at, code) = (choices.number(), choices.byte() % 4);
            let numbering = Numbering::from_code(code).expect("a code");
            let rank =
                |model: &Model| numbering.map_or(0, |numbering| model.rank(&player, numbering));
            before.push(rank(model));
            model.put(&player, &score, at);
            after.push(rank(model));
            periods.push(period);
            players.push(&player);
            columns.extend_from_slice(&score);
            reached_at.push(at);
            codes.push(code);
        }
        let moves = Moves {
            periods: &periods,
            players: players.texts(),
            columns: &columns,
            reached_at: &reached_at,
            numbering: &codes,
        };
        let (mut told_before, mut told_after) = (vec![9; before.len()], vec![9; after.len()]);
        self.engine
            .apply(&moves, &mut told_before, &mut told_after)
            .expect("good moves");
        assert_eq!((told_before, told_after), (before, after));
    }

    /// A batch whose last move is bad must change nothing; the comparison at the end tells.
    fn refuse(&mut self, choices: &mut Choices<'_>) {
        let period = self.any_period(choices);
        let width = self.models[&period].descending.len();
        let columns = vec![1; width * 2 - 1];
        let moves = Moves {
            periods: &[period; 2],
            players: Texts {
                bytes: b"ab",
                ends: &[1, 2],
            },
            columns: &columns,
            reached_at: &[1, 2],
            numbering: &[0; 2],
        };
        let refused = self.engine.apply(&moves, &mut [0; 2], &mut [0; 2]);
        assert_eq!(refused, Err(Error::BadColumns));
        let unknown = Moves {
            periods: &[period, PeriodId(u32::MAX)],
            ..moves
        };
        let refused = self.engine.apply(&unknown, &mut [0; 2], &mut [0; 2]);
        assert_eq!(refused, Err(Error::UnknownPeriod));
    }

    fn open_view(&mut self, choices: &mut Choices<'_>) {
        if self.views.len() < 4 {
            let period = self.any_period(choices);
            let view = self.engine.read_view(period).expect("it is there");
            self.views.push((view, Some(self.models[&period].clone())));
        }
    }

    fn close_view(&mut self, choices: &mut Choices<'_>) {
        if !self.views.is_empty() {
            let at = choices.below(self.views.len());
            self.engine.close_view(self.views.swap_remove(at).0);
        }
    }

    /// Go through an image; open views are closed first, as an image does not hold them.
    fn reload(&mut self, choices: &mut Choices<'_>) {
        for (view, _) in self.views.drain(..) {
            self.engine.close_view(view);
        }
        let (mut image, header) = (Vec::new(), vec![choices.byte(); choices.below(70)]);
        self.engine
            .write_image(&header, &mut image)
            .expect("memory takes it");
        let (engine, read) = Engine::read_image(&mut &image[..]).expect("it is whole");
        assert_eq!(read, header);
        self.engine = engine;
    }

    fn compare_reads(&mut self, choices: &mut Choices<'_>) {
        let period = self.any_period(choices);
        let model = &self.models[&period];
        compare_players(&self.engine, period, model, choices, self.size);
        compare_scores(&self.engine, period, model, choices);
        for (view, model) in &self.views {
            compare_view(&self.engine, view, model.as_ref(), choices);
        }
    }

    /// Compare every row of every period and view, and let the engine check itself.
    pub fn compare_all(&self) {
        self.engine.validate().expect("the engine is whole");
        let periods: Vec<PeriodId> = self.models.keys().copied().collect();
        assert_eq!(self.engine.periods(), periods);
        for (&period, model) in &self.models {
            let mut rows = Rows::default();
            self.engine
                .rows(period, 0, u64::MAX, &mut rows)
                .expect("known");
            assert_rows(&rows, model, 0, model.order.len());
            assert_eq!(self.engine.total(period), Ok(model.order.len() as u64));
        }
        for (view, model) in &self.views {
            compare_view(
                &self.engine,
                view,
                model.as_ref(),
                &mut Choices { bytes: &[] },
            );
        }
    }
}

fn assert_rows(rows: &Rows, model: &Model, start: usize, stop: usize) {
    let expected = &model.order[start..stop];
    assert_eq!(rows.len(), expected.len());
    let width = model.descending.len();
    let mut text_start = 0;
    for (at, (columns, reached_at, player)) in expected.iter().enumerate() {
        let text_end = rows.ends[at] as usize;
        assert_eq!(rows.bytes[text_start..text_end], player[..]);
        assert_eq!(
            rows.columns[at * width..(at + 1) * width],
            model.turn(columns)[..]
        );
        assert_eq!(rows.reached_at[at], *reached_at);
        text_start = text_end;
    }
}

fn compare_players(
    engine: &Engine,
    period: PeriodId,
    model: &Model,
    choices: &mut Choices<'_>,
    size: Size,
) {
    let mut players = Buffer::default();
    let texts: Vec<Vec<u8>> = (0..40)
        .map(|_| player(choices.below(size.players)))
        .collect();
    for text in &texts {
        players.push(text);
    }
    let mut told = vec![0; texts.len()];
    for numbering in NUMBERINGS {
        let expected: Vec<u64> = texts
            .iter()
            .map(|text| model.rank(text, numbering))
            .collect();
        engine
            .rank_many(period, &players.texts(), numbering, &mut told)
            .expect("known");
        assert_eq!(told, expected);
    }
    let (above, below) = (choices.below(5) as u64, choices.below(5) as u64);
    let mut windows = Vec::new();
    engine
        .around_many(period, &players.texts(), above, below, &mut windows)
        .expect("known");
    for (text, &window) in texts.iter().zip(&windows) {
        let place = engine.place(period, text).expect("known");
        let Some(entry) = model.entry(text) else {
            assert_eq!((place, window), (None, (0, 0)));
            continue;
        };
        let (place, total) = (place.expect("it is there"), model.order.len() as u64);
        let columns = model.turn(&entry.0);
        let index = model.index(&entry) as u64;
        assert_eq!(
            window,
            (index.saturating_sub(above), (index + below + 1).min(total))
        );
        assert_eq!(
            (place.index, place.total, place.reached_at),
            (index, total, entry.1)
        );
        assert_eq!(place.above, model.above(&columns) as u64);
        assert_eq!(
            place.distinct_above,
            model.scores(model.above(&columns)).len() as u64
        );
        assert_eq!(place.columns, columns);
    }
}

fn compare_scores(engine: &Engine, period: PeriodId, model: &Model, choices: &mut Choices<'_>) {
    let columns = Pair::any_columns(choices, model.descending.len());
    for count in 1..=columns.len() {
        let prefix = &columns[..count];
        assert_eq!(
            engine.count_above(period, prefix),
            Ok(model.above(prefix) as u64)
        );
        assert_eq!(engine.count_to(period, prefix), Ok(model.to(prefix) as u64));
    }
    let scores = model.scores(model.above(&columns)).len();
    assert_eq!(engine.distinct_above(period, &columns), Ok(scores as u64));
    let all = model.scores(model.order.len());
    let (index, mut found) = (choices.below(all.len() + 2), Vec::new());
    assert_eq!(
        engine.distinct_at(period, index as u64, &mut found),
        Ok(index < all.len())
    );
    assert_eq!(
        found,
        all.get(index).map_or(Vec::new(), |score| model.turn(score))
    );
    let (at, text) = (choices.number(), player(choices.below(60_000)));
    let entry = (model.turn(&columns), at, text.clone());
    assert_eq!(
        engine.index_at(period, &columns, at, &text),
        Ok(model.index(&entry) as u64)
    );
    let start = choices.below(model.order.len() + 2);
    let stop = start + choices.below(150);
    let mut rows = Rows::default();
    engine
        .rows(period, start as u64, stop as u64, &mut rows)
        .expect("known");
    let total = model.order.len();
    assert_rows(&rows, model, start.min(total), stop.min(total));
}

fn compare_view(
    engine: &Engine,
    view: &ReadView,
    model: Option<&Model>,
    choices: &mut Choices<'_>,
) {
    let mut rows = Rows::default();
    let told = engine.view_rows(view, 0, u64::MAX, &mut rows);
    let Some(model) = model else {
        assert_eq!(told, Err(Error::UnknownPeriod));
        return;
    };
    told.expect("it is open");
    assert_eq!(view.total(), model.order.len() as u64);
    assert_rows(&rows, model, 0, model.order.len());
    let start = choices.below(model.order.len() + 2);
    let stop = start + choices.below(150);
    rows.clear();
    engine
        .view_rows(view, start as u64, stop as u64, &mut rows)
        .expect("it is open");
    let total = model.order.len();
    assert_rows(&rows, model, start.min(total), stop.min(total));
    let columns = Pair::any_columns(choices, model.descending.len());
    assert_eq!(
        engine.view_count_above(view, &columns),
        Ok(model.above(&columns) as u64)
    );
    assert_eq!(
        engine.view_count_to(view, &columns),
        Ok(model.to(&columns) as u64)
    );
}

/// Do the whole history, comparing everything after every `often` steps and at the end.
pub fn run(bytes: &[u8], size: Size, often: usize) {
    let mut pair = Pair::new(size);
    let mut choices = Choices { bytes };
    let mut steps = 0;
    while !choices.bytes.is_empty() {
        pair.step(&mut choices);
        steps += 1;
        if steps % often == 0 {
            pair.compare_all();
        }
    }
    pair.compare_all();
}
