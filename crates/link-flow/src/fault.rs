//! The faults of a form field and their texts.

use link_types::format::FormatFaultError;

use crate::generated::message::Message;
use crate::view::Text;
use crate::view::build::about;

/// The fault of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldError {
    /// The text does not match the format.
    Format(FormatFaultError),
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
        FormatFaultError::Empty if is_select => Message::FieldEmptyChoice.into(),
        FormatFaultError::Empty => Message::FieldEmpty.into(),
        FormatFaultError::TooShort { min } => counted(Message::FieldTooShort, min),
        FormatFaultError::TooLong { max } => counted(Message::FieldTooLong, max),
        FormatFaultError::NotDigits => Message::FieldDigits.into(),
        FormatFaultError::NotAlphanumeric => Message::FieldAlphanumeric.into(),
        FormatFaultError::NotEmail => Message::FieldEmail.into(),
        FormatFaultError::NotPhone => Message::FieldPhone.into(),
        FormatFaultError::NotCurp => Message::FieldCurp.into(),
        FormatFaultError::NotDate => Message::FieldDate.into(),
        FormatFaultError::NotAChoice => Message::FieldChoice.into(),
    }
}
