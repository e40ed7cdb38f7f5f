//! Amounts of money.

/// Parses an amount with two decimals to wire format, like `12345.67`. Returns `None` if the text is not an amount.
pub(crate) fn amount(text: &str) -> Option<String> {
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
    let mut digits = String::new();
    let mut after_mark = None;
    for c in body.chars() {
        match c {
            '0'..='9' => digits.push(c),
            'O' | 'Q' | 'D' => digits.push('0'),
            'I' | 'L' | '|' => digits.push('1'),
            'S' if !digits.is_empty() => digits.push('5'),
            'B' => digits.push('8'),
            ',' | '.' | ' ' | '\'' | '’' => {}
            _ => return None,
        }
        if c == ',' || c == '.' {
            after_mark = Some(0);
        } else if c != ' ' {
            after_mark = after_mark.map(|count| count + 1);
        }
    }
    let real = body.chars().filter(char::is_ascii_digit).count();
    if after_mark != Some(2) || digits.len() < 3 || digits.len() > 14 || real * 3 < digits.len() * 2 {
        return None;
    }
    let (units, cents) = digits.split_at(digits.len() - 2);
    let units = units.trim_start_matches('0');
    let sign = if negative { "-" } else { "" };
    Some(format!("{sign}{}.{cents}", if units.is_empty() { "0" } else { units }))
}

#[cfg(test)]
mod tests {
    use super::amount;

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
}
