//! As much of JSON (RFC 8259) as plain batches need. What is read is a subset of what msgspec reads.

/// How deep arrays and objects may lie in each other.
const DEPTH_MAX: usize = 32;

/// Reads from a text, step by step. `None` means that something else stands there.
///
/// White space before what is asked for is passed over.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Whether nothing but white space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The next byte that is no white space; it is not passed.
    pub fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.byte() {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Passes that byte, if it stands there.
    pub fn eat(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// A text without escapes: what stands between its quotes.
    pub fn plain_text(&mut self) -> Option<&'a str> {
        self.eat(b'"')?;
        let rest = &self.text[self.at..];
        let length = rest
            .bytes()
            .position(|byte| byte == b'"' || byte == b'\\' || byte < b' ')?;
        if rest.as_bytes()[length] != b'"' {
            return None;
        }
        self.at += length + 1;
        Some(&rest[..length])
    }

    /// A text without escapes, or `null`.
    #[allow(clippy::option_option)] // the outer one says whether it was read
    pub fn plain_text_or_null(&mut self) -> Option<Option<&'a str>> {
        match self.peek()? {
            b'n' => self.word("null").map(|()| None),
            _ => self.plain_text().map(Some),
        }
    }

    /// Any value: how it is written.
    pub fn value(&mut self) -> Option<&'a str> {
        self.peek()?;
        let start = self.at;
        self.skip(DEPTH_MAX)?;
        Some(&self.text[start..self.at])
    }

    /// Passes the members of an object one after the other: for each, `member` is told its name and
    /// passes its value.
    pub fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &'a str) -> Option<()>,
    ) -> Option<()> {
        self.eat(b'{')?;
        if self.eat(b'}').is_some() {
            return Some(());
        }
        loop {
            let name = self.plain_text()?;
            self.eat(b':')?;
            member(self, name)?;
            if self.eat(b',').is_none() {
                return self.eat(b'}');
            }
        }
    }

    /// Passes the items of an array one after the other.
    pub fn array(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.eat(b'[')?;
        if self.eat(b']').is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.eat(b',').is_none() {
                return self.eat(b']');
            }
        }
    }

    fn skip(&mut self, depth: usize) -> Option<()> {
        let within = depth.checked_sub(1)?;
        match self.peek()? {
            b'{' => self.skip_object(within),
            b'[' => self.array(|cursor| cursor.skip(within)),
            b'"' => self.skip_text(),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.skip_number(),
        }
    }

    /// As `object`, with names of any text.
    fn skip_object(&mut self, depth: usize) -> Option<()> {
        self.eat(b'{')?;
        if self.eat(b'}').is_some() {
            return Some(());
        }
        loop {
            self.skip_text()?;
            self.eat(b':')?;
            self.skip(depth)?;
            if self.eat(b',').is_none() {
                return self.eat(b'}');
            }
        }
    }

    fn skip_text(&mut self) -> Option<()> {
        self.eat(b'"')?;
        loop {
            let byte = self.byte()?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                b'\\' => self.skip_escape()?,
                0..b' ' => return None,
                _ => {}
            }
        }
    }

    /// An escape after its backslash. Halves of a surrogate pair are not followed.
    fn skip_escape(&mut self) -> Option<()> {
        let byte = self.byte()?;
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                let digits = self.text.get(self.at..self.at + 4)?;
                let hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let code = u32::from_str_radix(digits, 16).ok().filter(|_| hex)?;
                char::from_u32(code)?;
                self.at += 4;
                Some(())
            }
            _ => None,
        }
    }

    fn skip_number(&mut self) -> Option<()> {
        self.take(b"-");
        if !self.take(b"0") {
            self.skip_digits()?;
        }
        if self.take(b".") {
            self.skip_digits()?;
        }
        if self.take(b"eE") {
            self.take(b"+-");
            self.skip_digits()?;
        }
        Some(())
    }

    fn skip_digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Passes one of these bytes, if one stands exactly here.
    fn take(&mut self, bytes: &[u8]) -> bool {
        let found = self.byte().is_some_and(|byte| bytes.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.peek()?;
        let rest = self.text.get(self.at..)?;
        rest.starts_with(word).then(|| self.at += word.len())
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;

    fn value(text: &str) -> Option<&str> {
        let mut cursor = Cursor::new(text);
        let found = cursor.value()?;
        cursor.is_at_end().then_some(found)
    }

    #[test]
    fn a_value_is_given_as_it_is_written() {
        for text in [
            "0",
            "-0.50e+3",
            "12E9",
            "true",
            "null",
            r#""a\"\\\/\b\u00e9 é""#,
            r#"{"a" : [1, {"b":[]}] , "\u0061": {}}"#,
        ] {
            assert_eq!(value(text), Some(text));
            assert_eq!(value(&format!(" \t{text}\r\n")), Some(text));
        }
    }

    #[test]
    fn what_is_no_json_is_no_value() {
        for text in [
            "",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "-",
            "nul",
            "NaN",
            "[1,]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":1,}",
            "{a:1}",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u+123\"",
            "\"a",
            "[",
            "1 2",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn half_a_pair_and_the_very_deep_are_left_to_others() {
        assert_eq!(value(r#""\ud83d\ude00""#), None);
        assert!(value(&"[".repeat(32)).is_none());
        assert!(value(&format!("{}{}", "[".repeat(32), "]".repeat(32))).is_some());
        assert!(value(&format!("{}{}", "[".repeat(33), "]".repeat(33))).is_none());
    }

    #[test]
    fn a_plain_text_has_no_escapes() {
        let mut cursor = Cursor::new(r#" "é/'" "" "\n""#);
        assert_eq!(cursor.plain_text(), Some("é/'"));
        assert_eq!(cursor.plain_text(), Some(""));
        assert_eq!(cursor.plain_text(), None);
    }
}
