//! Documents (interface: Document).

use serde::{Deserialize, Serialize};

use crate::{id::DocumentId, time::Date};

words! {
    /// Status of a clearance document.
    DocumentStatus {
        /// The document is valid.
        Valid = "VALID",
        /// The clearance found a matching record.
        Hit = "HIT",
        /// The document has expired.
        Expired = "EXPIRED",
    }
}

words! {
    /// Kind of document.
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

/// A document held by the provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Unique identifier of the document, with the prefix `d-`.
    pub id: DocumentId,
    /// Name of the document.
    pub name: String,
    /// Document number at the provider.
    pub doc_id: String,
    /// Status. Set only for clearance documents.
    pub status: Option<DocumentStatus>,
    /// Kind of document.
    pub document_type: DocumentType,
    /// Date of issue.
    pub issue_date: Option<Date>,
    /// Last day of validity.
    pub expiry_date: Option<Date>,
    /// Absolute URL of the file.
    pub file_url: Option<String>,
    /// Remarks of the provider (shown by the interface in TASK_FINISHED).
    pub remarks: Option<String>,
}
