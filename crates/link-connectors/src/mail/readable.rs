//! Converts a mail to readable form: decoded headers and the text part.

use mailparse::{MailHeaderMap as _, ParsedMail, parse_mail};

/// The headers to show, in order.
const SHOWN: [&str; 8] =
    ["From", "Reply-To", "To", "Subject", "Date", "Message-ID", "List-Unsubscribe", "List-Unsubscribe-Post"];

/// Returns the mail's headers and its plain text, both decoded. Bytes that are not a mail are returned unchanged.
pub fn readable(mail: &[u8]) -> String {
    let as_it_is = || String::from_utf8_lossy(mail).into_owned();
    let Ok(parsed) = parse_mail(mail) else { return as_it_is() };
    let Some(text) = text_of(&parsed) else { return as_it_is() };
    let header = |name: &&str| {
        let value = parsed.headers.get_first_value(name)?;
        Some(format!("{name}: {}\n", value.split_whitespace().collect::<Vec<_>>().join(" ")))
    };
    let headers: String = SHOWN.iter().filter_map(header).collect();
    format!("{headers}\n{}", text.replace("\r\n", "\n"))
}

fn text_of(part: &ParsedMail<'_>) -> Option<String> {
    if part.subparts.is_empty() {
        return (part.ctype.mimetype == "text/plain").then(|| part.get_body().ok()).flatten();
    }
    part.subparts.iter().find_map(text_of)
}
