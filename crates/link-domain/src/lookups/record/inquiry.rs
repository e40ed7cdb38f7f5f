//! Functions that records and signals share: validation of inputs, and the status of a result code.

use link_types::format::FieldFormat;
use link_types::record::{RecordStatus, ResultCode};

use crate::lookups::record_source::{Outcome, RejectedParameter};

/// Returns whether a text is a mobile number as the interface defines it: country code and number, 8 to 15 digits
/// without leading zeros, or the MD5 of those digits as 32 hex digits.
pub fn is_mobile_number(text: &str) -> bool {
    let number = (8..=15).contains(&text.len())
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    let md5 = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    number || md5
}

/// Returns whether a text is an email address.
pub fn is_email_address(text: &str) -> bool {
    FieldFormat::Email {}.check(text).is_ok()
}

/// Returns whether a text is a national population registry code (CURP) with a valid check digit.
pub fn is_curp(text: &str) -> bool {
    FieldFormat::Curp {}.check(text).is_ok()
}

/// Returns the outcome of a request with rejected parameters: those whose check is false.
pub(crate) fn rejection<T>(
    checks: impl IntoIterator<Item = (bool, RejectedParameter)>,
) -> Option<Outcome<T>> {
    let rejected: Vec<_> = checks.into_iter().filter_map(|(fits, it)| (!fits).then_some(it)).collect();
    (!rejected.is_empty()).then_some(Outcome::InvalidParameters { rejected })
}

/// Returns the status for a result code, or `PROCESSING` if there is none.
pub(crate) const fn status(code: Option<ResultCode>) -> RecordStatus {
    match code {
        Some(code) => code.status(),
        None => RecordStatus::Processing,
    }
}
