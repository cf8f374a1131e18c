//! One plain event: its members as they are written, and the record it becomes.

use toprung_decide::{COLUMNS_MAX, NewEvent, write_event};

use crate::json::Cursor;
use crate::read::{Arrival, Board, Column};
use crate::{instant, number};

/// The longest event, player or match id in bytes (`toprung.domain.limits`).
const ID_BYTES_MAX: usize = 256;
/// The longest metadata in bytes (the same).
const METADATA_BYTES_MAX: usize = 1024;

/// The members of an event.
#[allow(clippy::struct_field_names)] // `event_id` is the word for it everywhere
pub(crate) struct Event<'a> {
    pub board: &'a str,
    event_id: &'a str,
    player_id: &'a str,
    /// As it is written: a number, or text, or an object by column.
    points: &'a str,
    at: Option<&'a str>,
    match_id: Option<&'a str>,
    metadata: Option<&'a str>,
}

/// Members on their way; of each whether it was met.
#[derive(Default)]
#[allow(clippy::option_option)] // one that was met may be `null`
struct Members<'a> {
    board: Option<&'a str>,
    event_id: Option<&'a str>,
    player_id: Option<&'a str>,
    points: Option<&'a str>,
    at: Option<Option<&'a str>>,
    match_id: Option<Option<&'a str>>,
    metadata: Option<&'a str>,
    update_only: Option<&'a str>,
}

impl<'a> Event<'a> {
    /// Reads an event. `None`: it is not plain.
    pub fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let mut members = Members::default();
        cursor.object(|cursor, name| members.read(cursor, name))?;
        if members.update_only.is_some_and(|json| json != "false") {
            return None; // the state of the board is asked about it
        }
        Some(Self {
            board: members.board?,
            event_id: members.event_id.filter(|id| is_id(id))?,
            player_id: members.player_id.filter(|id| is_id(id))?,
            points: members.points?,
            at: members.at.flatten(),
            match_id: members.match_id.flatten(),
            metadata: members.metadata.filter(|json| *json != "null"),
        })
    }

    /// Appends its record. `None`: it is not plain on this board.
    pub fn write(&self, out: &mut Vec<u8>, board: &Board, arrival: &Arrival) -> Option<()> {
        let mut points = [0; COLUMNS_MAX];
        let points = points.get_mut(..board.columns.len())?;
        read_points(self.points, &board.columns, points)?;
        let at = match self.at {
            Some(text) => instant::parse(text)?,
            None => arrival.received_at,
        };
        if !self.match_id.is_none_or(is_id) || !self.metadata.is_none_or(is_metadata) {
            return None;
        }
        let event = NewEvent {
            board_id: board.board_id,
            revision: board.revision,
            event_id: self.event_id,
            player_id: self.player_id,
            points,
            at,
            at_given: self.at.is_some(),
            history: arrival.history,
            match_id: self.match_id,
            metadata: self.metadata,
        };
        write_event(out, &event);
        Some(())
    }
}

impl<'a> Members<'a> {
    fn read(&mut self, cursor: &mut Cursor<'a>, name: &str) -> Option<()> {
        match name {
            "board" => once(&mut self.board, cursor.plain_text()),
            "event_id" => once(&mut self.event_id, cursor.plain_text()),
            "player_id" => once(&mut self.player_id, cursor.plain_text()),
            "points" => once(&mut self.points, cursor.value()),
            "at" => once(&mut self.at, cursor.plain_text_or_null()),
            "match_id" => once(&mut self.match_id, cursor.plain_text_or_null()),
            "metadata" => once(&mut self.metadata, cursor.value()),
            "update_only" => once(&mut self.update_only, cursor.value()),
            _ => None,
        }
    }
}

/// Sets a member that was read. `None`: it was not, or was set before.
fn once<T>(member: &mut Option<T>, found: Option<T>) -> Option<()> {
    if member.is_some() {
        return None;
    }
    *member = Some(found?);
    Some(())
}

/// Whether a text can be an id: see `toprung.domain.names.check_id`.
fn is_id(text: &str) -> bool {
    (1..=ID_BYTES_MAX).contains(&text.len()) && !text.chars().any(char::is_control)
}

fn is_metadata(json: &str) -> bool {
    json.starts_with('{') && json.len() <= METADATA_BYTES_MAX
}

/// Reads points by the columns of a board. `None`: they are not plain by these.
fn read_points(json: &str, columns: &[Column], points: &mut [i64]) -> Option<()> {
    if let ([column], [value]) = (columns, &mut *points) {
        if !json.starts_with('{') {
            *value = read_number(json, column)?;
            return Some(());
        }
    }
    let mut met = [false; COLUMNS_MAX];
    Cursor::new(json).object(|cursor, name| {
        let place = columns.iter().position(|column| column.name == name)?;
        points[place] = read_number(cursor.value()?, &columns[place])?;
        (!std::mem::replace(&mut met[place], true)).then_some(())
    })?;
    met[..columns.len()].iter().all(|met| *met).then_some(())
}

/// Reads a number, or the text of one. An escape in it is none of a number.
fn read_number(json: &str, column: &Column) -> Option<i64> {
    let text = json
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(json);
    number::parse(text, column.decimals)
}
