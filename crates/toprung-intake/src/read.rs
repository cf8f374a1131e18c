//! From the body of a request to records.

use std::collections::HashMap;

use toprung_decide::msgpack::Write;

use crate::event::Event;
use crate::json::Cursor;

/// Events of one request (`toprung.domain.limits.BATCH_EVENTS`).
const EVENTS_MAX: usize = 5000;

/// How events stand in a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// JSON: an object whose one member `events` has them.
    Object,
    /// NDJSON: each on a line of its own.
    Lines,
    /// JSON: one event by itself.
    Single,
}

/// What is to be known of a board.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its number.
    pub board_id: i64,
    /// What its events are read by now.
    pub revision: i64,
    /// Its columns, five at most.
    pub columns: Vec<Column>,
}

/// A column of a board.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// How many decimals its numbers have.
    pub decimals: usize,
}

/// What a batch has in common.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// When it arrived, in microseconds.
    pub received_at: i64,
    /// Whether each event counts as arrived when it happened.
    pub history: bool,
}

/// Records in order, as the log takes them (`toprung.ports.log.Frames`).
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Records {
    /// `MessagePack`: `[received_at, record]` of each, one after the other.
    pub frames: Vec<u8>,
    /// How long each of them is.
    pub sizes: Vec<u32>,
}

/// A plain batch, as far as that can be told without its boards.
pub struct Batch<'a> {
    boards: Vec<&'a str>,
    /// With the place of its board.
    events: Vec<(usize, Event<'a>)>,
}

/// Reads a body. `None`: it is not of this form, or not plain.
#[must_use]
pub fn read(content: &[u8], form: Form) -> Option<Batch<'_>> {
    let text = std::str::from_utf8(content).ok()?;
    let mut batch = Batch {
        boards: Vec::new(),
        events: Vec::with_capacity(text.len() / 128),
    };
    let mut places = HashMap::new();
    match form {
        Form::Object => {
            let mut cursor = Cursor::new(text);
            cursor.eat(b'{')?;
            if cursor.plain_text()? != "events" {
                return None;
            }
            cursor.eat(b':')?;
            cursor.array(|cursor| batch.add(Event::read(cursor)?, &mut places))?;
            cursor.eat(b'}')?;
            cursor.is_at_end().then_some(())?;
        }
        Form::Lines => {
            for line in text.split('\n') {
                let mut cursor = Cursor::new(line);
                if cursor.is_at_end() {
                    continue;
                }
                batch.add(Event::read(&mut cursor)?, &mut places)?;
                cursor.is_at_end().then_some(())?;
            }
        }
        Form::Single => {
            let mut cursor = Cursor::new(text);
            batch.add(Event::read(&mut cursor)?, &mut places)?;
            cursor.is_at_end().then_some(())?;
        }
    }
    (!batch.events.is_empty()).then_some(batch)
}

impl<'a> Batch<'a> {
    /// The names of the boards that its events are on, each once.
    #[must_use]
    pub fn boards(&self) -> &[&'a str] {
        &self.boards
    }

    /// The records of its events. `None`: it is not plain on these boards.
    ///
    /// `boards` has one for each of the names, in their order.
    #[must_use]
    pub fn records(&self, boards: &[Board], arrival: Arrival) -> Option<Records> {
        let mut records = Records::default();
        let mut body = Vec::new();
        for (board, event) in &self.events {
            let start = records.frames.len();
            body.clear();
            event.write(&mut body, boards.get(*board)?, &arrival)?;
            records.frames.array(2);
            records.frames.int(arrival.received_at);
            records.frames.bytes(&body);
            let size = records.frames.len() - start;
            records.sizes.push(u32::try_from(size).ok()?);
        }
        Some(records)
    }

    fn add(&mut self, event: Event<'a>, places: &mut HashMap<&'a str, usize>) -> Option<()> {
        if self.events.len() == EVENTS_MAX {
            return None;
        }
        let name = event.board;
        let recent = self.events.last().map(|(place, _)| *place);
        let place = recent
            .filter(|place| self.boards[*place] == name)
            .unwrap_or_else(|| {
                *places.entry(name).or_insert_with(|| {
                    self.boards.push(name);
                    self.boards.len() - 1
                })
            });
        self.events.push((place, event));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use toprung_decide::msgpack::Reader;
    use toprung_decide::read_event;

    use super::{Arrival, Board, Column, Form, Records, read};

    const EVENT: &str = r#"{"board":"b","player_id":"ana","points":5,"event_id":"e"}"#;
    const ARRIVAL: Arrival = Arrival {
        received_at: 1_000_000,
        history: false,
    };

    fn board(columns: &[(&str, usize)]) -> Board {
        let column = |(name, decimals): &(&str, usize)| Column {
            name: (*name).to_owned(),
            decimals: *decimals,
        };
        Board {
            board_id: 7,
            revision: 1,
            columns: columns.iter().map(column).collect(),
        }
    }

    fn records(event: &str, board: &Board) -> Option<Records> {
        let body = format!(r#"{{"events":[{event}]}}"#);
        let batch = read(body.as_bytes(), Form::Object)?;
        assert_eq!(batch.boards(), ["b"]);
        batch.records(std::slice::from_ref(board), ARRIVAL)
    }

    /// Points, `at`, and whether it was given, of the one event among the records.
    fn told(records: &Records) -> (Vec<i64>, i64, bool) {
        let mut reader = Reader::new(&records.frames);
        assert_eq!((reader.array(), reader.int()), (Some(2), Some(1_000_000)));
        let body = reader.bytes().expect("a record");
        assert!(reader.is_at_end());
        let event = read_event(body).expect("an event");
        (event.points.values().to_vec(), event.at, event.at_given)
    }

    #[test]
    fn points_are_a_number_or_its_text_or_by_column() {
        let (one, many) = (board(&[("points", 1)]), board(&[("a", 0), ("b", 2)]));
        for (points, board, expected) in [
            ("5", &one, &[50][..]),
            ("-0.5", &one, &[-5]),
            (r#""12.5""#, &one, &[125]),
            (r#"{"points":"7"}"#, &one, &[70]),
            (r#"{"b": 1.25, "a": "-3"}"#, &many, &[-3, 125]),
        ] {
            let event = EVENT.replace(":5", &format!(":{points}"));
            let found = records(&event, board).expect(points);
            assert_eq!(told(&found), (expected.to_vec(), 1_000_000, false));
        }
    }

    #[test]
    fn points_that_do_not_fit_are_not_plain() {
        let (one, many) = (board(&[("points", 1)]), board(&[("a", 0), ("b", 2)]));
        for (points, board) in [
            ("1.25", &one),
            ("1e3", &one),
            (r#"" 5""#, &one),
            (r#""5"#, &one),
            ("null", &one),
            ("[5]", &one),
            ("{}", &one),
            ("5", &many),
            (r#"{"a":1}"#, &many),
            (r#"{"a":1,"b":2,"c":3}"#, &many),
            (r#"{"a":1,"b":2,"a":1}"#, &many),
            (r#"{"a":1,"b":{}}"#, &many),
        ] {
            let event = EVENT.replace(":5", &format!(":{points}"));
            assert!(records(&event, board).is_none(), "{points}");
        }
    }

    #[test]
    fn further_members_are_read_or_null() {
        let one = board(&[("points", 0)]);
        for (more, plain) in [
            (r#""at":"1970-01-01T00:00:02Z""#, true),
            (r#""at":null,"match_id":null,"metadata":null"#, true),
            (r#""match_id":"m","metadata":{"a":[1]}"#, true),
            (r#""at":"yesterday""#, false),
            (r#""at":2"#, false),
            (r#""match_id":"""#, false),
            (r#""metadata":[1]"#, false),
            (r#""update_only":false"#, true),
            (r#""update_only":true"#, false),
            (r#""update_only":null"#, false),
            (r#""player_id":"ana""#, false),
            (r#""other":1"#, false),
        ] {
            let event = EVENT.replace('}', &format!(",{more}}}"));
            assert_eq!(records(&event, &one).is_some(), plain, "{more}");
        }
    }

    #[test]
    fn an_id_is_plain_as_it_stands() {
        let one = board(&[("points", 0)]);
        let (longest, longer) = ("é".repeat(128), "é".repeat(128) + "x");
        for (id, plain) in [
            ("'/ é😀", true),
            (&longest, true),
            (&longer, false),
            ("", false),
            ("\u{7f}", false),
            ("\u{85}", false),
            ("\\u0061", false),
            ("\t", false),
        ] {
            for member in [
                "player_id\":\"ana",
                "event_id\":\"e",
                "board\":\"b\",\"match_id\":\"m",
            ] {
                let event = EVENT.replace("\"board\":\"b\"", "\"board\":\"b\",\"match_id\":\"m\"");
                let (name, _) = member.rsplit_once('"').expect("a member");
                let event = event.replace(&format!("{member}\""), &format!("{name}\"{id}\""));
                assert_eq!(records(&event, &one).is_some(), plain, "{event}");
            }
        }
    }

    #[test]
    fn a_body_is_of_its_form() {
        let two = format!("{EVENT} , {EVENT}");
        for (body, form, count) in [
            (format!("{{\"events\":[{two}]}}"), Form::Object, Some(2)),
            (
                format!(" {{ \"events\" : [ {two} ] }}\n"),
                Form::Object,
                Some(2),
            ),
            (format!("{EVENT}\n\r\n {EVENT} \r\n"), Form::Lines, Some(2)),
            ("{\"events\":[]}".to_owned(), Form::Object, None),
            (
                format!("{{\"events\":[{EVENT}],\"a\":1}}"),
                Form::Object,
                None,
            ),
            (format!("{{\"events\":[{EVENT}]}} x"), Form::Object, None),
            (format!("[{EVENT}]"), Form::Object, None),
            (EVENT.to_owned(), Form::Object, None),
            (format!("{EVENT}{EVENT}"), Form::Lines, None),
            ("\n \n".to_owned(), Form::Lines, None),
            (format!(" {EVENT}\n"), Form::Single, Some(1)),
            (format!("{EVENT}\n{EVENT}"), Form::Single, None),
            (format!("{{\"events\":[{EVENT}]}}"), Form::Single, None),
        ] {
            let one = [board(&[("points", 0)])];
            let found = read(body.as_bytes(), form).and_then(|batch| batch.records(&one, ARRIVAL));
            assert_eq!(found.map(|found| found.sizes.len()), count, "{body}");
        }
    }

    #[test]
    fn only_so_many_events_are_a_batch() {
        for (count, plain) in [(5000, true), (5001, false)] {
            let body = vec![EVENT; count].join("\n");
            assert_eq!(read(body.as_bytes(), Form::Lines).is_some(), plain);
        }
    }

    #[test]
    fn every_board_is_asked_for_once() {
        let events: Vec<String> = ["a", "b", "a", "c", "b"]
            .iter()
            .map(|name| EVENT.replace("\"b\"", &format!("\"{name}\"")))
            .collect();
        let body = events.join("\n");
        let batch = read(body.as_bytes(), Form::Lines).expect("plain");
        assert_eq!(batch.boards(), ["a", "b", "c"]);
        assert!(batch.records(&[], ARRIVAL).is_none());
    }
}
