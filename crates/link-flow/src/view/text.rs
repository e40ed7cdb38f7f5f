//! Words on the screen: a text of the catalogue with its arguments, or words that somebody else chose.

use crate::generated::message::Message;

/// What a person reads or hears. The body turns it into a string with `LinkHost::text(message.number(), args)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// A text of the message catalogue; the arguments stand in the order of [`Message::arguments`].
    Message(Message, Vec<Argument>),
    /// Words of the service or the tenant that no catalogue translates: a provider's name, the consent text.
    Verbatim(String),
}

/// One argument of a catalogue text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A name or word, put in as it is.
    Text(String),
    /// A whole number: chooses plural forms and is written as the locale writes numbers.
    Number(u32),
}

impl Text {
    /// A catalogue text with arguments.
    pub fn with(message: Message, args: Vec<Argument>) -> Self {
        Self::Message(message, args)
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
