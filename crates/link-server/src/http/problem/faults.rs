//! Faults of single fields, and the limits on how many a document lists.

use link_types::format::FormatFaultError;
use link_types::problem::{FaultCode, FieldFault};

/// Creates a fault for one field. `message` must not contain the field's value.
pub fn fault(field: impl Into<String>, code: FaultCode, message: impl Into<String>) -> FieldFault {
    FieldFault { field: field.into(), code, message: message.into(), file_fault: None }
}

/// Creates a fault for a form field whose value does not match its format.
pub fn format_fault(field: impl Into<String>, wrong: FormatFaultError) -> FieldFault {
    let code = match wrong {
        FormatFaultError::Empty => FaultCode::Missing,
        FormatFaultError::TooShort { .. } => FaultCode::TooShort,
        FormatFaultError::TooLong { .. } => FaultCode::TooLong,
        FormatFaultError::NotDigits
        | FormatFaultError::NotAlphanumeric
        | FormatFaultError::NotEmail
        | FormatFaultError::NotPhone
        | FormatFaultError::NotCurp
        | FormatFaultError::NotDate
        | FormatFaultError::NotAChoice => FaultCode::Invalid,
    };
    fault(field, code, wrong.to_string())
}

/// The maximum number of faults in a problem document.
pub const MAX_FAULTS: usize = 50;
/// The maximum size of a document's `errors` as JSON, in bytes.
const MAX_ERRORS_BYTES: usize = 56 * 1024;
/// The maximum length of a fault's `field`, in characters.
const MAX_FIELD: usize = 256;
/// The maximum length of a fault's `message`, in characters.
const MAX_MESSAGE: usize = 2_000;

/// Returns true if there are more faults than a problem document can hold, so that a check can stop early.
pub fn is_enough(faults: &[FieldFault]) -> bool {
    faults.len() > MAX_FAULTS
}

/// Cuts a text to `max` characters and marks the cut with an ellipsis.
fn cut(text: &mut String, max: usize) {
    if let Some((end, _)) = text.char_indices().nth(max) {
        text.truncate(end);
        text.push('…');
    }
}

/// Returns the first faults, as many as a problem document can hold, and whether there are more.
pub(super) fn bounded(faults: Vec<FieldFault>) -> (Vec<FieldFault>, bool) {
    let (found, mut room) = (faults.len(), MAX_ERRORS_BYTES);
    let mut kept = Vec::new();
    for mut fault in faults.into_iter().take(MAX_FAULTS) {
        cut(&mut fault.field, MAX_FIELD);
        cut(&mut fault.message, MAX_MESSAGE);
        let size = serde_json::to_vec(&fault).map_or(0, |it| it.len() + 1);
        match room.checked_sub(size) {
            Some(left) => room = left,
            None => break,
        }
        kept.push(fault);
    }
    let truncated = kept.len() < found;
    (kept, truncated)
}
