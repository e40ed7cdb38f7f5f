//! Reads what a person typed or pasted: returns the text that they mean, without what comes along with it.
//!
//! Our own: Unicode's normalization tables weigh more than the wasm may. Digits and a few marks suffice (ADR 198).

use super::{FieldFormat, FormatError};

/// The zero of every script whose digits follow one another. The last five are styles of mathematical digits.
const ZEROS: [u32; 69] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50,
    0x11d50, 0x11da0, 0x11f50, 0x16a60, 0x16ac0, 0x16b50, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950, 0x1fbf0,
    0x2080, 0x1ccf0, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
];

impl FieldFormat {
    /// Reads a typed or pasted text. Returns it as it is sent and checked.
    ///
    /// Free text and choices stay as they are. In the other formats, digits of any script become ASCII digits, invisible
    /// characters and outer spaces are dropped. Numbers and a CURP also lose the separators between their parts, letters with
    /// digits only spaces and dashes.
    ///
    /// # Errors
    ///
    /// Returns the first [`FormatError`] of the text.
    pub fn read(&self, text: &str) -> Result<String, FormatError> {
        let read = self.normalize(text);
        self.check(&read).map(|()| read)
    }

    /// Reads a one-time code. Like [`FieldFormat::read`], but also finds the code in a whole message, if there is only one
    /// that fits.
    ///
    /// # Errors
    ///
    /// Returns the first [`FormatError`] of the whole text.
    pub fn read_code(&self, text: &str) -> Result<String, FormatError> {
        if let Self::Text { .. } = self {
            let code: String = fold(text).chars().filter(|c| !matches!(c, ' ' | '-')).collect();
            return self.check(&code).map(|()| code);
        }
        let folded = fold(text);
        let mut words = folded.split(' ').filter(|word| !word.is_empty());
        // Joined, `Code: K7M4` would be a code of eight characters.
        let is_message = folded.trim_matches(' ').contains(' ') && !words.all(has_digit);
        if let Self::Alphanumeric { .. } = self
            && is_message
            && let Some(code) = self.find_code(&folded)
        {
            return Ok(code);
        }
        self.read(text).or_else(|fault| self.find_code(&folded).ok_or(fault))
    }

    /// Returns the text that a person means, which may not match the format.
    pub fn normalize(&self, text: &str) -> String {
        match self {
            Self::Text { .. } | Self::OneOf { .. } => text.to_owned(),
            Self::Digits { .. } | Self::Curp {} => fold(text).chars().filter(|c| !is_separator(*c)).collect(),
            // A name for a login like `john_doe` must not become another one.
            Self::Alphanumeric { .. } => fold(text).chars().filter(|c| !matches!(c, ' ' | '-')).collect(),
            Self::Email {} | Self::Phone {} | Self::Date {} => fold(text).trim_matches(' ').to_owned(),
        }
    }

    /// Finds the only code in a folded message: a word that fits or, without one, neighbouring groups of digits.
    fn find_code(&self, message: &str) -> Option<String> {
        let fits = |word: &String| has_digit(word) && self.check(word).is_ok();
        let words = message.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned);
        let groups = message
            .split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, ' ' | '-'))
            .flat_map(join_digits);
        match only(words.filter(fits)) {
            Found::None => match only(groups.filter(fits)) {
                Found::One(code) => Some(code),
                Found::None | Found::Several => None,
            },
            Found::One(code) => Some(code),
            Found::Several => None,
        }
    }
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit())
}

/// How many different codes a message has.
enum Found {
    None,
    One(String),
    Several,
}

fn only(mut codes: impl Iterator<Item = String>) -> Found {
    let Some(code) = codes.next() else { return Found::None };
    if codes.all(|other| other == code) { Found::One(code) } else { Found::Several }
}

/// Joins neighbouring words that have only digits.
fn join_digits(part: &str) -> Vec<String> {
    let mut groups = vec![String::new()];
    for word in part.split([' ', '-']).filter(|word| !word.is_empty()) {
        match groups.last_mut() {
            Some(group) if word.bytes().all(|b| b.is_ascii_digit()) => group.push_str(word),
            Some(_) | None => groups.push(String::new()),
        }
    }
    groups
}

/// Returns whether a folded character only separates the parts of a number or code.
const fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '-' | '.' | ',' | ':' | ';' | '/' | '_' | '\'' | '"' | '(' | ')')
}

/// Writes digits and full-width characters in ASCII, unifies spaces, dashes and quotes, and drops invisible characters.
fn fold(text: &str) -> String {
    text.chars().filter_map(fold_character).collect()
}

fn fold_character(c: char) -> Option<char> {
    let code = u32::from(c);
    if code < 0x80 {
        return match c {
            '\t' | '\n' | '\r' => Some(' '),
            '\0'..'\x20' | '\x7f' => None,
            _ => Some(c),
        };
    }
    let digit = |zero: &u32| code.checked_sub(*zero).filter(|value| *value < 10);
    if let Some(value) = ZEROS.iter().find_map(digit) {
        return char::from_digit(value, 10);
    }
    match code {
        // Soft hyphen, joiners, marks of direction, selectors of a variation, the frame of a keycap, tags.
        0xad
        | 0x34f
        | 0x61c
        | 0x115f..=0x1160
        | 0x180b..=0x180f
        | 0x200b..=0x200f
        | 0x2028..=0x202e
        | 0x2060..=0x206f
        | 0x20e3
        | 0xfe00..=0xfe0f
        | 0xfeff
        | 0xfff9..=0xfffb
        | 0xe0000..=0xe01ef => None,
        0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x202f | 0x205f | 0x3000 => Some(' '),
        0x58a | 0x2010..=0x2015 | 0x2043 | 0x2212 | 0xfe58 | 0xfe63 => Some('-'),
        0xab | 0xbb | 0x2018..=0x201f | 0x2039..=0x203a | 0x3008..=0x3011 => Some('"'),
        0xb7 | 0x2022 | 0x2024..=0x2027 | 0x3001..=0x3002 | 0x30fb | 0x60c | 0x66b..=0x66c | 0xff61 => {
            Some('.')
        }
        0xb9 => Some('1'),
        0xb2..=0xb3 | 0x2070 | 0x2074..=0x2079 => char::from_digit(code & 0xf, 10),
        0x24ea => Some('0'),
        0x2460..=0x2468 => char::from_digit(code - 0x245f, 10),
        0x2474..=0x247c => char::from_digit(code - 0x2473, 10),
        0x2488..=0x2490 => char::from_digit(code - 0x2487, 10),
        0xff01..=0xff5e => char::from_u32(code - 0xfee0),
        _ => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: FieldFormat = FieldFormat::Digits { min: 4, max: 4 };

    #[test]
    fn alphanumeric_code_is_found_in_a_message() {
        let code = FieldFormat::Alphanumeric { min: 4, max: 8 };
        for text in ["Code: K7M4", "is K7M4", "Your code is K7M4.", "K7M4", "K7-M4", "K7M4."] {
            assert_eq!(code.read_code(text).as_deref(), Ok("K7M4"), "{text}");
        }
        let grouped = FieldFormat::Alphanumeric { min: 6, max: 6 };
        assert_eq!(grouped.read_code("AB CD 12").as_deref(), Ok("ABCD12"));
    }

    #[test]
    fn name_with_other_characters_is_not_changed_into_another() {
        let name = FieldFormat::Alphanumeric { min: 2, max: 12 };
        for text in ["john_doe", "john.doe", "O'Brien", "a/b"] {
            assert!(name.read(text).is_err(), "{text}");
        }
        assert_eq!(name.read(" AB-12 34").as_deref(), Ok("AB1234"));
    }

    #[test]
    fn code_is_read_in_digits_of_any_script() {
        for text in ["١٢٣٤", "۱۲۳۴", "１２３４", "१२३४", "১২৩৪", "๑๒๓๔", "𝟏𝟐𝟑𝟒", "①②③④", "¹²³⁴", "1️⃣2️⃣3️⃣4️⃣"]
        {
            assert_eq!(CODE.read_code(text).as_deref(), Ok("1234"), "{text}");
        }
    }

    #[test]
    fn zero_of_a_code_is_read_in_every_style() {
        for text in ["٠١٢٣", "０１２３", "𝟎𝟏𝟐𝟑", "⓪①②③", "⁰¹²³", "₀₁₂₃", "0⑴⑵⑶", "0⒈⒉⒊"]
        {
            assert_eq!(CODE.read_code(text).as_deref(), Ok("0123"), "{text}");
        }
    }

    #[test]
    fn code_loses_invisible_characters_and_separators() {
        for text in [
            "12 34",
            " 1234 ",
            "1234.",
            "1234\n",
            "12-34",
            "12–34",
            "12\u{2011}34",
            "12.34",
            "12\u{2009}34",
            "12\u{202f}34",
            "\u{2068}1234\u{2069}",
            "\u{200e}1234",
            "\u{200f}1234\u{200f}",
            "1234\u{200b}",
            "\u{feff}1234",
            "12\u{2060}34",
            "12\u{ad}34",
            "“1234”",
            "(1234)",
            "「1234」",
            "12・34",
            "\u{202a}1234\u{202c}",
        ] {
            assert_eq!(CODE.read_code(text).as_deref(), Ok("1234"), "{text:?}");
        }
    }

    #[test]
    fn code_is_found_in_message_if_unambiguous() {
        for text in [
            "G-1234",
            "Code: 1234",
            "1234 is your code. Do not share it.",
            "Tu código es 1234",
            "您的验证码是1234，请勿泄露",
            "Your code is 1234. It expires in 5 minutes.",
            "<#> Use 12 34 to sign in",
            "رمزك هو ١٢٣٤",
            "1234 again: 1234",
        ] {
            assert_eq!(CODE.read_code(text).as_deref(), Ok("1234"), "{text}");
        }
        for text in ["1234 or 5678", "pay 1234 with 5678", "1234a", "my 12 code", "no code", "code 12345"] {
            assert_eq!(CODE.read_code(text), Err(FormatError::NotDigits), "{text}");
        }
        let code = FieldFormat::Alphanumeric { min: 6, max: 6 };
        assert_eq!(code.read_code("Your code is AB12CD, please").as_deref(), Ok("AB12CD"));
        assert_eq!(code.read_code("ab1-2cd").as_deref(), Ok("ab12cd"));
    }

    #[test]
    fn code_with_one_digit_too_many_is_refused_not_cut() {
        assert_eq!(CODE.read_code("12345"), Err(FormatError::TooLong { max: 4 }));
        assert_eq!(CODE.read_code("123 45"), Err(FormatError::TooLong { max: 4 }));
        assert_eq!(CODE.read_code("123"), Err(FormatError::TooShort { min: 4 }));
    }

    #[test]
    fn login_field_is_read_without_separators() {
        let number = FieldFormat::Digits { min: 6, max: 6 };
        for text in ["123 456", " 123456", "123.456", "١٢٣٤٥٦"] {
            assert_eq!(number.read(text).as_deref(), Ok("123456"), "{text}");
        }
        assert_eq!(number.read("my number is 123456"), Err(FormatError::NotDigits));
        assert_eq!(FieldFormat::Curp {}.read("HEGG 560427 MVZRRL04 ").as_deref(), Ok("HEGG560427MVZRRL04"));
        assert_eq!(FieldFormat::Email {}.read("\u{200b}ana@example.com ").as_deref(), Ok("ana@example.com"));
        assert_eq!(FieldFormat::Phone {}.read("+٥٢\u{a0}55 1234‑5678").as_deref(), Ok("+52 55 1234-5678"));
        assert_eq!(FieldFormat::Date {}.read("２０２４-02-29").as_deref(), Ok("2024-02-29"));
    }

    #[test]
    fn free_text_is_read_unchanged() {
        let text = FieldFormat::Text { min: 1, max: 20 };
        assert_eq!(text.read(" pás-s wörd ١").as_deref(), Ok(" pás-s wörd ١"));
        assert_eq!(text.read_code("ab-12 "), Ok("ab12".to_owned()));
    }
}
