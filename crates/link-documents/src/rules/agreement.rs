//! Compares a text with what was read from its picture.

use super::plain::{far, plain};

/// How far the text that was read from a picture agrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Agreement {
    /// The picture shows another text.
    No,
    /// A few letters differ, or there is a digit more in place of a sign. It may be the misread sign of a currency, or the font
    /// draws a digit for it.
    Partly,
    /// The text agrees, except for letters that a reader misreads.
    Full,
}

/// Compares a text with what was read from its picture. Digits must be the same.
pub(crate) fn compare(text: &str, seen: &str) -> Agreement {
    let (all, all_seen) = (shape(text), shape(seen));
    if all == all_seen {
        return Agreement::Full;
    }
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return if far(&all, &all_seen) { Agreement::No } else { Agreement::Partly };
    }
    let (numbers, numbers_seen) = (numbers(text), numbers(seen));
    let is_signed = text.trim_start().starts_with(|c: char| !c.is_alphanumeric());
    if far(&words(text), &words(seen)) {
        Agreement::No
    } else if numbers == numbers_seen {
        Agreement::Full
    } else if is_signed && numbers_seen.len() == numbers.len() + 1 && numbers_seen.ends_with(&numbers) {
        Agreement::Partly
    } else {
        Agreement::No
    }
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
    use super::{Agreement, compare};

    #[test]
    fn misread_letters_agree_and_other_digits_do_not() {
        for (text, seen) in [
            ("6,015.05", "6,015.05"),
            ("$6,015.05", "$6,015.05"),
            ("IAEM870617MPLBBF02", "1AEM870617MPLBBFO2"),
            ("1 de noviembre de 2025", "l de noviembre de 2025"),
            ("Rosa Ibáñez", "Rosa Ibanez"),
            ("RFC ABA990703213", "RFC: ABA 990703213"),
        ] {
            assert_eq!(compare(text, seen), Agreement::Full, "{text} and {seen}");
        }
        for (text, seen) in [
            ("1,015.05", "9,015.05"),
            ("16,015.05", "6,015.05"),
            ("Rosa Ibáñez", "Juan Robles"),
            ("6,015.05", "56,015.05"),
            ("$6,015.05", "556,015.05"),
            ("6,015.05", ""),
            ("Cajera", ""),
        ] {
            assert_eq!(compare(text, seen), Agreement::No, "{text} and {seen}");
        }
    }

    #[test]
    fn other_letters_agree_only_in_part() {
        assert_eq!(compare("Gerardo Quintanilla Luna", "Gerarda Quintanilla Lima"), Agreement::Partly);
        assert_eq!(compare("Rosa Ibáñez", "Rosa lbanez"), Agreement::Full);
    }

    #[test]
    fn digits_in_place_of_signs_agree_only_in_part() {
        assert_eq!(compare("$6,015.05", "56,015.05"), Agreement::Partly);
        assert_eq!(compare("$ 6,015.05", "5 6,015.05"), Agreement::Partly);
    }
}
