//! The published sample documents (`docs/samples`) and their outcomes.

use link_types::archive::{ArchiveErrorCode, ArchiveStatus, ArchiveType};

/// A document to upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The file in `docs/samples`.
    pub file: &'static str,
    /// The archive type to upload it with. `None` if that makes no difference.
    pub archive_type: Option<ArchiveType>,
    /// The archive's status. `None` if the file is rejected before.
    pub status: Option<ArchiveStatus>,
    /// The error code if it fails or is rejected.
    pub error_code: Option<&'static str>,
}

const fn analyzed_sample(file: &'static str, archive_type: ArchiveType) -> Sample {
    Sample { file, archive_type: Some(archive_type), status: Some(ArchiveStatus::Analyzed), error_code: None }
}

const fn fails(
    file: &'static str,
    archive_type: Option<ArchiveType>,
    status: Option<ArchiveStatus>,
    error_code: &'static str,
) -> Sample {
    Sample { file, archive_type, status, error_code: Some(error_code) }
}

/// Every published document.
pub const SAMPLES: &[Sample] = &[
    analyzed_sample("payslip-mx.pdf", ArchiveType::Payslip),
    analyzed_sample("payslip-ph.pdf", ArchiveType::Payslip),
    analyzed_sample("two-payslips.pdf", ArchiveType::Payslip),
    analyzed_sample("certificate-mx.pdf", ArchiveType::Certificate),
    analyzed_sample("tax-document-ph.pdf", ArchiveType::TaxDocument),
    analyzed_sample("bank-statement-mx.pdf", ArchiveType::BankStatement),
    analyzed_sample("identification-ph.jpg", ArchiveType::Identification),
    fails(
        "payslip-mx.pdf",
        Some(ArchiveType::Certificate),
        Some(ArchiveStatus::Unsupported),
        "FILE_WRONG_TYPE",
    ),
    fails("clouds.png", None, Some(ArchiveStatus::Unsupported), "FILE_UNABLE_TO_RECOGNIZE"),
    fails("letter.pdf", None, Some(ArchiveStatus::Unsupported), "FILE_KIND_UNKNOWN"),
    fails("two-people.pdf", None, Some(ArchiveStatus::Unsupported), "FILE_SEVERAL_PEOPLE"),
    fails("form.pdf", None, Some(ArchiveStatus::Unsupported), "FILE_FORM"),
    fails("portfolio.pdf", None, Some(ArchiveStatus::Unsupported), "FILE_PORTFOLIO"),
    fails("unreadable.jpg", None, Some(ArchiveStatus::Error), "FILE_UNREADABLE"),
    fails("reader-away.pdf", None, Some(ArchiveStatus::Error), "SERVICE_UNAVAILABLE"),
    fails("reader-broken.pdf", None, Some(ArchiveStatus::Error), "SYSTEM_ERROR"),
    fails("locked.pdf", None, None, "ENCRYPTED"),
];

/// Documents that simulate a fault which no document can cause that a browser has accepted: one of the reader itself, or a
/// picture that does not decode. Identified by their SHA-256.
const FAULTS: [(&str, ArchiveErrorCode); 3] = [
    (
        "9aef835e0c70a8771508877a1f528894edce25f80dc66601e5e1cc4a04c43183",
        ArchiveErrorCode::ServiceUnavailable,
    ),
    ("f1f6950e44ad379fd2cbe4f3a2e6d26da477f510c5e0d68988bcea47fff21683", ArchiveErrorCode::SystemError),
    ("d5fdff032d28cb2732bbb6425d81f7e94bdc7155ce843134c90def1c73bc11b6", ArchiveErrorCode::FileUnreadable),
];

/// Returns the code with which a sandbox archive that contains this file fails, regardless of its content. `None` if
/// the file does not simulate a fault. `sha256` is lower-case hex.
#[must_use]
pub fn fault(sha256: &str) -> Option<ArchiveErrorCode> {
    FAULTS.iter().find(|(digest, _)| *digest == sha256).map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn published_faults_match_their_files() {
        for (digest, code) in FAULTS {
            let published = SAMPLES.iter().find(|it| it.error_code == Some(code.as_str())).unwrap();
            let path = format!("{}/../../docs/samples/{}", env!("CARGO_MANIFEST_DIR"), published.file);
            let found = base16ct::lower::encode_string(&Sha256::digest(std::fs::read(path).unwrap()));
            assert_eq!((found.as_str(), fault(&found)), (digest, Some(code)), "{}", published.file);
        }
        assert_eq!(fault("00"), None);
    }
}
