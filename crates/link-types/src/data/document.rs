//! Documents (interface: Document).

use serde::{Deserialize, Serialize};

use super::Body;
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

impl Body for Document {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "d-01a2020583f470008012984855379146",
  "name": "Member identification",
  "docId": "SBX-76764910",
  "status": null,
  "documentType": "IDENTIFICATION",
  "issueDate": "2024-12-22",
  "expiryDate": "2029-12-21",
  "fileUrl": "https://linchpin.example/sandbox/v1/files/demo/a-01a20205838870008005ffa570fb2d04/d-01a2020583f470008012984855379146?expires=1763640431&signature=fX0o3mJ5pVtq2cVnYJ8m5m1l3oQ0bq2m0m7r6d1cZkE",
  "remarks": null,
  "metadata": {
    "createdAt": "2026-11-22T06:50:45.512Z",
    "itemCreatedAt": "2026-11-22T06:50:45.620Z",
    "accountId": "a-01a20205838870008005ffa570fb2d04",
    "sourceId": "a-01a20205838870008005ffa570fb2d04",
    "sourceType": "ACCOUNT",
    "providerId": "mx_social_security",
    "userId": "demo-01a20205827370008007f9c82889d3e4"
  }
}"#;

    fn date(&self) -> Option<Date> {
        self.issue_date
    }

    fn natural_key(&self) -> Vec<Option<String>> {
        vec![Some(self.document_type.to_string()), Some(self.doc_id.clone())]
    }
}
