//! Compares a text with what was read from its picture.

use super::plain::{far, plain};

/// Returns whether a picture shows this text, except for letters that a reader misreads. Digits must be the same.
pub(crate) fn agree(text: &str, seen: &str) -> bool {
    let (all, all_seen) = (shape(text), shape(seen));
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    if all == all_seen {
        return true;
    }
    if !has_digits {
        return !far(&all, &all_seen);
    }
    let (numbers, numbers_seen) = (numbers(text), numbers(seen));
    // The sign of a currency may be read as a digit.
    let is_signed = text.trim_start().starts_with(|c: char| !c.is_alphanumeric());
    let is_same = numbers == numbers_seen
        || is_signed && numbers_seen.len() == numbers.len() + 1 && numbers_seen.ends_with(&numbers);
    is_same && !far(&words(text), &words(seen))
}

/// Returns the letters and digits of a text, with one character for those that look alike.
fn shape(text: &str) -> String {
    let alike = |c: char| match c {
        'o' | 'q' => '0',
        'i' | 'l' | 'j' => '1',
        'z' => '2',
        's' => '5',
        'b' => '8',
        other => other,
    };
    plain(text).chars().map(alike).collect()
}

/// Returns the words with digits.
fn numbers(text: &str) -> String {
    let has_digit = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    text.split_whitespace().filter(has_digit).map(shape).collect()
}

/// Returns the words without digits.
fn words(text: &str) -> String {
    let has_digit = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    text.split_whitespace().filter(|word| !has_digit(word)).map(shape).collect()
}

#[cfg(test)]
mod tests {
    use super::agree;

    #[test]
    fn misread_letters_agree_and_other_digits_do_not() {
        for (text, seen) in [
            ("6,015.05", "6,015.05"),
            ("$6,015.05", "56,015.05"),
            ("IAEM870617MPLBBF02", "1AEM870617MPLBBFO2"),
            ("1 de noviembre de 2025", "l de noviembre de 2025"),
            ("Rosa Ibáñez", "Rosa Ibanez"),
            ("RFC ABA990703213", "RFC: ABA 990703213"),
        ] {
            assert!(agree(text, seen), "{text} and {seen}");
        }
        for (text, seen) in [
            ("1,015.05", "9,015.05"),
            ("16,015.05", "6,015.05"),
            ("Rosa Ibáñez", "Juan Robles"),
            ("6,015.05", ""),
            ("Cajera", ""),
        ] {
            assert!(!agree(text, seen), "{text} and {seen}");
        }
    }
}
