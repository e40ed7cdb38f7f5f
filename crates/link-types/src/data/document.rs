//! Documents (interface: Document).

use serde::{Deserialize, Serialize};

use crate::{id::DocumentId, time::Date};

words! {
    /// State of a clearance document.
    DocumentStatus {
        /// Valid.
        Valid = "VALID",
        /// Something was found.
        Hit = "HIT",
        /// No longer valid.
        Expired = "EXPIRED",
    }
}

words! {
    /// Kind of a document.
    DocumentType {
        /// Proof of identity.
        Identification = "IDENTIFICATION",
        /// Payslip.
        Payslip = "PAYSLIP",
        /// Clearance.
        Clearance = "CLEARANCE",
        /// Certificate.
        Certificate = "CERTIFICATE",
    }
}

/// A document held at the provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Prefix `d-`.
    pub id: DocumentId,
    /// Its name.
    pub name: String,
    /// The provider's own number.
    pub doc_id: String,
    /// State; used only by clearance documents.
    pub status: Option<DocumentStatus>,
    /// Its kind.
    pub document_type: DocumentType,
    /// Day of issue.
    pub issue_date: Option<Date>,
    /// Last day of validity.
    pub expiry_date: Option<Date>,
    /// Fully formed address of the file.
    pub file_url: Option<String>,
    /// Remarks of the provider (shown by the interface in TASK_FINISHED).
    pub remarks: Option<String>,
}
