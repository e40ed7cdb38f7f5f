//! The faults of a form field and their texts.

use link_types::format::FormatFault;

use crate::generated::message::Message;
use crate::view::Text;
use crate::view::build::about;

/// The fault of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldError {
    /// The text does not match the format.
    Format(FormatFault),
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
        FormatFault::Empty if is_select => Message::FieldEmptyChoice.into(),
        FormatFault::Empty => Message::FieldEmpty.into(),
        FormatFault::TooShort { min } => counted(Message::FieldTooShort, min),
        FormatFault::TooLong { max } => counted(Message::FieldTooLong, max),
        FormatFault::NotDigits => Message::FieldDigits.into(),
        FormatFault::NotAlphanumeric => Message::FieldAlphanumeric.into(),
        FormatFault::NotEmail => Message::FieldEmail.into(),
        FormatFault::NotPhone => Message::FieldPhone.into(),
        FormatFault::NotCurp => Message::FieldCurp.into(),
        FormatFault::NotDate => Message::FieldDate.into(),
        FormatFault::NotAChoice => Message::FieldChoice.into(),
    }
}
