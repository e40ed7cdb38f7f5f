//! Amounts of money.

/// The confidence in an amount in which a mark has two meanings, like `12.345.67`: probably a misread comma.
const MISREAD: f32 = 0.6;

/// Parses an amount with two decimals to wire format, like `12345.67`. Returns `None` if the text is not an amount.
pub(crate) fn amount(text: &str) -> Option<String> {
    parse_with_confidence(text).map(|(value, _)| value)
}

/// Parses an amount in one currency format, like [`amount`]. Returns it with the confidence in its form.
pub(crate) fn parse_with_confidence(text: &str) -> Option<(String, f32)> {
    let text = text.to_uppercase();
    let text = text.trim();
    let bare = ["MXN", "PHP", "MN", "M.N.", "$", "₱", "P", "S"]
        .iter()
        .fold(text, |text, mark| text.strip_prefix(mark).unwrap_or(text).trim());
    let bare = ["MXN", "PHP", "M.N.", "MN", "CR", "DR"]
        .iter()
        .fold(bare, |text, mark| text.strip_suffix(mark).unwrap_or(text).trim());
    let negative = bare.starts_with(['-', '(', '—', '–']) || bare.ends_with('-');
    let body = bare.trim_matches(|c: char| "-()—–$+ ".contains(c));
    let (groups, marks) = groups(body)?;
    let (cents, units) = groups.split_last()?;
    let (point, commas) = marks.split_last()?;
    let (first, others) = units.split_first()?;
    let comma = commas.first();
    let in_one_format = cents.len() == 2
        && matches!(point, '.' | ',')
        && !first.is_empty()
        && (others.is_empty() || first.len() <= 3)
        && others.iter().all(|group| group.len() == 3)
        && commas.iter().all(|mark| Some(mark) == comma);
    let digits = units.concat();
    let real = body.chars().filter(char::is_ascii_digit).count();
    if !in_one_format || digits.len() > 12 || real * 3 < (digits.len() + 2) * 2 {
        return None;
    }
    let units = digits.trim_start_matches('0');
    let sign = if negative { "-" } else { "" };
    // A balance with DR is overdrawn, and other amounts with it are not.
    let sure = if comma == Some(point) || text.ends_with("DR") { MISREAD } else { 1.0 };
    Some((format!("{sign}{}.{cents}", if units.is_empty() { "0" } else { units }), sure))
}

/// Splits an amount at its marks. Returns the digits between them, and the marks. `None` if it has other characters,
/// or a space that is not next to a mark: then it may be two numbers.
fn groups(body: &str) -> Option<(Vec<String>, Vec<char>)> {
    let mut groups = vec![String::new()];
    let mut marks = Vec::new();
    let chars: Vec<char> = body.chars().collect();
    let is_mark = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| ",.'’".contains(*c));
    for (at, c) in chars.iter().enumerate() {
        let follows = groups.len() > 1;
        let group = groups.last_mut()?;
        match c {
            '0'..='9' => group.push(*c),
            'O' | 'Q' | 'D' => group.push('0'),
            'I' | 'L' | '|' => group.push('1'),
            'S' if follows || !group.is_empty() => group.push('5'),
            'B' => group.push('8'),
            ',' | '.' | '\'' | '’' => {
                marks.push(if *c == '’' { '\'' } else { *c });
                groups.push(String::new());
            }
            ' ' if is_mark(at.checked_sub(1)) || is_mark(at.checked_add(1)) => {}
            _ => return None,
        }
    }
    Some((groups, marks))
}

/// Splits adjacent amounts that were read as one word, like `82.0099.27`. Returns one part if it is one amount or none.
pub(crate) fn apart(text: &str) -> Vec<&str> {
    let whole = || vec![text];
    if text.len() < 8 || amount(text).is_some() {
        return whole();
    }
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut parts = Vec::new();
    let mut from = 0;
    for at in 0..bytes.len() {
        let cents = bytes.get(at) == Some(&b'.') && digit(at + 1) && digit(at + 2) && digit(at + 3);
        if cents && let Some(part) = text.get(from..at + 3) {
            parts.push(part);
            from = at + 3;
        }
    }
    parts.extend(text.get(from..));
    if parts.len() > 1 && parts.iter().all(|part| amount(part).is_some()) { parts } else { whole() }
}

#[cfg(test)]
mod tests {
    use super::{amount, apart};

    #[test]
    fn amounts_are_parsed_in_all_printed_forms() {
        for (text, value) in [
            ("$12,345.67", "12345.67"),
            ("$ 12,345.67 MXN", "12345.67"),
            ("PHP 1,000.00", "1000.00"),
            ("Php 999.05", "999.05"),
            ("12.345.67", "12345.67"),
            ("12, 345.67", "12345.67"),
            ("-450.00", "-450.00"),
            ("(450.00)", "-450.00"),
            ("1O,500.00", "10500.00"),
            ("0.50", "0.50"),
        ] {
            assert_eq!(amount(text).as_deref(), Some(value), "{text}");
        }
    }

    #[test]
    fn invalid_amounts_are_not_parsed() {
        for text in ["", "Total", "12345", "15/10/2026", "1.5", "Juan 12.00", "SOS"] {
            assert_eq!(amount(text), None, "{text}");
        }
    }

    #[test]
    fn two_amounts_are_not_parsed_as_one() {
        for text in [
            "6,300.00 6,300.00",
            "6,300.006,300.00",
            "6015.056915.05",
            "82,143.498,572.08",
            "82 143.49",
            "1 234.56",
            "12,34.56",
            "1,234,56.78",
            "1.234,567.89",
        ] {
            assert_eq!(amount(text), None, "{text}");
        }
        assert_eq!(apart("6,300.006,300.00"), ["6,300.00", "6,300.00"]);
        assert_eq!(apart("82.0099.277,941.63"), ["82.00", "99.27", "7,941.63"]);
        for text in ["12,345.67", "01.02.2026", "192.168.10.155", "Talleres S.A.", "20881"] {
            assert_eq!(apart(text), [text]);
        }
    }
}
