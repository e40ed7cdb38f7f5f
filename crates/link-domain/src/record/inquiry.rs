//! What records and signals share: when an input is well-formed, and which status a code stands for.

use link_types::format::FieldFormat;
use link_types::record::{RecordStatus, ResultCode};

/// Whether a text is a mobile number as the interface has it: country code and number, digits alone, no leading
/// zeros, 8 to 15 of them; or the MD5 of such, 32 hex digits.
pub fn is_mobile_number(text: &str) -> bool {
    let number = (8..=15).contains(&text.len())
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    let md5 = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    number || md5
}

/// Whether a text is an e-mail address.
pub fn is_email_address(text: &str) -> bool {
    FieldFormat::Email {}.check(text).is_ok()
}

/// Whether a text is a national population registry code, its check digit included.
pub fn is_curp(text: &str) -> bool {
    FieldFormat::Curp {}.check(text).is_ok()
}

/// The status of what came to `code`; null while the source is asked.
pub(crate) const fn status(code: Option<ResultCode>) -> RecordStatus {
    match code {
        Some(code) => code.status(),
        None => RecordStatus::Processing,
    }
}
