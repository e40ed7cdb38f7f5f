//! Texts in each language.

use super::Language;

/// A text that exists in each language.
pub trait Words: Copy {
    /// Returns the text in a language.
    fn words_in(self, language: Language) -> &'static str;
}

/// Defines an enum of texts, with both languages of each next to each other, so that none can be missing.
macro_rules! texts {
    ($(#[$doc:meta])* $set:ident; $( $name:ident = $english:literal, $spanish:literal; )+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the English text is next to each name")]
        pub enum $set { $( $name ),+ }

        impl $set {
            /// Returns the text in a language.
            pub const fn in_language(self, language: $crate::core::Language) -> &'static str {
                match (self, language) {
                    $(
                        (Self::$name, $crate::core::Language::English) => $english,
                        (Self::$name, $crate::core::Language::Spanish) => $spanish,
                    )+
                }
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
