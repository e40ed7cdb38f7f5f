//! The plural categories of CLDR for whole numbers, in the languages of the widget.

/// Returns the category of a number: `zero`, `one`, `two`, `few`, `many` or `other`.
pub(super) fn category(tag: &str, count: u64) -> &'static str {
    let language = tag.split('-').next().unwrap_or(tag);
    match (language, count) {
        ("ar", 0) => "zero",
        ("ar" | "en" | "es" | "pt", 1) | ("pt", 0) => "one",
        ("ar", 2) => "two",
        ("ar", _) => match count % 100 {
            3..=10 => "few",
            11..=99 => "many",
            _ => "other",
        },
        ("fil", _) if matches!(count, 1..=3) || !matches!(count % 10, 4 | 6 | 9) => "one",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("en", "other one other other")]
    #[case("es-MX", "other one other other")]
    #[case("pt-BR", "one one other other")]
    #[case("fil", "one one one one other one other one one other one one")]
    #[case("id", "other other other")]
    #[case("zh-Hans", "other other other")]
    #[case("ar", "zero one two few few few few few few few few many many")]
    fn categories_of_the_first_numbers_are_those_of_cldr(#[case] tag: &str, #[case] expected: &str) {
        let expected: Vec<_> = expected.split(' ').collect();
        let found: Vec<_> = (0..).take(expected.len()).map(|count| category(tag, count)).collect();
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case(99, "many")]
    #[case(100, "other")]
    #[case(102, "other")]
    #[case(103, "few")]
    #[case(111, "many")]
    #[case(1_000, "other")]
    fn categories_of_large_arabic_numbers_follow_their_end(#[case] count: u64, #[case] expected: &str) {
        assert_eq!(category("ar", count), expected);
    }
}
