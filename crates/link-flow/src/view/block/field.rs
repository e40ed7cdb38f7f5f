//! What a field of a form is.

use crate::view::{Text, Typed};

/// An input. Its `id` is the name to use in events; the secret kinds are uncontrolled: the DOM alone holds their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in events and in [`Secrets`](crate::Secrets), unique on the page.
    pub id: String,
    /// Its label.
    pub label: Text,
    /// Which input it is, with what only that kind has.
    pub input: Input,
    /// Whether it must be filled in.
    pub required: bool,
    /// Drawn beside the label of a field that need not be filled in.
    pub optional: Option<Text>,
    /// Said below the label.
    pub help: Option<Text>,
    /// Shown inside, before the text, e.g. a country's calling code.
    pub prefix: Option<String>,
    /// What is wrong with it; the input is then `aria-invalid` and described by this.
    pub error: Option<Text>,
    /// Something to look at that is not wrong, e.g. a space at the end.
    pub hint: Option<Text>,
    /// The value of the `autocomplete` attribute, section included, so that password managers work.
    pub autocomplete: String,
    /// The value of `maxlength`.
    pub max_length: Option<u32>,
    /// Not to be edited now: an answer is on its way.
    pub disabled: bool,
}

/// The kinds of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line of text. Edits go out as [`Event::Edited`](crate::event::Event::Edited).
    Text {
        /// What was typed.
        value: Typed,
        /// The keyboard to offer.
        keyboard: Keyboard,
    },
    /// One of several values.
    Select {
        /// The chosen value, empty when none is.
        value: Typed,
        /// Shown while nothing is chosen.
        placeholder: Text,
        /// The values.
        options: Vec<SelectOption>,
    },
    /// A date, `YYYY-MM-DD`.
    Date {
        /// What was typed.
        value: Typed,
    },
    /// A secret. No value here: it leaves with [`Event::Submitted`](crate::event::Event::Submitted), once.
    Password {
        /// The label of the button that shows it.
        reveal: Text,
        /// The label of the button that hides it again.
        conceal: Text,
        /// Said while caps lock is on.
        caps_lock: Text,
    },
    /// A one-time code: one field, paste and SMS autofill. A secret too.
    OneTimeCode {
        /// Digits only, so a number pad is right.
        numeric: bool,
    },
}

/// The keyboard a text input asks for, with its `type`.
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

/// One value of a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectOption {
    /// What goes into the event.
    pub value: String,
    /// What is shown.
    pub label: Text,
}
