//! The faults of a form field and their texts.

use link_types::format::FormatError;

use crate::generated::message::Message;
use crate::view::Text;
use crate::view::build::about;

/// The fault of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldError {
    /// The text does not match the format.
    Format(FormatError),
    /// The service rejects the text.
    Refused,
}

/// Returns the text to show at the field.
pub(crate) fn text(fault: FieldError, is_select: bool, provider: &str) -> Text {
    let counted = |message, count: u16| Text::with(message, vec![u32::from(count).into()]);
    let fault = match fault {
        FieldError::Refused => return about(Message::FieldRefused, provider),
        FieldError::Format(fault) => fault,
    };
    match fault {
        FormatError::Empty if is_select => Message::FieldEmptyChoice.into(),
        FormatError::Empty => Message::FieldEmpty.into(),
        FormatError::TooShort { min } => counted(Message::FieldTooShort, min),
        FormatError::TooLong { max } => counted(Message::FieldTooLong, max),
        FormatError::NotDigits => Message::FieldDigits.into(),
        FormatError::NotAlphanumeric => Message::FieldAlphanumeric.into(),
        FormatError::NotEmail => Message::FieldEmail.into(),
        FormatError::NotPhone => Message::FieldPhone.into(),
        FormatError::NotCurp => Message::FieldCurp.into(),
        FormatError::NotDate => Message::FieldDate.into(),
        FormatError::NotAChoice => Message::FieldChoice.into(),
    }
}
