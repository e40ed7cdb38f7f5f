//! The languages that a person reads, and the best match among those in which a text exists.

use std::collections::BTreeMap;

/// Maximum number of languages that are compared.
const MAX_LANGUAGES: usize = 10;

/// The languages that a person reads, best first, as BCP 47 tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Languages(Vec<String>);

impl Languages {
    /// Parses an `Accept-Language` header. Ignores invalid parts, `*`, and languages with the quality 0.
    pub fn from_header(header: &str) -> Self {
        let mut ranked: Vec<(f32, &str)> = header.split(',').filter_map(rank).take(MAX_LANGUAGES).collect();
        ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        Self(ranked.into_iter().map(|(_, tag)| tag.to_owned()).collect())
    }

    /// Puts a language before the others. Ignores a text that is not a BCP 47 tag.
    #[must_use]
    pub fn preferring(mut self, tag: Option<&str>) -> Self {
        if let Some(tag) = tag.filter(|tag| is_tag(tag)) {
            self.0.insert(0, tag.to_owned());
        }
        self
    }

    /// Returns the best of the available languages. `None` if the person reads none of them.
    ///
    /// A language also matches its variants: `es` and `es-AR` match `es-MX`, unless there is a better one.
    pub fn best<'a>(&self, available: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
        let parts = self.0.iter().flat_map(|tag| [tag.as_str(), language_of(tag)]);
        parts.into_iter().find_map(|part| available.clone().find(|known| begins_with(known, part)))
    }

    /// Returns the best of the languages in which a text exists: its own or that of a translation. It is its own if the
    /// person reads none of them.
    pub fn best_translation<'a, T>(&self, own: &'a str, translations: &'a BTreeMap<String, T>) -> &'a str {
        let translations = translations.keys().map(String::as_str);
        self.best(std::iter::once(own).chain(translations)).unwrap_or(own)
    }
}

/// Returns a language with its quality, above 0 and at most 1.
fn rank(part: &str) -> Option<(f32, &str)> {
    let (tag, parameters) = part.split_once(';').unwrap_or((part, ""));
    let quality = match parameters.trim().strip_prefix("q=") {
        Some(quality) => quality.trim().parse::<f32>().ok()?,
        None => 1.0,
    };
    let tag = tag.trim();
    (quality > 0.0 && quality <= 1.0 && is_tag(tag)).then_some((quality, tag))
}

/// Returns whether a text is a BCP 47 tag of at most 35 characters.
pub fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_language = parts
        .next()
        .is_some_and(|it| (2..=8).contains(&it.len()) && it.bytes().all(|c| c.is_ascii_alphabetic()));
    let is_part = |it: &str| (1..=8).contains(&it.len()) && it.bytes().all(|c| c.is_ascii_alphanumeric());
    is_language && text.len() <= 35 && parts.all(is_part)
}

fn language_of(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

/// Returns whether the first parts of a tag are `start`.
fn begins_with(tag: &str, start: &str) -> bool {
    tag.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start))
        && matches!(tag.as_bytes().get(start.len()), None | Some(b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::exact("es-MX", Some("es-MX"))]
    #[case::other_region("es-AR", Some("es-MX"))]
    #[case::language_only("zh", Some("zh-Hans"))]
    #[case::letter_case("PT-br", Some("pt-BR"))]
    #[case::second_choice("tlh, fil;q=0.5", Some("fil"))]
    #[case::by_quality("fil;q=0.5, ar;q=0.9, en;q=0.1", Some("ar"))]
    #[case::refused("fil;q=0, ar;q=0.1", Some("ar"))]
    #[case::prefix_of_another_language("fi", None)]
    #[case::anything("*", None)]
    #[case::nothing("", None)]
    #[case::malformed(";q=1,,ar;q=x,\u{e9}", None)]
    fn best_language_is_chosen(#[case] header: &str, #[case] expected: Option<&str>) {
        let available = ["en", "es-MX", "fil", "pt-BR", "zh-Hans", "ar"];
        assert_eq!(Languages::from_header(header).best(available.into_iter()), expected);
    }

    #[test]
    fn preferred_language_is_the_first() {
        let best = |tag| {
            let languages = Languages::from_header("fil, en;q=0.9").preferring(tag);
            languages.best(["en", "fil", "ar"].into_iter()).map(str::to_owned)
        };
        for (tag, expected) in
            [(Some("ar-EG"), "ar"), (Some("fr"), "fil"), (Some("no tag"), "fil"), (None, "fil")]
        {
            assert_eq!(best(tag).as_deref(), Some(expected), "{tag:?}");
        }
    }

    #[test]
    fn long_header_costs_a_bounded_number_of_comparisons() {
        let header = "xx,".repeat(10_000) + "en";
        assert_eq!(Languages::from_header(&header).0.len(), MAX_LANGUAGES);
    }

    #[rstest]
    #[case("en", true)]
    #[case("zh-Hans-CN", true)]
    #[case("e", false)]
    #[case("en_US", false)]
    #[case("en-", false)]
    fn tags_are_recognized(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_tag(text), expected);
    }
}
