//! A language of our own texts: how it is chosen, and how it writes.

use crate::kernel::languages::Languages;
use crate::notifications::generated::service_texts::SERVICE_TEXTS;
use crate::notifications::generated::text_keys::LOCALES;
use crate::notifications::service_text::{Part, ServiceText, Value};

/// Languages and scripts that are written from right to left.
const RIGHT_TO_LEFT: [&str; 12] = ["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi", "Arab"];

/// A language of our own texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locale(usize);

impl Locale {
    /// English, in which every text exists first.
    pub const ENGLISH: Self = Self(0);

    /// Chooses the language of our own texts on a page or in a mail.
    ///
    /// `languages` are those that the person reads. If we have none of them, the language is that of the tenant's texts,
    /// so that a page does not mix two. If we do not have that either, it is English.
    pub fn choose(languages: &Languages, tenant: Option<&str>) -> Self {
        let of = |languages: &Languages| {
            let best = languages.best(LOCALES.iter().copied())?;
            LOCALES.iter().position(|tag| *tag == best).map(Self)
        };
        let tenant = tenant.map(Languages::from_header);
        of(languages).or_else(|| tenant.as_ref().and_then(of)).unwrap_or(Self::ENGLISH)
    }

    /// Returns every locale, English first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LOCALES.len()).map(Self)
    }

    /// Returns the locale's BCP 47 tag.
    pub fn tag(self) -> &'static str {
        LOCALES.get(self.0).copied().unwrap_or("en")
    }

    /// Returns `ltr` or `rtl`, the direction of a document in this locale.
    pub fn direction(self) -> &'static str {
        direction(self.tag())
    }

    /// Returns a text with the values of its arguments, in their order.
    pub fn text(self, text: ServiceText, values: &[Value<'_>]) -> String {
        let mut joined = String::new();
        self.join(self.parts(text), values, &mut joined);
        joined
    }

    fn parts(self, text: ServiceText) -> &'static [Part] {
        let found = SERVICE_TEXTS.get(self.0).and_then(|texts| texts.get(text as usize));
        found.copied().unwrap_or_default()
    }

    fn join(self, parts: &[Part], values: &[Value<'_>], joined: &mut String) {
        for part in parts {
            match part {
                Part::Text(text) => joined.push_str(text),
                Part::Argument(number) => {
                    let value = values.get(*number);
                    joined.push_str(&value.map(|value| self.show(*value)).unwrap_or_default());
                }
                Part::Plural { argument, forms } => {
                    let count = match values.get(*argument) {
                        Some(Value::Count(count)) => *count,
                        Some(Value::Text(_) | Value::Variable(_)) | None => 0,
                    };
                    self.join(self.form(forms, count), values, joined);
                }
            }
        }
    }

    fn form(self, forms: &'static [(&str, &'static [Part])], count: u64) -> &'static [Part] {
        let exact = count.to_string();
        let names = [exact.as_str(), category(self.tag(), count), "other"];
        let found = names.into_iter().find_map(|name| forms.iter().find(|(form, _)| *form == name));
        found.map(|(_, parts)| *parts).unwrap_or_default()
    }

    /// Returns a value as a text shows it.
    pub(super) fn show(self, value: Value<'_>) -> String {
        match value {
            Value::Text(text) => isolate(text, self.tag()),
            Value::Variable(variable) => variable.to_owned(),
            Value::Count(count) => {
                group_digits(count, if matches!(self.tag(), "id" | "pt-BR") { '.' } else { ',' })
            }
        }
    }
}

/// Returns whether a language is written from right to left.
pub fn is_right_to_left(tag: &str) -> bool {
    let known = |part: &str| RIGHT_TO_LEFT.iter().any(|it| it.eq_ignore_ascii_case(part));
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    match parts.next() {
        // A script says more than the language: `az-Arab`, `ks-Deva`.
        Some(script) if script.len() == 4 => known(script) || script.eq_ignore_ascii_case("Hebr"),
        Some(_) | None => known(language),
    }
}

/// Returns `ltr` or `rtl` for a language.
pub fn direction(tag: &str) -> &'static str {
    if is_right_to_left(tag) { "rtl" } else { "ltr" }
}

/// Isolates a value from the direction of a text in this language. Otherwise, a Latin name would move the punctuation next
/// to it.
pub fn isolate(value: &str, tag: &str) -> String {
    if is_right_to_left(tag) { format!("\u{2068}{value}\u{2069}") } else { value.to_owned() }
}

fn group_digits(count: u64, separator: char) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::browser("pt, en;q=0.5", None, "pt-BR")]
    #[case::region("es-AR", Some("en"), "es-MX")]
    #[case::chinese_of_any_region("zh-TW", None, "zh-Hans")]
    #[case::second_choice("fr, ar;q=0.8", Some("en"), "ar")]
    #[case::language_of_the_tenant("fr", Some("id"), "id")]
    #[case::unknown_languages("fr", Some("de"), "en")]
    #[case::no_header("", None, "en")]
    #[case::malformed_header(";;q=,\u{e9}", Some("x"), "en")]
    fn locale_is_the_best_that_the_person_reads(
        #[case] accepted: &str,
        #[case] tenant: Option<&str>,
        #[case] expected: &str,
    ) {
        assert_eq!(Locale::choose(&Languages::from_header(accepted), tenant).tag(), expected);
    }

    #[test]
    fn language_of_the_invitation_precedes_the_browser() {
        let chosen = |invited: Option<&str>| {
            Locale::choose(&Languages::from_header("en").preferring(invited), Some("es-MX")).tag()
        };
        assert_eq!((chosen(Some("fil")), chosen(Some("fr")), chosen(None)), ("fil", "en", "en"));
    }

    #[rstest]
    #[case("en", 1, "It was valid for 1 day.")]
    #[case("en", 30, "It was valid for 30 days.")]
    #[case("pt-BR", 1, "Ele valeu por 1 dia.")]
    #[case("ar", 2, "كان صالحًا لمدة يومين.")]
    #[case("ar", 10, "كان صالحًا لمدة 10 أيام.")]
    #[case("ar", 30, "كان صالحًا لمدة 30 يومًا.")]
    #[case("ar", 100, "كان صالحًا لمدة 100 يوم.")]
    #[case("zh-Hans", 30, "它的有效期为 30 天。")]
    fn number_selects_the_form_of_its_language(#[case] tag: &str, #[case] days: u64, #[case] expected: &str) {
        let locale = Locale::choose(&Languages::from_header(tag), None);
        let text = locale.text(ServiceText::PageLinkExpiredText, &[Value::Count(days)]);
        assert!(text.starts_with(expected), "{text}");
    }

    #[rstest]
    #[case("en", "2,000")]
    #[case("es-MX", "2,000")]
    #[case("id", "2.000")]
    #[case("pt-BR", "2.000")]
    #[case("ar", "2,000")]
    fn large_numbers_are_grouped(#[case] tag: &str, #[case] expected: &str) {
        let locale = Locale::choose(&Languages::from_header(tag), None);
        let text = locale.text(ServiceText::PageFormLong, &[Value::Count(2_000)]);
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn names_are_isolated_only_from_right_to_left_text() {
        let footer = |tag| {
            let locale = Locale::choose(&Languages::from_header(tag), None);
            locale.text(ServiceText::MailReason, &[Value::Text("Shop & Co")])
        };
        assert!(footer("ar").contains("\u{2068}Shop & Co\u{2069}"), "{}", footer("ar"));
        assert!(footer("es").starts_with("Shop & Co nos"), "{}", footer("es"));
    }

    #[rstest]
    #[case("ar", true)]
    #[case("ar-EG", true)]
    #[case("FA", true)]
    #[case("az-Arab", true)]
    #[case("ks-Deva", false)]
    #[case("en", false)]
    #[case("zh-Hans", false)]
    fn direction_follows_the_script(#[case] tag: &str, #[case] expected: bool) {
        assert_eq!(is_right_to_left(tag), expected);
    }
}

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
mod plural_tests {
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
