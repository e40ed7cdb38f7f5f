//! Form fields.

use link_types::format::FieldFormat;

use crate::view::{Text, Typed};

/// An input. Secret inputs are uncontrolled: only the DOM holds their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in events and in [`Secrets`](crate::Secrets); unique on the page.
    pub id: String,
    /// The label.
    pub label: Text,
    /// The kind of input.
    pub input: Input,
    /// Whether the field is required.
    pub required: bool,
    /// A mark next to the label of an optional field.
    pub optional: Option<Text>,
    /// The help text below the label.
    pub help: Option<Text>,
    /// A prefix inside the input, like a country's calling code.
    pub prefix: Option<String>,
    /// The fault. The input is then `aria-invalid` and described by this text.
    pub error: Option<Text>,
    /// A hint that is not a fault, like a space at the end.
    pub hint: Option<Text>,
    /// The value of the `autocomplete` attribute with its section, for password managers.
    pub autocomplete: String,
    /// Whether the field is off, because a request is under way.
    pub disabled: bool,
}

/// The kinds of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line of text. Sends [`Event::Edited`](crate::event::Event::Edited).
    Text {
        /// The typed text.
        value: Typed,
        /// The keyboard to offer.
        keyboard: Keyboard,
    },
    /// A select.
    Select {
        /// The selected value; empty if there is no selection.
        value: Typed,
        /// Shown if there is no selection.
        placeholder: Text,
        /// The options.
        options: Vec<SelectOption>,
    },
    /// A date, `YYYY-MM-DD`.
    Date {
        /// The typed text.
        value: Typed,
    },
    /// A secret. Its text leaves the DOM only in [`Event::Submitted`](crate::event::Event::Submitted).
    Password {
        /// The label of the button that reveals it.
        reveal: Text,
        /// The label of the button that hides it again.
        conceal: Text,
        /// Announced while caps lock is on.
        caps_lock: Text,
    },
    /// A one-time code: a single secret input that supports paste and SMS autofill.
    OneTimeCode {
        /// Whether the code has only digits, for a number pad.
        numeric: bool,
        /// Number of characters, if it is known. The shell submits the form when they are typed.
        length: Option<u16>,
    },
}

impl Input {
    /// Returns whether a text is a complete one-time code, which is submitted at once.
    pub fn is_complete(&self, text: &str) -> bool {
        match self {
            Self::OneTimeCode { numeric, length: Some(length) } => {
                let (min, max) = (*length, *length);
                let format = if *numeric {
                    FieldFormat::Digits { min, max }
                } else {
                    FieldFormat::Alphanumeric { min, max }
                };
                format.read_code(text).is_ok()
            }
            Self::OneTimeCode { length: None, .. }
            | Self::Text { .. }
            | Self::Select { .. }
            | Self::Date { .. }
            | Self::Password { .. } => false,
        }
    }
}

/// The keyboard of a text input, with its `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyboard {
    /// Letters.
    Text,
    /// An e-mail address.
    Email,
    /// A telephone number.
    Telephone,
    /// Digits only.
    Digits,
}

/// An option of a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectOption {
    /// The value to send.
    pub value: String,
    /// The label.
    pub label: Text,
}
