//! Events as the log keeps them (`toprung.domain.records`).

use crate::entry::Columns;
use crate::msgpack::{Reader, Write};

/// How many values an event has at least: the tag and the fields without a default.
const FIELDS_MIN: usize = 8;

/// One fact. Texts are given by where they stand in the record.
#[allow(clippy::struct_field_names)] // `event_id` is the word for it everywhere
pub struct Event {
    /// The board that it is on.
    pub board_id: i64,
    /// By which settings of the board its points were read.
    pub revision: i64,
    /// Where its id begins and ends.
    pub event_id: (usize, usize),
    /// Where its player's id begins and ends.
    pub player_id: (usize, usize),
    /// Its scaled numbers.
    pub points: Columns,
    /// When it happened.
    pub at: i64,
    /// Whether the sender said when.
    pub at_given: bool,
    /// Whether it counts as arrived when it happened.
    pub history: bool,
}

/// An event that is to be written.
#[allow(clippy::struct_field_names)] // as above
pub struct NewEvent<'a> {
    /// See [`Event`].
    pub board_id: i64,
    /// See [`Event`].
    pub revision: i64,
    /// Its id.
    pub event_id: &'a str,
    /// Its player's id.
    pub player_id: &'a str,
    /// See [`Event`].
    pub points: &'a [i64],
    /// See [`Event`].
    pub at: i64,
    /// See [`Event`].
    pub at_given: bool,
    /// See [`Event`].
    pub history: bool,
    /// The match that it belongs to.
    pub match_id: Option<&'a str>,
    /// What is kept with it, as JSON.
    pub metadata: Option<&'a str>,
}

/// Appends the record of an event.
pub fn write_event(out: &mut Vec<u8>, event: &NewEvent<'_>) {
    out.array(FIELDS_MIN + 5);
    out.text(b"e");
    out.int(event.board_id);
    out.int(event.revision);
    out.text(event.event_id.as_bytes());
    out.text(event.player_id.as_bytes());
    out.ints(event.points);
    out.int(event.at);
    out.bool(event.at_given);
    out.bool(event.history);
    match event.match_id {
        Some(text) => out.text(text.as_bytes()),
        None => out.nil(),
    }
    match event.metadata {
        Some(json) => out.bytes(json.as_bytes()),
        None => out.nil(),
    }
    // It counts for everybody, and carries no segments: an event that does not, or carries some, is
    // written elsewhere.
    out.bool(false);
    out.array(0);
}

/// Reads a record. `None`: it is no event, or not as this version or a later one writes it.
#[must_use]
pub fn read_event(body: &[u8]) -> Option<Event> {
    let mut reader = Reader::new(body);
    let fields = reader.array()?;
    let (start, end) = reader.text()?;
    if fields < FIELDS_MIN || &body[start..end] != b"e" {
        return None;
    }
    let mut event = Event {
        board_id: reader.int()?,
        revision: reader.int()?,
        event_id: reader.text()?,
        player_id: reader.text()?,
        points: read_columns(&mut reader)?,
        at: reader.int()?,
        at_given: reader.bool()?,
        history: false,
    };
    for field in FIELDS_MIN..fields {
        match field {
            8 => event.history = reader.bool()?,
            9 => reader.text_or_nil()?,
            10 => reader.bytes_or_nil()?,
            _ => reader.skip()?,
        }
    }
    reader.is_at_end().then_some(event)
}

fn read_columns(reader: &mut Reader<'_>) -> Option<Columns> {
    let width = reader.array()?;
    let mut values = [0; crate::entry::COLUMNS_MAX];
    for value in values.get_mut(..width)? {
        *value = reader.int()?;
    }
    Columns::new(&values[..width])
}

#[cfg(test)]
mod tests {
    use super::{NewEvent, read_event, write_event};
    use crate::msgpack::Write;

    fn record(further: usize) -> Vec<u8> {
        let mut body = Vec::new();
        body.array(8 + further);
        body.text(b"e");
        body.int(7);
        body.int(1);
        body.text(b"event");
        body.text(b"ana");
        body.ints(&[-5, 300]);
        body.int(1 << 50);
        body.bool(true);
        for field in 0..further {
            match field {
                0 => body.bool(true),
                1 | 2 => body.nil(),
                _ => body.ints(&[1, 2]),
            }
        }
        body
    }

    #[test]
    fn reads_what_it_writes() {
        for (match_id, metadata) in [(None, None), (Some("m"), Some("{}"))] {
            let mut body = Vec::new();
            let new = NewEvent {
                board_id: 7,
                revision: 2,
                event_id: "event",
                player_id: "ana",
                points: &[-5, 300],
                at: -1,
                at_given: true,
                history: false,
                match_id,
                metadata,
            };
            write_event(&mut body, &new);
            let event = read_event(&body).expect("an event");
            assert_eq!((event.board_id, event.revision, event.at), (7, 2, -1));
            assert_eq!(&body[event.event_id.0..event.event_id.1], b"event");
            assert_eq!(&body[event.player_id.0..event.player_id.1], b"ana");
            assert_eq!(event.points.values(), [-5, 300]);
            assert_eq!((event.at_given, event.history), (true, false));
        }
    }

    #[test]
    fn reads_what_a_later_version_appends_to() {
        for further in [0, 1, 3, 5] {
            let body = record(further);
            let event = read_event(&body).expect("an event");
            assert_eq!((event.board_id, event.revision), (7, 1));
            assert_eq!(&body[event.event_id.0..event.event_id.1], b"event");
            assert_eq!(&body[event.player_id.0..event.player_id.1], b"ana");
            assert_eq!(event.points.values(), [-5, 300]);
            assert_eq!((event.at, event.at_given), (1 << 50, true));
            assert_eq!(event.history, further > 0);
        }
    }

    #[test]
    fn a_torn_or_longer_record_is_none() {
        let body = record(5);
        for end in 0..body.len() {
            assert!(read_event(&body[..end]).is_none());
        }
        assert!(read_event(&[&body[..], &[0xc0]].concat()).is_none());
    }
}
