//! The sex of a person: the letter of the registry code decides what an M means (ADR 278).

use link_types::archive::ExtractionFaultCode;

use super::kind::Country;
use super::values::{M, Named};

/// The confidence in a sex that nothing decides, and the factor for one that the registry code contradicts.
const UNCLEAR: f32 = 0.45;
/// The position of the sex in a registry code: H (hombre) or M (mujer).
const AT: usize = 10;

/// Settles what a printed M means. Doubts a sex that the registry code contradicts, and in Mexico an M without a code.
pub(super) fn settle(values: &mut [Named], country: Country) {
    let code = values.iter().find(|(name, ..)| *name == "nationalId");
    let of_code = code.and_then(|(_, it, _)| match it.text.chars().nth(AT) {
        Some('H') => Some(("MALE", it.confidence)),
        Some('M') => Some(("FEMALE", it.confidence)),
        _ => None,
    });
    for (_, reading, _) in values.iter_mut().filter(|(name, ..)| *name == "gender") {
        let is_m = reading.text == M;
        let (text, factor) = match (of_code, country) {
            (Some((text, sure)), _) if is_m => (text, sure),
            (None, Country::Philippines) if is_m => ("MALE", 1.0),
            (None, Country::Mexico) if is_m => ("FEMALE", UNCLEAR),
            (Some((text, _)), _) if reading.text != text => (reading.text.as_str(), UNCLEAR),
            _ => continue,
        };
        let text = text.to_owned();
        reading.text = text;
        reading.confidence *= factor;
        if factor == UNCLEAR {
            reading.fault = Some(ExtractionFaultCode::SeveralValues);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::settle;
    use crate::rules::kind::Country;
    use crate::rules::values::{Named, Reading};

    /// Returns the sex and its confidence if this is printed.
    fn settle_printed(gender: &str, code: Option<&str>, country: Country) -> (String, f32) {
        let value = |name: &'static str, text: &str| -> Named {
            let text = text.to_owned();
            (name, Reading { text, confidence: 1.0, place: None, label: None, fault: None }, 1)
        };
        let mut values = vec![value("gender", gender)];
        values.extend(code.map(|code| value("nationalId", code)));
        settle(&mut values, country);
        (values[0].1.text.clone(), values[0].1.confidence)
    }

    #[test]
    fn registry_code_says_what_an_m_means() {
        let woman = Some("IAEM870617MPLBBF02");
        let man = Some("UUST910305HNLRLM01");
        assert_eq!(settle_printed("M", woman, Country::Mexico), ("FEMALE".to_owned(), 1.0));
        assert_eq!(settle_printed("M", man, Country::Mexico), ("MALE".to_owned(), 1.0));
        assert_eq!(settle_printed("FEMALE", woman, Country::Mexico), ("FEMALE".to_owned(), 1.0));
        assert!(settle_printed("MALE", woman, Country::Mexico).1 < 0.5, "the code contradicts it");
    }

    #[test]
    fn m_without_a_code_is_in_doubt_in_mexico_only() {
        assert!(settle_printed("M", None, Country::Mexico).1 < 0.5);
        assert_eq!(settle_printed("M", None, Country::Philippines), ("MALE".to_owned(), 1.0));
        assert_eq!(settle_printed("MALE", None, Country::Mexico), ("MALE".to_owned(), 1.0));
    }
}
