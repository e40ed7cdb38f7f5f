//! The forms of values, and how they are parsed from text.

mod code;
mod date;
mod money;

use link_types::archive::ExtractionFaultCode;

use self::code::{curp, digits, rfc, social};
pub(crate) use self::date::{Order, dates};
pub(crate) use self::money::{amount, apart, parse_with_confidence};
use crate::page::{Place, Word, confidence_of, text_of};
use crate::rules::plain::{is_particle, plain};

/// A field's name, value and page.
pub(crate) type Named = (&'static str, Reading, u16);

/// A value, as read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// In wire format. A period has two dates, separated by a slash.
    pub text: String,
    /// The confidence.
    pub confidence: f32,
    /// Where its words are. `None` if it was not read but derived.
    pub place: Option<Place>,
    /// Where its label is, if it has one.
    pub label: Option<Place>,
    /// Why it is in doubt.
    pub fault: Option<ExtractionFaultCode>,
}

/// The maximum confidence in a value that was read from a picture and whose form cannot show a misread letter, as in `Oscar`
/// for `Óscar`.
const MAX_OF_PICTURE: f32 = 0.94;

/// A sex that is printed as M: `mujer` or `masculino` in Spanish, `male` in English. The rest of the document says which.
pub(crate) const M: &str = "M";

/// The factor for numbers that touch.
const TOUCHING: f32 = 0.45;

/// The form of a label's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Words.
    Text,
    /// A person's name: words without digits.
    Name,
    /// An amount of money.
    Money,
    /// A date.
    Date,
    /// Two dates: the first and the last.
    Period,
    /// A year.
    Year,
    /// A number of letters, digits and hyphens, with at least one digit.
    Number,
    /// A Mexican tax number.
    Rfc,
    /// A Mexican population registry code.
    Curp,
    /// A social security number of Mexico or the Philippines.
    Social,
    /// A number with one of these counts of digits, however they are grouped.
    Digits(&'static [usize]),
    /// A sex.
    Gender,
    /// Whether a clearance is clear.
    Status,
}

impl Value {
    /// Parses the words as a value of this form.
    pub fn read(self, words: &[Word], order: Order) -> Option<Reading> {
        let whole = text_of(words);
        let text = whole.trim_matches(|c: char| c.is_whitespace() || ":|_-—–=~•*".contains(c));
        let text = text.trim_start_matches('.').trim();
        if text.is_empty() {
            return None;
        }
        let mut fault = None;
        let (value, sure) = match self {
            Self::Text => (words_of(text)?, 1.0),
            Self::Name => (name(text)?, 1.0),
            Self::Money => parse_with_confidence(whole.trim_start_matches([':', '.', ' ']))?,
            Self::Date => (dates(text, order).first()?.to_string(), order.confidence(text)),
            Self::Period => match dates(text, order).as_slice() {
                [from, to] if from <= to => (format!("{from}/{to}"), order.confidence(text)),
                _ => return None,
            },
            Self::Year => (year(text)?, 1.0),
            Self::Number => (number(text)?, 1.0),
            Self::Rfc => rfc(text)?,
            Self::Curp => note_check_digit(curp(text)?, &mut fault),
            Self::Digits(counts) => (digits(text, counts)?, 1.0),
            Self::Social => note_check_digit(social(text)?, &mut fault),
            Self::Gender => (gender(text)?.to_owned(), 1.0),
            Self::Status => (status(text)?.to_owned(), 1.0),
        };
        let mut sure = sure;
        let printed: String =
            text.to_uppercase().chars().filter(|c| c.is_alphanumeric() || *c == '&').collect();
        if matches!(self, Self::Rfc | Self::Curp) && !printed.contains(&value) {
            // A letter or digit was corrected.
            sure = sure.min(MAX_OF_PICTURE);
        }
        let mut least = confidence_of(words) * if touch(words) { TOUCHING } else { 1.0 };
        if least < 1.0 && !self.is_strict() {
            least = least.min(MAX_OF_PICTURE);
        }
        Some(Reading {
            text: value,
            confidence: (least * sure).clamp(0.0, 1.0),
            place: Place::around(words),
            label: None,
            fault,
        })
    }

    /// Returns whether the form alone distinguishes a correct value from a wrong one.
    pub fn is_strict(self) -> bool {
        match self {
            Self::Text | Self::Name | Self::Number => false,
            Self::Money
            | Self::Date
            | Self::Period
            | Self::Year
            | Self::Rfc
            | Self::Curp
            | Self::Digits(_)
            | Self::Social
            | Self::Gender
            | Self::Status => true,
        }
    }
}

/// Returns whether the words are numbers that touch, but have a gap between them: of two columns, or a number and a mark.
fn touch(words: &[Word]) -> bool {
    words.windows(2).any(|pair| {
        let [one, two] = pair else { return false };
        one.text.ends_with(|c: char| c.is_ascii_digit())
            && two.text.starts_with(|c: char| c.is_ascii_digit())
            && two.left - one.right < one.height().max(two.height()) * 0.16
    })
}

/// Notes a wrong check digit of a code, which has a lower confidence.
fn note_check_digit((code, sure): (String, f32), fault: &mut Option<ExtractionFaultCode>) -> (String, f32) {
    *fault = (sure < 1.0).then_some(ExtractionFaultCode::CheckDigitWrong);
    (code, sure)
}

fn words_of(text: &str) -> Option<String> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= 2).then(|| tidy(text))
}

fn name(text: &str) -> Option<String> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if text.split_whitespace().all(is_particle) {
        return None;
    }
    (letters >= 3 && digits == 0 && text.split(' ').count() <= 9).then(|| tidy(text))
}

/// Joins words with single spaces, without specks that come from ruling lines.
fn tidy(text: &str) -> String {
    let kept = text.split_whitespace().filter(|word| !word.chars().all(|c| "|_~=¦[]{}".contains(c)));
    kept.collect::<Vec<_>>().join(" ")
}

fn year(text: &str) -> Option<String> {
    let found = text.split(|c: char| !c.is_ascii_digit()).find(|part| {
        part.len() == 4 && part.parse::<u16>().is_ok_and(|year| (1990..=2100).contains(&year))
    })?;
    Some(found.to_owned())
}

fn number(text: &str) -> Option<String> {
    let mut joined = String::new();
    for word in text.split_whitespace().take(4) {
        let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        // `40172 Confianza` is a number and a word.
        if has_digit(&joined) && word.contains(char::is_alphabetic) && !has_digit(word) {
            break;
        }
        joined.push_str(word);
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '/';
    let kept: String =
        joined.chars().map(|c| if c == '—' || c == '–' { '-' } else { c }).take_while(|c| fits(*c)).collect();
    let digits = kept.chars().filter(char::is_ascii_digit).count();
    (digits >= 2 && digits * 2 >= kept.len().min(8)).then_some(kept)
}

fn gender(text: &str) -> Option<&'static str> {
    match plain(text).as_str() {
        "mujer" | "femenino" | "female" | "babae" | "f" => Some("FEMALE"),
        "hombre" | "masculino" | "male" | "lalaki" | "h" => Some("MALE"),
        "m" => Some(M),
        _ => None,
    }
}

fn status(text: &str) -> Option<&'static str> {
    let text = plain(text);
    let clear = ["sinantecedentes", "norecord", "noderogatory", "clear", "noantecedentes"];
    let hit = ["conantecedentes", "withrecord", "hit"];
    if clear.iter().any(|words| text.contains(words)) {
        Some("VALID")
    } else if hit.iter().any(|words| text.contains(words)) {
        Some("HIT")
    } else {
        None
    }
}
