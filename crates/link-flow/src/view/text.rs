//! Texts on the screen: catalogue texts with arguments, or texts from outside.

use std::fmt;

use crate::generated::message::Message;

/// A text for the person. The shell renders it with `LinkHost::text(message.number(), args)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// A catalogue text. Its arguments are in the order of [`Message::arguments`].
    Message(Message, Vec<Argument>),
    /// A text of the service or the tenant that is not translated, like a provider's name or the consent text.
    Verbatim(String),
}

/// An argument of a catalogue text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A name or word, inserted unchanged.
    Text(String),
    /// A whole number. It selects plural forms and is formatted for the locale.
    Number(u32),
    /// A number with one decimal, given in tenths and formatted for the locale.
    Tenths(u32),
}

impl Text {
    /// Creates a catalogue text with arguments.
    pub fn with(message: Message, args: Vec<Argument>) -> Self {
        Self::Message(message, args)
    }

    /// Returns whether the texts differ in nothing but what is inserted into them.
    pub(crate) fn has_words_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Message(words, _), Self::Message(others, _)) => words == others,
            (Self::Verbatim(words), Self::Verbatim(others)) => words == others,
            (Self::Message(..), Self::Verbatim(_)) | (Self::Verbatim(_), Self::Message(..)) => false,
        }
    }
}

impl From<Message> for Text {
    fn from(message: Message) -> Self {
        Self::Message(message, Vec::new())
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u32> for Argument {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

/// Typed text. It is personal data, so `Debug` shows only its length. Never contains a password or a code.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Typed(String);

impl Typed {
    /// Wraps a typed text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the text is empty or only spaces.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Typed({} bytes)", self.0.len())
    }
}
