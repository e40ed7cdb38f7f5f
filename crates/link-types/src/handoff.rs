//! A hand-off: the person continues one step of a link session on their phone, with a code that they scan.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::archive::ArchiveType;

/// Prefix of every hand-off token. The widget gives a token with this prefix to `POST …/link/sessions` on the phone.
pub const HANDOFF_PREFIX: &str = "lph_";

/// The step that continues on the phone. The phone can do nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum HandoffSubject {
    /// Answering the challenges of the account that is being linked.
    Challenge {},
    /// Uploading a document.
    #[serde(rename_all = "camelCase")]
    Upload {
        /// Kind of document.
        archive_type: ArchiveType,
    },
}

/// Body of `POST …/link/handoff`: creates a code to scan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateHandoff {
    /// Step that continues on the phone.
    pub subject: HandoffSubject,
}

/// State of a hand-off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum HandoffPhase {
    /// No phone has used the code yet.
    #[serde(rename_all = "camelCase")]
    Waiting {
        /// Milliseconds until the code expires.
        expires_in_ms: u32,
    },
    /// A phone has used the code and continues.
    Continued {},
    /// The step is finished: the document was submitted, or linking the account succeeded or failed.
    Finished {},
    /// The code has expired before a phone used it.
    Expired {},
    /// The phone left before the step was finished, or the session has taken the step back.
    Ended {},
}

/// A hand-off of a link session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Handoff {
    /// State of the hand-off.
    pub phase: HandoffPhase,
    /// The code, as the `data:` URL of an SVG image. Null unless the request created the code.
    pub picture: Option<CodePicture>,
}

/// The `data:` URL of a code to scan. The picture contains the hand-off token, so `Debug` prints only a placeholder.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CodePicture(String);

impl CodePicture {
    /// Wraps the URL.
    pub const fn new(url: String) -> Self {
        Self(url)
    }

    /// Returns the URL.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CodePicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodePicture(…)")
    }
}

#[cfg(feature = "schema")]
string_schema!(
    CodePicture,
    "The code as the `data:` URL of an SVG image. It contains a secret: show it only to the person.",
    Some("^data:image/svg\\+xml;base64,"),
    "data:image/svg+xml;base64,PHN2Zz4…"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_code() {
        let picture = Some(CodePicture::new("data:secret".into()));
        let handoff = Handoff { phase: HandoffPhase::Continued {}, picture };
        assert_eq!(format!("{handoff:?}"), "Handoff { phase: Continued, picture: Some(CodePicture(…)) }");
    }

    #[test]
    fn subject_is_externally_tagged() {
        let subject = HandoffSubject::Upload { archive_type: ArchiveType::Payslip };
        let json = serde_json::json!({"subject": {"upload": {"archiveType": "PAYSLIP"}}});
        assert_eq!(serde_json::to_value(CreateHandoff { subject }).unwrap(), json);
    }
}
