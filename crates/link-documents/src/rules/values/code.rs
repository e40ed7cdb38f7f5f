//! Codes with a fixed form: the expected form of each position corrects misread letters and digits.

const ALPHABET: &str = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";

/// The position in a registry code that is a digit if the person was born before 2000, and otherwise a letter.
const MARK: usize = 16;
/// The largest two-digit year of birth that means a year after 2000.
const LAST_BORN: u8 = 30;

/// The confidence in a code whose check digit is wrong.
const UNCHECKED: f32 = 0.6;

/// Kind of character at a position of a code.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Letter,
    Digit,
    Either,
}

/// Parses a population registry code. Returns it with a confidence based on its check digit.
pub(crate) fn curp(text: &str) -> Option<(String, f32)> {
    let form = "LLLLDDDDDDLLLLLLED";
    let code = fit(text, form)?;
    let born: u8 = code.get(4..6)?.parse().ok()?;
    let mark = if born > LAST_BORN { digit } else { letter };
    let code: String = code.chars().enumerate().map(|(at, c)| if at == MARK { mark(c) } else { c }).collect();
    let sure = if check(&code) { 1.0 } else { UNCHECKED };
    Some((code, sure))
}

/// Parses a social security number. Returns it with a confidence based on the check digit of a Mexican one, the one with 11
/// digits; a Philippine one has 10.
pub(crate) fn social(text: &str) -> Option<(String, f32)> {
    let number = digits(text, &[10, 11])?;
    let kept: Vec<u32> = number.chars().filter_map(|c| c.to_digit(10)).collect();
    let weighted =
        |(at, digit): (usize, &u32)| if at % 2 == 0 { *digit } else { digit * 2 / 10 + digit * 2 % 10 };
    let is_right = kept.len() == 10 || kept.iter().enumerate().map(weighted).sum::<u32>() % 10 == 0;
    Some((number, if is_right { 1.0 } else { UNCHECKED }))
}

/// Parses the tax number of a person (13 characters) or a company (12).
pub(crate) fn rfc(text: &str) -> Option<(String, f32)> {
    fit(text, "LLLLDDDDDDEEE").or_else(|| fit(text, "LLLDDDDDDEEE")).map(|code| (code, 0.95))
}

/// Parses one of these counts of digits, however they are grouped. Keeps the printed groups, separated by hyphens.
pub(crate) fn digits(text: &str, counts: &[usize]) -> Option<String> {
    let kept: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '—' | '–' | '_' | '.' => '-',
            other => digit(other),
        })
        .take_while(|c| c.is_ascii_digit() || *c == '-')
        .collect();
    let kept = kept.trim_matches('-').to_owned();
    let count = kept.chars().filter(char::is_ascii_digit).count();
    counts.contains(&count).then_some(kept)
}

/// Fits the first letters and digits of the text to the form.
fn fit(text: &str, form: &str) -> Option<String> {
    let form: Vec<Place> = form
        .chars()
        .map(|c| match c {
            'L' => Place::Letter,
            'D' => Place::Digit,
            _ => Place::Either,
        })
        .collect();
    let given: Vec<char> =
        text.to_uppercase().chars().filter(|c| c.is_alphanumeric() || *c == '&' || *c == '|').collect();
    if given.len() != form.len() {
        return None;
    }
    let code: String = given
        .iter()
        .zip(&form)
        .map(|(c, place)| match place {
            Place::Letter => letter(*c),
            Place::Digit => digit(*c),
            Place::Either => *c,
        })
        .collect();
    let fits = code.chars().zip(&form).all(|(c, place)| match place {
        Place::Letter => c.is_alphabetic() || c == '&',
        Place::Digit => c.is_ascii_digit(),
        Place::Either => c.is_alphanumeric(),
    });
    let changed = code.chars().zip(&given).filter(|(fixed, given)| fixed != *given).count();
    let month: u8 = digits_before(&code, &form, 2)?;
    let day: u8 = digits_before(&code, &form, 4)?;
    (fits && changed <= 3 && (1..=12).contains(&month) && (1..=31).contains(&day)).then_some(code)
}

/// Returns the two digits that begin `behind` positions after the first digit.
fn digits_before(code: &str, form: &[Place], behind: usize) -> Option<u8> {
    let start = form.iter().position(|place| *place == Place::Digit)? + behind;
    code.chars().skip(start).take(2).collect::<String>().parse().ok()
}

fn letter(c: char) -> char {
    match c {
        '0' => 'O',
        '1' | '|' => 'I',
        '5' => 'S',
        '8' => 'B',
        '2' => 'Z',
        '6' => 'G',
        other => other,
    }
}

fn digit(c: char) -> char {
    match c {
        'O' | 'o' | 'Q' | 'D' | 'U' => '0',
        'I' | 'l' | '|' | 'L' | 'i' | '!' => '1',
        'S' | 's' => '5',
        'B' => '8',
        'Z' | 'z' => '2',
        'G' | 'b' => '6',
        'T' => '7',
        'A' => '4',
        other => other,
    }
}

/// Returns whether the check digit of a population registry code is correct.
fn check(code: &str) -> bool {
    let places = code.chars().take(17).enumerate();
    let sum: Option<usize> = places
        .map(|(at, c)| ALPHABET.chars().position(|known| known == c).map(|value| value * (18 - at)))
        .sum();
    let last = code.chars().nth(17).and_then(|c| c.to_digit(10));
    match (sum, last) {
        (Some(sum), Some(last)) => (10 - sum % 10) % 10 == last as usize,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curp_corrects_misread_characters_and_checks_the_digit() {
        let code = "MUES9O0101MJCQQQ0";
        assert_eq!(curp(code), None, "a character is missing");
        let (fixed, sure) = curp("EUEA0O0101MJCBCD02").unwrap();
        assert_eq!(fixed, "EUEA000101MJCBCDO2");
        assert!(sure < 1.0);
    }

    #[test]
    fn rfc_requires_a_valid_date() {
        assert_eq!(rfc("MUEA-900l01-AB3").unwrap().0, "MUEA900101AB3");
        assert_eq!(rfc("TAB 900101 AB3").unwrap().0, "TAB900101AB3");
        assert_eq!(rfc("TAB 901301 AB3"), None);
        assert_eq!(rfc("Talleres Aurora"), None);
    }

    #[test]
    fn social_security_number_is_checked() {
        assert_eq!(social("55304484714"), Some(("55304484714".to_owned(), 1.0)));
        assert_eq!(social("5530-44-8471-4"), Some(("5530-44-8471-4".to_owned(), 1.0)));
        assert_eq!(social("55304484715"), Some(("55304484715".to_owned(), UNCHECKED)));
        assert_eq!(social("54-6306988-9"), Some(("54-6306988-9".to_owned(), 1.0)), "without a check digit");
        assert_eq!(social("5530448471"), Some(("5530448471".to_owned(), 1.0)));
    }

    #[test]
    fn digit_groups_are_kept() {
        assert_eq!(digits("123-456-789-O00", &[9, 12]).as_deref(), Some("123-456-789-000"));
        assert_eq!(digits("12-3456789", &[10]), None);
    }
}
