//! Texts in each language.

use super::Language;

/// A text that exists in each language.
pub trait Words: Copy {
    /// Returns the text in a language.
    fn words_in(self, language: Language) -> &'static str;
}

/// The character between two texts of a language. No text has it.
pub(super) const BETWEEN: char = '\u{1f}';

/// Defines an enum of texts, with both languages of each next to each other, so that none can be missing.
///
/// All texts of a language are one string. A `match` with an address and a length for each text is 7 KB more to load (brotli).
///
/// If the words of data points precede the set, their names replace the line `@`.
macro_rules! texts {
    (
        {$($kind:ident = $word:literal $about:literal $kind_english:literal $kind_spanish:literal)*}
        $(#[$doc:meta])* $set:ident;
        $( $name:ident = $english:literal, $spanish:literal; )+
        @
        $( $later:ident = $later_english:literal, $later_spanish:literal; )+
    ) => {
        $crate::core::texts::words::texts! {
            $(#[$doc])* $set;
            $( $name = $english, $spanish; )+
            $( $kind = $kind_english, $kind_spanish; )*
            $( $later = $later_english, $later_spanish; )+
        }
    };
    ($(#[$doc:meta])* $set:ident; $( $name:ident = $english:literal, $spanish:literal; )+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the English text is next to each name")]
        pub enum $set { $( $name ),+ }

        impl $set {
            /// Returns the text in a language.
            pub fn in_language(self, language: $crate::core::Language) -> &'static str {
                let all = match language {
                    $crate::core::Language::English => concat!($( $english, "\u{1f}" ),+),
                    $crate::core::Language::Spanish => concat!($( $spanish, "\u{1f}" ),+),
                };
                $crate::core::texts::words::find_text(all, self as usize)
            }
        }

        impl $crate::core::texts::Words for $set {
            fn words_in(self, language: $crate::core::Language) -> &'static str {
                self.in_language(language)
            }
        }
    };
}
pub(super) use texts;

/// Returns the text with this number.
pub(super) fn find_text(all: &'static str, number: usize) -> &'static str {
    all.split(BETWEEN).nth(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Language, Text};
    use super::*;

    #[test]
    fn each_text_is_found_by_its_number() {
        assert_eq!(Text::Portal.in_language(Language::English), "Developer portal");
        assert_eq!(Text::SkipToContent.in_language(Language::Spanish), "Saltar al contenido");
        let all = "one\u{1f}two\u{1f}three\u{1f}";
        assert_eq!([0, 1, 2].map(|it| find_text(all, it)), ["one", "two", "three"]);
    }
}
