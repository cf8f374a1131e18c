//! Instants as text: RFC 3339 (`toprung.domain.instants`).

const SECOND: i64 = 1_000_000;
/// Years of instants (`toprung.domain.limits.AT_YEAR`).
const YEAR_MIN: i64 = 1000;
const YEAR_MAX: i64 = 8999;
/// The first instant of 1000 and of 9000 (UTC).
const INSTANT_MIN: i64 = -30_610_224_000 * SECOND;
const INSTANT_END: i64 = 221_845_392_000 * SECOND;

/// The microseconds since 1970 of an instant with `Z` or an offset. `None`: it is none, or lies
/// outside the years that exist here.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (head, rest) = bytes.split_at_checked(19)?;
    let marks = [
        head[4],
        head[7],
        head[10].to_ascii_uppercase(),
        head[13],
        head[16],
    ];
    if marks != *b"--T::" {
        return None;
    }
    let year = digits(&head[..4])?;
    let day = days(year, digits(&head[5..7])?, digits(&head[8..10])?)?;
    let (hour, minute) = clock(&head[11..13], &head[14..16])?;
    let second = digits(&head[17..])?;
    if second > 59 {
        return None;
    }
    let (fraction, rest) = fraction(rest)?;
    let local = ((day * 24 + hour) * 60 + minute) * 60 + second;
    let instant = (local - offset(rest)?) * SECOND + fraction;
    (INSTANT_MIN..INSTANT_END)
        .contains(&instant)
        .then_some(instant)
}

/// Microseconds, and what stands after them.
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let Some(text) = text.strip_prefix(b".") else {
        return Some((0, text));
    };
    let width = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=6).contains(&width) {
        return None;
    }
    let (found, rest) = text.split_at(width);
    let scale = (width..6).fold(1, |scale, _| scale * 10);
    Some((digits(found)? * scale, rest))
}

/// How many seconds the local time is ahead.
fn offset(text: &[u8]) -> Option<i64> {
    match text {
        b"Z" | b"z" => Some(0),
        [sign @ (b'+' | b'-'), a, b, b':', c, d] => {
            let (hour, minute) = clock(&[*a, *b], &[*c, *d])?;
            let ahead = (hour * 60 + minute) * 60;
            Some(if *sign == b'-' { -ahead } else { ahead })
        }
        _ => None,
    }
}

fn clock(hour: &[u8], minute: &[u8]) -> Option<(i64, i64)> {
    let (hour, minute) = (digits(hour)?, digits(minute)?);
    (hour < 24 && minute < 60).then_some((hour, minute))
}

fn digits(text: &[u8]) -> Option<i64> {
    let mut value = 0;
    for byte in text {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(byte - b'0');
    }
    Some(value)
}

/// The days from 1970-01-01 to a date.
///
/// Counted from March, so that the day that comes every four years ends a year (Howard Hinnant,
/// "chrono-compatible low-level date algorithms").
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    // A day more on each side: an offset may lead back into the range.
    if !(YEAR_MIN - 1..=YEAR_MAX + 1).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    if !(1..=month_days(year, month)).contains(&day) {
        return None;
    }
    let year = if month > 2 { year } else { year - 1 };
    let month = (month + 9) % 12;
    let before = year * 365 + year / 4 - year / 100 + year / 400;
    Some(before + (month * 153 + 2) / 5 + day - 1 - 719_468)
}

fn month_days(year: i64, month: i64) -> i64 {
    let leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leaps => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::{INSTANT_END, INSTANT_MIN, parse};

    #[test]
    fn an_instant_is_counted_from_1970() {
        // The seconds are those of `date -u -d "..." +%s`.
        for (text, microseconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31t23:59:59.5z", -500_000),
            ("2026-11-30T12:00:00Z", 1_796_040_000_000_000),
            ("2026-11-30T14:00:00.000001+02:00", 1_796_040_000_000_001),
            ("2024-02-29T00:00:00-23:59", 1_709_251_140_000_000),
            ("2000-03-01T00:00:00Z", 951_868_800_000_000),
        ] {
            assert_eq!(parse(text), Some(microseconds), "{text}");
        }
    }

    #[test]
    fn the_years_have_an_end() {
        assert_eq!(parse("1000-01-01T00:00:00Z"), Some(INSTANT_MIN));
        assert_eq!(parse("0999-12-31T23:00:00-01:00"), Some(INSTANT_MIN));
        assert_eq!(parse("1000-01-01T00:00:00+00:01"), None);
        assert_eq!(parse("8999-12-31T23:59:59.999999Z"), Some(INSTANT_END - 1));
        assert_eq!(parse("9000-01-01T00:00:00Z"), None);
        assert_eq!(
            parse("9000-01-01T00:59:59+01:00"),
            Some(INSTANT_END - 1_000_000)
        );
    }

    #[test]
    fn what_is_none_is_left_to_others() {
        for text in [
            "",
            "2026-11-30",
            "2026-11-30T12:00:00",
            "2026-11-30 12:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:60Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.1234567Z",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00+01:60",
            "2026-01-01T00:00:00ZZ",
            "+026-01-01T00:00:00Z",
            "2026-01-01T00:00:0éZ",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
