//! Values as a person reads them.

use link_types::{Date, Money, Timestamp};

/// An amount with thousands separated: `-12,345.60`.
pub(super) fn money(amount: Money) -> String {
    let hundredths = amount.hundredths();
    let sign = if hundredths < 0 { "-" } else { "" };
    let (units, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    let digits = units.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}.{rest:02}")
}

/// A moment to the minute: `2026-11-20 11:07 UTC`.
pub(super) fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        _ => text,
    }
}

/// A word of the interface in words: `HOUSING_LOAN` becomes `Housing loan`.
pub(super) fn title_case(word: &str) -> String {
    let lower = word.replace('_', " ").to_lowercase();
    let mut letters = lower.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A feature's name in words: `incomeMean12Months` becomes `Income mean 12 months`.
pub(super) fn feature(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() || (letter.is_ascii_digit() && !before.is_ascii_digit()) {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
        before = letter;
    }
    title_case(&words)
}

/// A number without needless digits.
pub(super) fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A text, or nothing.
pub(super) fn text(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}

/// A day, or nothing.
pub(super) fn day(value: Option<Date>) -> String {
    value.map(|day| day.to_string()).unwrap_or_default()
}

/// An amount, or nothing.
pub(super) fn amount(value: Option<Money>) -> String {
    value.map(money).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(0, "0.00")]
    #[case(99, "0.99")]
    #[case(-5, "-0.05")]
    #[case(100_000, "1,000.00")]
    #[case(99_999, "999.99")]
    #[case(-123_456_789, "-1,234,567.89")]
    fn an_amount_is_grouped_by_thousands(#[case] hundredths: i64, #[case] expected: &str) {
        assert_eq!(money(Money::from_hundredths(hundredths)), expected);
    }

    #[rstest]
    #[case("incomeMean12Months", "Income mean 12 months")]
    #[case("tenureMonths", "Tenure months")]
    #[case("liabilityBalanceToAnnualIncome", "Liability balance to annual income")]
    fn a_features_name_becomes_words(#[case] name: &str, #[case] expected: &str) {
        assert_eq!(feature(name), expected);
    }

    #[test]
    fn a_word_of_the_interface_becomes_words() {
        assert_eq!(title_case("HOUSING_LOAN"), "Housing loan");
        assert_eq!(title_case(""), "");
        assert_eq!(moment("2026-11-20T11:07:59.123Z".parse().unwrap()), "2026-11-20 11:07 UTC");
    }
}
