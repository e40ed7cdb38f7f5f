//! A document reader in the test's process: it inspects files as the real one does, and finds the same payslip in each.
//! It encodes logos as the real one does, too.

use link_documents::inspection::inspect;
use link_documents::logo;
use link_domain::data::batch::Batch;
use link_domain::documents::document_reader::{
    DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectError, Inspection,
};
use link_domain::kernel::future::BoxFuture;
use link_domain::tenancy::logo::{EncodedLogo, LogoBounds};
use link_domain::tenancy::logo_encoder::{LogoEncoder, LogoError};
use link_types::archive::{ArchiveErrorCode, ArchiveType, ExtractedField, Extraction};
use link_types::data::{DataPointBody, Income, IncomeFrequency};
use link_types::id::IncomeId;

/// Reads every payslip upload as the same payslip.
pub struct InProcessReader;

/// The employer on every payslip.
pub const EMPLOYER: &str = "Talleres Quetzal";

impl LogoEncoder for InProcessReader {
    fn encode(&self, file: Vec<u8>, bounds: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>> {
        Box::pin(std::future::ready(logo::encode(&file, bounds).map_err(LogoError::from)))
    }
}

impl DocumentReader for InProcessReader {
    fn inspect<'a>(
        &'a self,
        mut content: Box<dyn FileContent + 'a>,
    ) -> BoxFuture<'a, Result<Inspection, InspectError>> {
        Box::pin(async move {
            let mut bytes = Vec::new();
            while let Some(piece) = content.next().await.map_err(|_| InspectError::Unavailable)? {
                bytes.extend(piece);
            }
            inspect(&bytes).map_err(InspectError::Refused)
        })
    }

    fn read<'a>(&'a self, request: DocumentRequest<'a>) -> BoxFuture<'a, DocumentReading> {
        Box::pin(async move {
            if request.archive_type != ArchiveType::Payslip {
                return DocumentReading::Failed { code: ArchiveErrorCode::FileUnableToRecognize };
            }
            let income = Income {
                id: IncomeId::from_bytes([0; 16]),
                employer: Some(EMPLOYER.to_owned()),
                start_date: None,
                end_date: None,
                currency: "MXN".to_owned(),
                frequency: IncomeFrequency::Biweekly,
                base_amount: None,
                gross_amount: None,
                net_amount: None,
            };
            DocumentReading::Read {
                extracted: Extraction {
                    document_type: ArchiveType::Payslip,
                    pages: vec![1],
                    fields: vec![ExtractedField {
                        name: "employerName".to_owned(),
                        value: EMPLOYER.to_owned(),
                        confidence: 0.9,
                        page: 1,
                        area: None,
                    }],
                    faults: Vec::new(),
                }
                .into(),
                batch: Batch { bodies: vec![DataPointBody::Income(income)], ..Batch::default() },
            }
        })
    }
}
