//! What became of a batch, as JSON: the fields of `toprung.wire.scores.ScoreResult`.

use std::collections::HashMap;

use toprung_decide::msgpack::Reader;
use toprung_decide::{Outcome, Step, read_event};

use crate::number;

/// About how many bytes of a reply stand for one of a record: with three windows.
const RESULT_RATIO: usize = 4;

/// Instants of a board that fall into the same periods, as they are shown.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The board's name.
    pub board: String,
    /// The decimals of its first column.
    pub decimals: usize,
    /// Its windows, with the period of each.
    pub windows: Vec<Window>,
}

/// A window and one of its periods.
#[derive(Clone, Debug)]
pub struct Window {
    /// Its name.
    pub name: String,
    /// The period's key.
    pub period: String,
}

/// What a run of events did (`toprung_decide::Told`).
#[derive(Clone, Copy, Debug)]
pub struct Effects<'a> {
    /// The outcome of each event.
    pub outcomes: &'a [u8],
    /// For each event which of the stretches it lies in.
    pub spans: &'a [u32],
    /// What each event that counted did in each window.
    pub steps: &'a [Step],
}

/// Ranks before and after each step that was taken, in order; 0: none.
#[derive(Clone, Copy, Debug)]
pub struct Ranks<'a> {
    /// Before it.
    pub before: &'a [u32],
    /// After it.
    pub after: &'a [u32],
}

/// What is told of a batch.
pub struct Reply<'a> {
    /// Its records: `[received_at, record]` of each, as [`crate::Records`] has them.
    pub frames: &'a [u8],
    /// The `seq` of the first of them.
    pub first: u64,
    /// What they did.
    pub effects: Effects<'a>,
    /// The stretches that they lie in.
    pub stretches: &'a [Stretch],
    /// Where the first of them stands in the run.
    pub start: usize,
    /// Their ranks, if they are told.
    pub ranks: Option<Ranks<'a>>,
    /// By their place what is told of those that did not count.
    pub others: &'a HashMap<usize, Vec<u8>>,
}

impl Reply<'_> {
    /// The results, one after the other, with commas between them. `None`: the parts do not fit each
    /// other, or a text has to be escaped.
    #[must_use]
    pub fn results(&self) -> Option<Vec<u8>> {
        let mut writer = Writer {
            out: Vec::with_capacity(self.frames.len() * RESULT_RATIO),
            heads: self.stretches.iter().map(heads).collect::<Option<_>>()?,
            steps: self.effects.steps.get(self.steps_before()?..)?.iter(),
            ranks: self.ranks.map(|ranks| ranks.before.iter().zip(ranks.after)),
        };
        let mut frames = Reader::new(self.frames);
        let mut place = 0;
        while !frames.is_at_end() {
            let record = frame(&mut frames)?;
            if place > 0 {
                writer.out.push(b',');
            }
            if let Some(other) = self.others.get(&place) {
                writer.out.extend_from_slice(other);
            } else {
                let outcome = name(*self.effects.outcomes.get(self.start + place)?)?;
                let span = *self.effects.spans.get(self.start + place)? as usize;
                let stretch = self.stretches.get(span)?;
                writer.result(outcome, record, stretch, span, self.first + place as u64)?;
            }
            place += 1;
        }
        Some(writer.out)
    }

    /// How many steps the events of the run before the batch made.
    fn steps_before(&self) -> Option<usize> {
        let outcomes = self.effects.outcomes.get(..self.start)?;
        let mut steps = 0;
        for (outcome, span) in outcomes.iter().zip(self.effects.spans) {
            if name(*outcome).is_some() {
                steps += self.stretches.get(*span as usize)?.windows.len();
            }
        }
        Some(steps)
    }
}

/// The outcomes that are written here.
fn name(outcome: u8) -> Option<&'static str> {
    [Outcome::Counted, Outcome::Unchanged]
        .into_iter()
        .find(|known| *known as u8 == outcome)
        .map(Outcome::name)
}

fn frame<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    reader.array()?;
    reader.int()?;
    reader.bytes()
}

/// How what is told of each window begins.
fn heads(stretch: &Stretch) -> Option<Vec<Vec<u8>>> {
    let head = |window: &Window| {
        let mut out = Vec::new();
        text(&mut out, b"{\"window\":", window.name.as_bytes())?;
        text(&mut out, b",\"period\":", window.period.as_bytes())?;
        Some(out)
    };
    stretch.windows.iter().map(head).collect()
}

struct Writer<'a, I> {
    out: Vec<u8>,
    heads: Vec<Vec<Vec<u8>>>,
    steps: std::slice::Iter<'a, Step>,
    ranks: Option<I>,
}

impl<'a, I: Iterator<Item = (&'a u32, &'a u32)>> Writer<'a, I> {
    fn result(
        &mut self,
        outcome: &str,
        record: &[u8],
        stretch: &Stretch,
        span: usize,
        seq: u64,
    ) -> Option<()> {
        let event = read_event(record)?;
        let (event_id, player_id) = (event.event_id, event.player_id);
        let steps = self.steps.as_slice().get(..stretch.windows.len())?;
        self.steps = self.steps.as_slice()[steps.len()..].iter();
        let out = &mut self.out;
        text(out, b"{\"outcome\":", outcome.as_bytes())?;
        text(out, b",\"event_id\":", &record[event_id.0..event_id.1])?;
        text(out, b",\"board\":", stretch.board.as_bytes())?;
        text(out, b",\"player_id\":", &record[player_id.0..player_id.1])?;
        let shown = steps.iter().find(|step| step.after.is_some())?;
        scores(out, shown, stretch.decimals);
        out.extend_from_slice(b",\"windows\":[");
        for (place, step) in steps.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            out.extend_from_slice(self.heads.get(span)?.get(place)?);
            if step.after.is_none() {
                out.extend_from_slice(b",\"late\":true}");
                continue;
            }
            scores(out, step, stretch.decimals);
            if let Some(ranks) = &mut self.ranks {
                let (before, after) = ranks.next()?;
                rank(out, b",\"rank\":", *after);
                rank(out, b",\"previous_rank\":", *before);
            }
            out.push(b'}');
        }
        out.extend_from_slice(b"],\"seq\":\"");
        number::write(out, i64::try_from(seq).ok()?, 0);
        out.extend_from_slice(b"\"}");
        Some(())
    }
}

fn scores(out: &mut Vec<u8>, step: &Step, decimals: usize) {
    for (name, value) in [
        (&b",\"score\":\""[..], step.after),
        (&b",\"previous_score\":\""[..], step.before),
    ] {
        if let Some(value) = value {
            out.extend_from_slice(name);
            number::write(out, value, decimals);
            out.push(b'"');
        }
    }
}

fn rank(out: &mut Vec<u8>, name: &[u8], rank: u32) {
    if rank > 0 {
        out.extend_from_slice(name);
        number::write(out, i64::from(rank), 0);
    }
}

/// Appends a text with what stands before it. `None`: it has to be escaped.
fn text(out: &mut Vec<u8>, before: &[u8], text: &[u8]) -> Option<()> {
    if text
        .iter()
        .any(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\'))
    {
        return None;
    }
    out.extend_from_slice(before);
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
    Some(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use toprung_decide::Step;

    use super::{Effects, Ranks, Reply, Stretch, Window};
    use crate::{Arrival, Board, Column, Form, read};

    const BODY: &str = r#"{"board":"b","player_id":"ana","points":5,"event_id":"e1"}
{"board":"b","player_id":"bo","points":5,"event_id":"e2"}"#;

    fn frames() -> Vec<u8> {
        let board = Board {
            board_id: 1,
            revision: 1,
            columns: vec![Column {
                name: "points".to_owned(),
                decimals: 1,
            }],
        };
        let arrival = Arrival {
            received_at: 0,
            history: false,
        };
        let batch = read(BODY.as_bytes(), Form::Lines).expect("plain");
        batch.records(&[board], arrival).expect("plain").frames
    }

    fn stretch(names: &[(&str, &str)]) -> Stretch {
        let window = |(name, period): &(&str, &str)| Window {
            name: (*name).to_owned(),
            period: (*period).to_owned(),
        };
        Stretch {
            board: "b".to_owned(),
            decimals: 1,
            windows: names.iter().map(window).collect(),
        }
    }

    const STEPS: [Step; 2] = [
        Step {
            before: None,
            after: None,
        },
        Step {
            before: Some(-5),
            after: Some(100),
        },
    ];

    #[test]
    fn tells_scores_ranks_and_lateness() {
        let others = HashMap::from([(1, b"{}".to_vec())]);
        let frames = frames();
        let stretches = [stretch(&[("daily", "d"), ("all", "all")])];
        let mut reply = Reply {
            frames: &frames,
            first: 41,
            effects: Effects {
                outcomes: &[0, 5],
                spans: &[0, 0],
                steps: &STEPS,
            },
            stretches: &stretches,
            start: 0,
            ranks: Some(Ranks {
                before: &[0],
                after: &[3],
            }),
            others: &others,
        };
        let head = r#"{"outcome":"counted","event_id":"e1","board":"b","player_id":"ana","score":"10","previous_score":"-0.5","windows":[{"window":"daily","period":"d","late":true},{"window":"all","period":"all","score":"10","previous_score":"-0.5""#;
        let told =
            |reply: &Reply<'_>| String::from_utf8(reply.results().expect("told")).expect("text");
        assert_eq!(
            told(&reply),
            format!("{head},\"rank\":3}}],\"seq\":\"41\"}},{{}}")
        );
        reply.ranks = None;
        assert_eq!(told(&reply), format!("{head}}}],\"seq\":\"41\"}},{{}}"));
    }

    #[test]
    fn a_batch_may_begin_inside_a_run() {
        let (frames, others) = (frames(), HashMap::new());
        let stretches = [
            stretch(&[("all", "all"), ("daily", "d")]),
            stretch(&[("all", "all")]),
        ];
        let late = STEPS[0];
        let later = Step {
            before: None,
            after: Some(7),
        };
        let reply = Reply {
            frames: &frames,
            first: 4,
            effects: Effects {
                outcomes: &[1, 2, 0, 0],
                spans: &[0, 0, 1, 1],
                steps: &[late, late, later, STEPS[1]],
            },
            stretches: &stretches,
            start: 2,
            ranks: None,
            others: &others,
        };
        let told = String::from_utf8(reply.results().expect("told")).expect("text");
        let scores: Vec<&str> = told.matches("\"score\":\"0.7\"").collect();
        assert_eq!(scores.len(), 2);
        assert!(told.starts_with("{\"outcome\":\"counted\",\"event_id\":\"e1\""));
        assert!(told.ends_with("],\"seq\":\"5\"}"));
    }

    #[test]
    fn parts_that_do_not_fit_tell_nothing() {
        let (frames, others) = (frames(), HashMap::new());
        let (good, odd) = (stretch(&[("all", "all")]), stretch(&[("all", "a\"")]));
        let taken = [STEPS[1], STEPS[1]];
        let told = |outcomes: &[u8], steps: &[Step], stretch: &Stretch, frames: &[u8]| {
            let effects = Effects {
                outcomes,
                spans: &[0, 0],
                steps,
            };
            let reply = Reply {
                frames,
                first: 1,
                effects,
                stretches: std::slice::from_ref(stretch),
                start: 0,
                ranks: None,
                others: &others,
            };
            reply.results().is_some()
        };
        assert!(told(&[0, 1], &taken, &good, &frames));
        assert!(!told(&[0, 1], &taken[..1], &good, &frames));
        assert!(!told(&[0, 2], &taken, &good, &frames));
        assert!(!told(&[0, 1], &taken, &odd, &frames));
        assert!(!told(&[0, 1], &taken, &good, &frames[..frames.len() - 1]));
        assert!(!told(&[0], &taken, &good, &frames));
    }
}
