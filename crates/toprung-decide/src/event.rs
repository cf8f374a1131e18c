//! Events as the log keeps them (`toprung.domain.records`).

use crate::entry::Columns;
use crate::msgpack::Reader;

/// How many values an event has at least: the tag and the fields without a default.
const FIELDS_MIN: usize = 8;

/// One fact. Texts are given by where they stand in the record.
#[allow(clippy::struct_field_names)] // `event_id` is the word for it everywhere
pub(crate) struct Event {
    pub board_id: i64,
    pub revision: i64,
    pub event_id: (usize, usize),
    pub player_id: (usize, usize),
    pub points: Columns,
    pub at: i64,
    pub at_given: bool,
    pub history: bool,
}

/// Reads a record. `None`: it is no event, or not as this version or a later one writes it.
pub(crate) fn read_event(body: &[u8]) -> Option<Event> {
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
    use super::read_event;
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
