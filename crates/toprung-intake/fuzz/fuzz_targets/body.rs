//! Any bytes as a body: left alone, or records that can be read again; never a crash.
#![no_main]

use toprung_decide::msgpack::Reader;
use toprung_decide::read_event;
use toprung_intake::{Arrival, Board, Column, Form, read};

fn board(columns: &[(&str, usize)]) -> Board {
    Board {
        board_id: 7,
        revision: 1,
        columns: columns
            .iter()
            .map(|(name, decimals)| Column {
                name: (*name).to_owned(),
                decimals: *decimals,
            })
            .collect(),
    }
}

libfuzzer_sys::fuzz_target!(|body: &[u8]| {
    let arrival = Arrival {
        received_at: 1_777_000_000_000_000,
        history: false,
    };
    for form in [Form::Object, Form::Lines, Form::Single] {
        for board in [board(&[("points", 0)]), board(&[("a", 9), ("b", 2)])] {
            let Some(batch) = read(body, form) else {
                continue;
            };
            let boards = vec![board; batch.boards().len()];
            let Some(records) = batch.records(&boards, arrival) else {
                continue;
            };
            let mut frames = Reader::new(&records.frames);
            for _ in &records.sizes {
                assert_eq!(
                    (frames.array(), frames.int()),
                    (Some(2), Some(arrival.received_at))
                );
                let record = frames.bytes().expect("a record");
                assert!(read_event(record).is_some());
            }
            assert!(frames.is_at_end());
        }
    }
});
