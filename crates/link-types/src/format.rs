//! Field formats: one closed set, checked by the same code in the widget and in the service.
//!
//! Our own: a regex engine in wasm weighs 179 KB (ADR 24).
//!
//! A field schema cannot contain an arbitrary regular expression. Its `pattern`, which serves HTML forms and REST
//! clients, is derived from the format, so the two always agree.

mod reading;

use serde::{Deserialize, Serialize};

/// Format that the text of a field must have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FieldFormat {
    /// Any text of `min` to `max` characters.
    Text {
        /// Minimum number of characters.
        min: u16,
        /// Maximum number of characters.
        max: u16,
    },
    /// Digits only, `min` to `max` of them.
    Digits {
        /// Minimum number of digits.
        min: u16,
        /// Maximum number of digits.
        max: u16,
    },
    /// Latin letters and digits only, `min` to `max` of them.
    Alphanumeric {
        /// Minimum number of characters.
        min: u16,
        /// Maximum number of characters.
        max: u16,
    },
    /// Email address: one `@`, a dot in the domain, no spaces, at most 254 characters.
    Email {},
    /// Phone number: an optional `+`, then 8 to 15 digits. Spaces, dots, dashes and parentheses are ignored.
    Phone {},
    /// Mexican population registry code (CURP): 18 characters, including the check digit.
    Curp {},
    /// Calendar date, `YYYY-MM-DD`.
    Date {},
    /// One of the field's choices.
    OneOf {
        /// Accepted values.
        values: Vec<String>,
    },
}

/// Reason why a text does not match a format. The widget and the service each render it in their own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The text is empty.
    #[error("is required")]
    Empty,
    /// The text is shorter than the minimum length.
    #[error("must have at least {min} characters")]
    TooShort {
        /// Minimum number of characters.
        min: u16,
    },
    /// The text is longer than the maximum length.
    #[error("must have at most {max} characters")]
    TooLong {
        /// Maximum number of characters.
        max: u16,
    },
    /// The text contains a character that is not a digit.
    #[error("must have digits only")]
    NotDigits,
    /// The text contains a character that is not a Latin letter or a digit.
    #[error("must have letters and digits only")]
    NotAlphanumeric,
    /// The text is not an email address.
    #[error("must be an e-mail address, like name@example.com")]
    NotEmail,
    /// The text is not a phone number.
    #[error("must be a phone number with its country code")]
    NotPhone,
    /// The text is not a CURP.
    #[error("must be a CURP: 18 letters and digits")]
    NotCurp,
    /// The text is not a date.
    #[error("must be a date, like 1990-05-24")]
    NotDate,
    /// The text is not one of the choices.
    #[error("must be one of the choices")]
    NotAChoice,
}

impl FieldFormat {
    /// Checks that a text matches the format exactly. [`FieldFormat::read`] first drops what people copy with it.
    ///
    /// # Errors
    ///
    /// Returns the first [`FormatError`] of the text.
    pub fn check(&self, text: &str) -> Result<(), FormatError> {
        if text.is_empty() {
            return Err(FormatError::Empty);
        }
        let fault_unless = |fits: bool, fault| if fits { Ok(()) } else { Err(fault) };
        match self {
            Self::Text { min, max } => check_length(text, *min, *max),
            Self::Digits { min, max } => {
                fault_unless(text.bytes().all(|b| b.is_ascii_digit()), FormatError::NotDigits)?;
                check_length(text, *min, *max)
            }
            Self::Alphanumeric { min, max } => {
                fault_unless(text.bytes().all(|b| b.is_ascii_alphanumeric()), FormatError::NotAlphanumeric)?;
                check_length(text, *min, *max)
            }
            Self::Email {} => fault_unless(is_email(text), FormatError::NotEmail),
            Self::Phone {} => fault_unless(is_phone(text), FormatError::NotPhone),
            Self::Curp {} => fault_unless(is_curp(text), FormatError::NotCurp),
            Self::Date {} => fault_unless(is_date(text), FormatError::NotDate),
            Self::OneOf { values } => fault_unless(values.iter().any(|v| v == text), FormatError::NotAChoice),
        }
    }

    /// Returns the HTML `pattern` of the format, or `None` if it needs no pattern.
    pub fn pattern(&self) -> Option<String> {
        match self {
            Self::Text { .. } | Self::Email {} | Self::Date {} | Self::OneOf { .. } => None,
            Self::Digits { min, max } => Some(format!("[0-9]{{{min},{max}}}")),
            Self::Alphanumeric { min, max } => Some(format!("[A-Za-z0-9]{{{min},{max}}}")),
            Self::Phone {} => Some("\\+?[0-9 .()\\-]{8,24}".to_owned()),
            Self::Curp {} => Some("[A-Za-z]{4}[0-9]{6}[HMXhmx][A-Za-z]{5}[0-9A-Za-z][0-9]".to_owned()),
        }
    }

    /// Returns the minimum and maximum number of characters, if the format has them.
    pub const fn lengths(&self) -> (Option<u16>, Option<u16>) {
        match self {
            Self::Text { min, max } | Self::Digits { min, max } | Self::Alphanumeric { min, max } => {
                (Some(*min), Some(*max))
            }
            Self::Email {} => (None, Some(254)),
            Self::Phone {} => (Some(8), Some(24)),
            Self::Curp {} => (Some(18), Some(18)),
            Self::Date {} | Self::OneOf { .. } => (None, None),
        }
    }
}

fn check_length(text: &str, min: u16, max: u16) -> Result<(), FormatError> {
    let length = text.chars().count();
    if length < usize::from(min) {
        Err(FormatError::TooShort { min })
    } else if length > usize::from(max) {
        Err(FormatError::TooLong { max })
    } else {
        Ok(())
    }
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    text.len() <= 254
        && !local.is_empty()
        && !domain.contains('@')
        && !text.chars().any(|c| c.is_ascii_whitespace() || c.is_ascii_control())
        && domain.split('.').count() >= 2
        && domain.split('.').all(|label| !label.is_empty())
}

fn is_phone(text: &str) -> bool {
    let rest = text.strip_prefix('+').unwrap_or(text);
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    text.len() <= 24
        && (8..=15).contains(&digits)
        && rest.bytes().all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'.' | b'-' | b'(' | b')'))
}

fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: core::ops::Range<usize>| {
        bytes
            .get(range)
            .filter(|part| part.iter().all(u8::is_ascii_digit))
            .map(|part| part.iter().fold(0_u16, |sum, b| sum * 10 + u16::from(b - b'0')))
    };
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (digits(0..4), digits(5..7), digits(8..10)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Maps a character to its value in the check digit's alphabet. Ñ counts, between N and O, although a CURP never
/// contains it.
fn curp_value(byte: u8) -> Option<u32> {
    match byte {
        b'0'..=b'9' => Some(u32::from(byte - b'0')),
        b'A'..=b'N' => Some(u32::from(byte - b'A') + 10),
        b'O'..=b'Z' => Some(u32::from(byte - b'A') + 11),
        _ => None,
    }
}

fn is_curp(text: &str) -> bool {
    let upper = text.to_ascii_uppercase();
    let bytes = upper.as_bytes();
    if bytes.len() != 18 {
        return false;
    }
    let shape = bytes[..4].iter().all(u8::is_ascii_uppercase)
        && bytes[4..10].iter().all(u8::is_ascii_digit)
        && matches!(bytes[10], b'H' | b'M' | b'X')
        && bytes[11..16].iter().all(u8::is_ascii_uppercase)
        && bytes[16].is_ascii_alphanumeric()
        && bytes[17].is_ascii_digit();
    let weighted: Option<u32> =
        bytes[..17].iter().zip((2..=18).rev()).map(|(b, weight)| curp_value(*b).map(|v| v * weight)).sum();
    shape && weighted.is_some_and(|w| (10 - w % 10) % 10 == u32::from(bytes[17] - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_length_is_counted_in_characters_not_bytes() {
        let format = FieldFormat::Text { min: 2, max: 4 };
        assert_eq!(format.check("ñandú"), Err(FormatError::TooLong { max: 4 }));
        assert_eq!(format.check("ñ"), Err(FormatError::TooShort { min: 2 }));
        assert_eq!(format.check("ñaña"), Ok(()));
        assert_eq!(format.check(""), Err(FormatError::Empty));
    }

    #[test]
    fn digits_format_rejects_signs_and_non_ascii_digits() {
        let format = FieldFormat::Digits { min: 1, max: 12 };
        for text in ["12a", "-1", "1 2", "١٢"] {
            assert_eq!(format.check(text), Err(FormatError::NotDigits), "{text}");
        }
    }

    #[test]
    fn email_requires_local_part_one_at_and_dotted_domain() {
        for text in ["ana@example.com", "a.b+c@mail.example.mx"] {
            assert_eq!(FieldFormat::Email {}.check(text), Ok(()), "{text}");
        }
        for text in ["ana", "@example.com", "ana@example", "a b@example.com", "a@b@c.d", "a@b..c"] {
            assert_eq!(FieldFormat::Email {}.check(text), Err(FormatError::NotEmail), "{text}");
        }
    }

    #[test]
    fn curp_with_wrong_check_digit_is_rejected() {
        assert_eq!(FieldFormat::Curp {}.check("HEGG560427MVZRRL04"), Ok(()));
        assert_eq!(FieldFormat::Curp {}.check("hegg560427mvzrrl04"), Ok(()));
        assert_eq!(FieldFormat::Curp {}.check("HEGG560427MVZRRL05"), Err(FormatError::NotCurp));
        assert_eq!(FieldFormat::Curp {}.check("HEGG560427"), Err(FormatError::NotCurp));
    }

    #[test]
    fn phone_allows_separators_and_date_must_exist() {
        assert_eq!(FieldFormat::Phone {}.check("+52 55 1234 5678"), Ok(()));
        assert_eq!(FieldFormat::Phone {}.check("5512"), Err(FormatError::NotPhone));
        assert_eq!(FieldFormat::Date {}.check("2024-02-29"), Ok(()));
        assert_eq!(FieldFormat::Date {}.check("2023-02-29"), Err(FormatError::NotDate));
    }
}
