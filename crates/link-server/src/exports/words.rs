//! Formats values for people.

use link_types::{Date, Money, Timestamp};

/// Formats an amount with thousands separators: `-12,345.60`.
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

/// Formats a time to the minute: `2026-11-20 11:07 UTC`.
pub(super) fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        _ => text,
    }
}

/// Formats an enum value: `HOUSING_LOAN` becomes `Housing loan`.
pub(super) fn title_case(word: &str) -> String {
    let lower = word.replace('_', " ").to_lowercase();
    let mut letters = lower.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The label of a feature. Labels over a span of months sort by the number of months.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Feature {
    what: String,
    months: Option<u32>,
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.months {
            Some(months) => write!(f, "{}, {months} months", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Formats the name of a feature: `incomeMean12Months` becomes `Income mean, 12 months`.
pub(super) fn feature(name: &str) -> Feature {
    let over =
        name.strip_suffix("Months").map(|name| (name, name.trim_end_matches(|it: char| it.is_ascii_digit())));
    let months = over.and_then(|(name, what)| name.strip_prefix(what)?.parse().ok());
    let what = match (over, months) {
        (Some((_, what)), Some(_)) => what,
        _ => name,
    };
    let mut words = String::new();
    for letter in what.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    Feature { what: title_case(&words), months }
}

/// Formats the value of a feature: an amount, a percentage, or a count.
pub(super) fn feature_value(name: &str, value: Option<f64>) -> String {
    let Some(value) = value else { return String::new() };
    let is_share = ["incomeTrend", "incomeVariability", "contributionRegularity", "liability"];
    if name.starts_with("incomeMean") {
        money(Money::from_hundredths((value * 100.0).round() as i64))
    } else if is_share.iter().any(|it| name.starts_with(it)) {
        format!("{:.2} %", value * 100.0)
    } else {
        number(Some(value))
    }
}

/// Formats a number without trailing zeros, or returns an empty string.
pub(super) fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Returns a text, or an empty string.
pub(super) fn text(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}

/// Formats a date, or returns an empty string.
pub(super) fn day(value: Option<Date>) -> String {
    value.map(|day| day.to_string()).unwrap_or_default()
}

/// Formats an amount, or returns an empty string.
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
    fn amount_has_thousands_separators(#[case] hundredths: i64, #[case] expected: &str) {
        assert_eq!(money(Money::from_hundredths(hundredths)), expected);
    }

    #[rstest]
    #[case("incomeMean12Months", "Income mean, 12 months")]
    #[case("tenureMonths", "Tenure months")]
    #[case("liabilityBalanceToAnnualIncome", "Liability balance to annual income")]
    fn feature_name_is_formatted_as_label(#[case] name: &str, #[case] expected: &str) {
        assert_eq!(feature(name).to_string(), expected);
    }

    #[rstest]
    #[case("incomeMean12Months", 13157.67, "13,157.67")]
    #[case("incomeTrend3Months", 0.0015, "0.15 %")]
    #[case("contributionRegularity6Months", 1.0, "100.00 %")]
    #[case("liabilityPaymentsToIncome", 0.2128, "21.28 %")]
    #[case("tenureMonths", 47.0, "47")]
    fn feature_value_is_amount_percentage_or_count(
        #[case] name: &str,
        #[case] value: f64,
        #[case] expected: &str,
    ) {
        assert_eq!(feature_value(name, Some(value)), expected);
        assert_eq!(feature_value(name, None), "");
    }

    #[test]
    fn feature_labels_sort_by_months() {
        let mut names =
            ["incomeMean12Months", "tenureMonths", "incomeMean3Months", "incomeMean6Months"].map(feature);
        names.sort();
        let words = names.map(|it| it.to_string());
        assert_eq!(
            words,
            ["Income mean, 3 months", "Income mean, 6 months", "Income mean, 12 months", "Tenure months"]
        );
    }

    #[test]
    fn enum_values_and_times_are_formatted_for_people() {
        assert_eq!(title_case("HOUSING_LOAN"), "Housing loan");
        assert_eq!(title_case(""), "");
        assert_eq!(moment("2026-11-20T11:07:59.123Z".parse().unwrap()), "2026-11-20 11:07 UTC");
    }
}
