//! Telling entries as `MessagePack`.

use std::collections::HashMap;

use super::{Cache, PRESENT, Row};
use crate::msgpack::Write;
use crate::packed::write_entry;

impl Cache {
    /// All entries that wait: `MessagePack`, an array of `[period, {player: entry}]`.
    pub fn waiting(&self) -> Vec<u8> {
        let mut periods: HashMap<u32, Vec<u32>> = HashMap::new();
        for row in self.waiting.rows() {
            let period = self.rows[row as usize].period;
            periods.entry(period).or_default().push(row);
        }
        let mut out = Vec::new();
        out.array(periods.len());
        for (period, rows) in &periods {
            out.array(2);
            out.int(i64::from(*period));
            out.map(rows.len());
            for row in rows {
                let row = &self.rows[*row as usize];
                out.text(self.text(row.player));
                write_entry(&mut out, &row.standing(), row.event_id(), row.seq);
            }
        }
        out
    }

    /// Those of the entries of players in periods that are held, written as `waiting` does.
    pub fn held_of(&self, wanted: &[(u32, Vec<&[u8]>)]) -> Vec<u8> {
        let mut out = Vec::new();
        out.array(wanted.len());
        for (period, texts) in wanted {
            let players = texts.iter().filter_map(|text| self.player(text));
            let rows = players.filter_map(|player| self.find_row(*period, player));
            let rows: Vec<&Row> = rows
                .map(|row| &self.rows[row as usize])
                .filter(|row| row.flags & PRESENT != 0)
                .collect();
            out.array(2);
            out.int(i64::from(*period));
            out.map(rows.len());
            for row in rows {
                out.text(self.text(row.player));
                write_entry(&mut out, &row.standing(), row.event_id(), row.seq);
            }
        }
        out
    }
}
