//! An image gives back what was written, or says that it is damaged.

mod seal;

use toprung_rank::{Engine, Error, ImageWriter, Moves, PeriodId, Rows, Texts};

fn put(engine: &mut Engine, period: PeriodId, player: &str, columns: &[i64], reached_at: i64) {
    let ends = [u32::try_from(player.len()).expect("short")];
    let moves = Moves {
        periods: &[period],
        players: Texts {
            bytes: player.as_bytes(),
            ends: &ends,
        },
        columns,
        reached_at: &[reached_at],
        numbering: &[0],
    };
    engine
        .apply(&moves, &mut [0], &mut [0])
        .expect("a good move");
}

/// Periods 0, 2 (empty) and 3; 1 was dropped.
fn small_engine() -> Engine {
    let mut engine = Engine::new();
    let first = engine.add_period(&[true]).expect("one column");
    let dropped = engine.add_period(&[true]).expect("one column");
    engine
        .add_period(&[false, true, true, true, true])
        .expect("five columns");
    let last = engine.add_period(&[false, true]).expect("two columns");
    for (player, score) in [("ana", 3), ("bob", i64::MIN), ("", 3), ("zoë", i64::MAX)] {
        put(&mut engine, first, player, &[score], 5);
        put(&mut engine, last, player, &[1, score], score);
    }
    engine.drop_period(dropped).expect("it is there");
    engine
}

fn image_of(engine: &Engine) -> Vec<u8> {
    let mut image = Vec::new();
    engine
        .write_image(b"seq 77", &mut image)
        .expect("memory takes it");
    image
}

fn rows_of(engine: &Engine, period: PeriodId) -> Rows {
    let mut rows = Rows::default();
    engine.rows(period, 0, u64::MAX, &mut rows).expect("known");
    rows
}

fn read(mut bytes: &[u8]) -> Result<(Engine, Vec<u8>), Error> {
    Engine::read_image(&mut bytes)
}

#[test]
fn an_image_gives_back_periods_handles_and_header() {
    let engine = small_engine();

    let (mut again, header) = read(&image_of(&engine)).expect("whole");

    again.validate().expect("whole");
    assert_eq!(header, b"seq 77");
    assert_eq!(again.periods(), [PeriodId(0), PeriodId(2), PeriodId(3)]);
    for period in again.periods() {
        assert_eq!(again.descending(period), engine.descending(period));
        assert_eq!(rows_of(&again, period), rows_of(&engine, period));
    }
    assert_eq!(again.add_period(&[true]), Ok(PeriodId(1)));
}

#[test]
fn any_changed_bit_is_noticed() {
    let mut image = image_of(&small_engine());
    for bit in 0..image.len() * 8 {
        image[bit / 8] ^= 1 << (bit % 8);
        let outcome = read(&image).map(|_| ());
        assert!(
            matches!(outcome, Err(Error::Damaged(_))),
            "bit {bit}: {outcome:?}"
        );
        image[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn a_changed_image_whose_checks_hold_is_refused_or_whole() {
    let image = image_of(&small_engine());
    assert_eq!(seal::image_of(&image[12..]), image);
    let mut accepted = 0;
    for at in 12..image.len() {
        for change in [1, 2, 0x80, 0xff] {
            let mut changed = image.clone();
            changed[at] ^= change;
            if let Ok((engine, _)) = read(&seal::image_of(&changed[12..])) {
                engine.validate().expect("what was read is whole");
                accepted += 1;
            }
        }
    }
    // Another header or other texts are as good as those before.
    assert!(accepted > 0);
}

#[test]
fn any_cut_and_any_addition_is_noticed() {
    let mut image = image_of(&small_engine());
    for length in 0..image.len() {
        let outcome = read(&image[..length]).map(|_| ());
        assert!(
            matches!(outcome, Err(Error::Damaged(_))),
            "{length} bytes: {outcome:?}"
        );
    }
    image.push(0);
    assert!(matches!(read(&image), Err(Error::Damaged(_))));
}

#[test]
fn blocks_that_change_places_are_noticed() {
    let mut engine = Engine::new();
    for player in ["ana", "bob"] {
        let period = engine.add_period(&[true]).expect("one column");
        put(&mut engine, period, player, &[1], 1);
    }
    let mut other = Vec::new();
    let mut writer = ImageWriter::new(b"seq 77", &mut other).expect("memory takes it");
    for period in engine.periods().into_iter().rev() {
        writer.period(&engine, period).expect("known");
    }
    writer.finish().expect("memory takes it");

    // The same blocks in another order are fine when they were written so.
    let (again, _) = read(&other).expect("whole");
    assert_eq!(again.periods(), engine.periods());

    let image = image_of(&engine);
    let blocks = blocks(&image);
    for at in 1..blocks.len() - 1 {
        let mut order = blocks.clone();
        order.swap(at, at + 1);
        let swapped = [&image[..12], &order.concat()].concat();
        assert!(
            matches!(read(&swapped), Err(Error::Damaged(_))),
            "blocks {at} and {}",
            at + 1
        );
        order.swap(at, at + 1);
        order.remove(at);
        let shorter = [&image[..12], &order.concat()].concat();
        assert!(
            matches!(read(&shorter), Err(Error::Damaged(_))),
            "without block {at}"
        );
    }
}

/// The blocks of an image, as the description of the format in `image.rs` has them.
fn blocks(image: &[u8]) -> Vec<&[u8]> {
    let mut rest = &image[12..];
    let mut blocks = Vec::new();
    while !rest.is_empty() {
        let length = u32::from_le_bytes(rest[1..5].try_into().expect("four bytes"));
        let (block, after) = rest.split_at(13 + length as usize);
        blocks.push(block);
        rest = after;
    }
    blocks
}

#[test]
fn a_view_is_written_as_it_was_while_writes_go_on() {
    let mut engine = small_engine();
    let (before, view) = (rows_of(&engine, PeriodId(0)), engine.read_view(PeriodId(0)));
    let view = view.expect("it is there");
    let mut image = Vec::new();
    let mut writer = ImageWriter::new(b"", &mut image).expect("memory takes it");
    put(&mut engine, PeriodId(0), "new", &[9], 9);
    put(&mut engine, PeriodId(3), "newer", &[9, 9], 9);

    writer.view(&engine, &view).expect("open");
    put(&mut engine, PeriodId(3), "newest", &[8, 8], 8);
    writer.period(&engine, PeriodId(3)).expect("known");
    writer.finish().expect("memory takes it");

    let (again, _) = read(&image).expect("whole");
    again.validate().expect("whole");
    assert_eq!(rows_of(&again, PeriodId(0)), before);
    assert_eq!(rows_of(&again, PeriodId(3)), rows_of(&engine, PeriodId(3)));
}

#[test]
fn an_image_may_be_written_in_parts_with_writes_between_them() {
    let mut engine = small_engine();
    let (before, view) = (rows_of(&engine, PeriodId(0)), engine.read_view(PeriodId(0)));
    let view = view.expect("it is there");
    let mut image = Vec::new();
    let begun = ImageWriter::new(b"seq 77", &mut image).expect("memory takes it");
    let mut written = begun.pause();

    for members in [2, 1] {
        let mut writer = ImageWriter::resume(written, &mut image);
        let all = writer.members(&engine, members).expect("memory takes it");
        assert!(!all, "there are four, and more come");
        written = writer.pause();
    }
    for (start, stop) in [(0, 1), (1, 1), (1, 3), (3, 4)] {
        let player = format!("new {start} {stop}");
        put(&mut engine, PeriodId(0), &player, &[i64::MAX], 9);
        let mut writer = ImageWriter::resume(written, &mut image);
        writer.view_part(&engine, &view, start, stop).expect("open");
        written = writer.pause();
    }
    let writer = ImageWriter::resume(written, &mut image);
    writer.finish().expect("memory takes it");

    let (again, header) = read(&image).expect("whole");
    again.validate().expect("whole");
    assert_eq!(header, b"seq 77");
    assert_eq!(rows_of(&again, PeriodId(0)), before);
}

#[test]
fn a_long_header_and_many_members_take_several_blocks() {
    let mut engine = Engine::new();
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    for number in 0..40_000_u32 {
        bytes.extend_from_slice(format!("player-{number}").as_bytes());
        ends.push(u32::try_from(bytes.len()).expect("short"));
    }
    let texts = Texts {
        bytes: &bytes,
        ends: &ends,
    };
    let scores: Vec<i64> = (0..40_000).map(|number| number % 1000).collect();
    let period = engine
        .build(&[true], &texts, &scores, &scores)
        .expect("good rows");
    let header = vec![7; 1_000_000];
    let mut image = Vec::new();
    engine
        .write_image(&header, &mut image)
        .expect("memory takes it");

    let (again, read_header) = read(&image).expect("whole");

    assert_eq!(read_header, header);
    again.validate().expect("whole");
    assert_eq!(rows_of(&again, period), rows_of(&engine, period));
}
