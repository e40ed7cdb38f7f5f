//! The mark of a provider or company: its logo, or a monogram if it has none.

use crate::view::block::Mark;

/// The number of monogram colours that the shell has.
const HUES: u8 = 8;

/// Returns the mark for a name.
pub(crate) fn mark(name: &str, logo_url: Option<&str>) -> Mark {
    let hue = name.bytes().fold(0_u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte)) % HUES;
    Mark { logo_url: logo_url.map(str::to_owned), monogram: monogram(name), hue }
}

/// Returns the first letters of the first two words. Skips short words in lower case, such as "de" or "of", unless there are
/// too few others. Other letters than ASCII keep their case, because case tables add kilobytes to the wasm.
fn monogram(name: &str) -> String {
    let mut letters = String::new();
    for skips in [true, false] {
        let words = name.split(' ').filter(|word| !(skips && is_small(word)));
        let first =
            words.filter_map(|word| word.chars().find(|it| it.is_ascii_alphanumeric() || !it.is_ascii()));
        letters = first.take(2).map(|letter| letter.to_ascii_uppercase()).collect();
        if letters.chars().nth(1).is_some() {
            break;
        }
    }
    letters
}

fn is_small(word: &str) -> bool {
    word.len() < 5 && word.bytes().all(|letter| letter.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monogram_has_first_letters_of_two_words() {
        for (name, letters) in
            [("IMSS", "I"), ("seguro social", "SS"), ("(The) big one", "TB"), ("年金", "年"), ("", "")]
        {
            assert_eq!(mark(name, None).monogram, letters);
        }
    }

    #[test]
    fn monogram_skips_small_words() {
        for (name, letters) in [
            ("Seguro de Salud", "SS"),
            ("Instituto de la Vivienda", "IV"),
            ("Bank of the Philippines", "BP"),
            ("Caixa e Banco", "CB"),
            ("Kantor Pajak dan Bea", "KP"),
            ("Banco de", "BD"),
            ("eBay Inc", "EI"),
        ] {
            assert_eq!(mark(name, None).monogram, letters, "{name}");
        }
    }

    #[test]
    fn mark_has_same_colour_for_same_name() {
        assert_eq!(mark("Infonavit", None).hue, mark("Infonavit", Some("x")).hue);
    }
}
