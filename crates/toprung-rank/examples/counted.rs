//! One hot operation on 50,000 members, the same instructions every time, so that they can be
//! counted: `counted <operation>`, or `counted` for the names of the operations.
//!
//! Everything before the operation is the same for all of them, except for `setup`, which does
//! nothing more: its count is what to subtract.

use toprung_rank::{Engine, Moves, Numbering, PeriodId, Rows, Texts};

const MEMBERS: u32 = 50_000;
const BATCH: u32 = 1_000;
const BATCHES: u32 = 20;

type Operation = fn(&mut Stage);

const OPERATIONS: [(&str, Operation); 10] = [
    ("setup", |_| ()),
    ("rank_ordinal", |stage| stage.rank(Numbering::Ordinal)),
    ("rank_shared", |stage| stage.rank(Numbering::Shared)),
    ("rank_dense", |stage| stage.rank(Numbering::Dense)),
    ("update", |stage| stage.update(0)),
    ("update_ranked", |stage| stage.update(1)),
    ("around", Stage::around),
    ("build", Stage::build),
    ("dictionary_miss", Stage::miss),
    ("dictionary_new", Stage::new_members),
];

/// Numbers of the generator `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn member(&mut self) -> u32 {
        u32::try_from(self.next() % u64::from(MEMBERS)).expect("less than the members")
    }

    /// A score of which about every other has an equal.
    fn score(&mut self) -> i64 {
        i64::try_from(self.next() % u64::from(MEMBERS)).expect("a small number")
    }
}

#[derive(Default)]
struct Players {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Players {
    fn new(numbers: impl Iterator<Item = u32>) -> Self {
        let mut players = Self::default();
        for number in numbers {
            // Seventeen bytes that differ from the first on, as random ids do.
            let id = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            players
                .bytes
                .extend_from_slice(format!("p{id:016x}").as_bytes());
            players
                .ends
                .push(u32::try_from(players.bytes.len()).expect("short"));
        }
        players
    }

    fn texts(&self) -> Texts<'_> {
        Texts {
            bytes: &self.bytes,
            ends: &self.ends,
        }
    }
}

/// What the operations work on: made before they are counted, so batches wait ready.
struct Stage {
    engine: Engine,
    period: PeriodId,
    batches: Vec<Players>,
    strangers: Vec<Players>,
    everybody: Players,
    scores: Vec<i64>,
    instants: Vec<i64>,
}

impl Stage {
    fn new() -> Self {
        let mut random = Random(1);
        let everybody = Players::new(0..MEMBERS);
        let scores: Vec<i64> = (0..MEMBERS).map(|_| random.score()).collect();
        let instants: Vec<i64> = (0..i64::from(MEMBERS)).collect();
        let mut engine = Engine::new();
        let built = engine.build(&[true], &everybody.texts(), &scores, &instants);
        let mut batch = |first: u32| Players::new((0..BATCH).map(|_| first + random.member()));
        Self {
            engine,
            period: built.expect("good rows"),
            batches: (0..BATCHES).map(|_| batch(0)).collect(),
            strangers: (0..BATCHES).map(|_| batch(MEMBERS)).collect(),
            everybody,
            scores,
            instants,
        }
    }

    fn rank(&mut self, numbering: Numbering) {
        let mut ranks = vec![0; BATCH as usize];
        for players in &self.batches {
            let told = self
                .engine
                .rank_many(self.period, &players.texts(), numbering, &mut ranks);
            told.expect("known");
        }
    }

    fn apply(engine: &mut Engine, period: PeriodId, batches: &[Players], scores: &[i64], code: u8) {
        let (mut before, mut after) = (vec![0; BATCH as usize], vec![0; BATCH as usize]);
        for (players, scores) in batches.iter().zip(scores.chunks(BATCH as usize).rev()) {
            let moves = Moves {
                periods: &[period; BATCH as usize],
                players: players.texts(),
                columns: scores,
                reached_at: scores,
                numbering: &[code; BATCH as usize],
            };
            engine
                .apply(&moves, &mut before, &mut after)
                .expect("good moves");
        }
    }

    fn update(&mut self, code: u8) {
        Self::apply(
            &mut self.engine,
            self.period,
            &self.batches,
            &self.scores,
            code,
        );
    }

    fn around(&mut self) {
        let (mut windows, mut rows) = (Vec::new(), Rows::default());
        for players in &self.batches {
            let told = self
                .engine
                .around_many(self.period, &players.texts(), 5, 5, &mut windows);
            told.expect("known");
            rows.clear();
            for &(start, stop) in &windows {
                self.engine
                    .rows(self.period, start, stop, &mut rows)
                    .expect("known");
            }
        }
    }

    fn build(&mut self) {
        let players = self.everybody.texts();
        let built = self
            .engine
            .build(&[false], &players, &self.scores, &self.instants);
        built.expect("good rows");
    }

    fn miss(&mut self) {
        let mut ranks = vec![0; BATCH as usize];
        for players in &self.strangers {
            let texts = players.texts();
            let told = self
                .engine
                .rank_many(self.period, &texts, Numbering::Ordinal, &mut ranks);
            told.expect("known");
        }
    }

    fn new_members(&mut self) {
        Self::apply(
            &mut self.engine,
            self.period,
            &self.strangers,
            &self.scores,
            0,
        );
    }
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    match OPERATIONS.iter().find(|(name, _)| *name == wanted) {
        Some((_, operation)) => operation(&mut Stage::new()),
        None => OPERATIONS.iter().for_each(|(name, _)| println!("{name}")),
    }
}
