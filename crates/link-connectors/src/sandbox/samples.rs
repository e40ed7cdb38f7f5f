//! The published sample documents (`docs/samples`), and what each comes to.

use link_types::archive::{ArchiveStatus, ArchiveType};

/// A document to upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The file in `docs/samples`.
    pub file: &'static str,
    /// What to upload it as; null where that makes no difference.
    pub archive_type: Option<ArchiveType>,
    /// What the archive comes to; null where the file is refused before.
    pub status: Option<ArchiveStatus>,
    /// Why it fails or is refused.
    pub error_code: Option<&'static str>,
}

const fn analyzed(file: &'static str, archive_type: ArchiveType) -> Sample {
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
    analyzed("payslip-mx.pdf", ArchiveType::Payslip),
    analyzed("payslip-ph.pdf", ArchiveType::Payslip),
    analyzed("certificate-mx.pdf", ArchiveType::Certificate),
    analyzed("tax-document-ph.pdf", ArchiveType::TaxDocument),
    analyzed("bank-statement-mx.pdf", ArchiveType::BankStatement),
    analyzed("identification-ph.jpg", ArchiveType::Identification),
    fails(
        "payslip-mx.pdf",
        Some(ArchiveType::Certificate),
        Some(ArchiveStatus::Unsupported),
        "FILE_WRONG_TYPE",
    ),
    fails("clouds.png", None, Some(ArchiveStatus::Unsupported), "FILE_UNABLE_TO_RECOGNIZE"),
    fails("unreadable.jpg", None, Some(ArchiveStatus::Error), "FILE_UNREADABLE"),
    fails("locked.pdf", None, None, "ENCRYPTED"),
];
