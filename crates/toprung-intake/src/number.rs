//! Numbers of scores as text (`toprung.domain.numbers`).

/// Any so many digits fit 64 bits.
const DIGITS_MAX: usize = 18;

/// The scaled value of a decimal number: with `decimals` 3, `12.345` is 12345. `None`: it is no such
/// number, or one of so many digits that it has to be looked at closely.
pub(crate) fn parse(text: &str, decimals: usize) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (digits, ""),
    };
    let leads = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || leads || fraction.len() > decimals || whole.len() + decimals > DIGITS_MAX
    {
        return None;
    }
    let mut value = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    for _ in fraction.len()..decimals {
        value *= 10;
    }
    Some(if text.starts_with('-') { -value } else { value })
}

/// Appends a scaled value as text without trailing zeros: with `decimals` 3, 12300 is `12.3`.
pub(crate) fn write(out: &mut Vec<u8>, value: i64, decimals: usize) {
    if value < 0 {
        out.push(b'-');
    }
    // Room for the digits of 64 bits.
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    let mut left = value.unsigned_abs();
    while left > 0 || start + decimals >= digits.len() {
        start -= 1;
        #[allow(clippy::cast_possible_truncation)] // a rest of ten
        let digit = (left % 10) as u8;
        digits[start] = b'0' + digit;
        left /= 10;
    }
    let (whole, fraction) = digits[start..].split_at(digits.len() - start - decimals);
    out.extend_from_slice(whole);
    if let Some(last) = fraction.iter().rposition(|digit| *digit != b'0') {
        out.push(b'.');
        out.extend_from_slice(&fraction[..=last]);
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, write};

    #[test]
    fn a_number_is_scaled_by_its_decimals() {
        for (text, decimals, value) in [
            ("0", 0, 0),
            ("-0", 0, 0),
            ("5", 0, 5),
            ("-17", 2, -1700),
            ("12.3", 3, 12_300),
            ("-0.05", 2, -5),
            ("999999999999999999", 0, 999_999_999_999_999_999),
        ] {
            assert_eq!(parse(text, decimals), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_unusual_is_left_to_others() {
        for (text, decimals) in [
            ("", 0),
            ("-", 0),
            ("+1", 0),
            ("01", 0),
            ("-00", 0),
            ("1.0", 0),
            ("1.", 2),
            (".5", 2),
            ("1.234", 2),
            ("1e3", 3),
            ("1 ", 0),
            ("--1", 0),
            ("1.-2", 2),
            ("1.2.3", 4),
            ("٣", 0),
            ("1000000000000000000", 0),
            ("1234567890", 9),
        ] {
            assert_eq!(parse(text, decimals), None, "{text}");
        }
    }

    #[test]
    fn a_value_is_written_without_trailing_zeros() {
        for (value, decimals, text) in [
            (0, 0, "0"),
            (0, 3, "0"),
            (-5, 0, "-5"),
            (12_300, 3, "12.3"),
            (-5, 2, "-0.05"),
            (-500, 2, "-5"),
            (i64::MIN, 0, "-9223372036854775808"),
            (i64::MAX, 9, "9223372036.854775807"),
        ] {
            let mut out = Vec::new();
            write(&mut out, value, decimals);
            assert_eq!(out, text.as_bytes());
        }
    }
}
