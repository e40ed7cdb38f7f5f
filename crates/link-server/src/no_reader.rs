//! A service without a document reader: files are neither accepted nor read, said honestly.

use link_domain::ports::{
    Answer, DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectFault, Inspection,
};
use link_types::archive::ArchiveErrorCode;

/// A [`DocumentReader`] that is always away.
#[derive(Debug, Clone, Copy)]
pub struct NoReader;

impl DocumentReader for NoReader {
    fn inspect<'a>(&'a self, _: Box<dyn FileContent + 'a>) -> Answer<'a, Result<Inspection, InspectFault>> {
        Box::pin(std::future::ready(Err(InspectFault::Unavailable)))
    }

    fn read<'a>(&'a self, _: DocumentRequest<'a>) -> Answer<'a, DocumentReading> {
        let code = ArchiveErrorCode::ServiceUnavailable;
        Box::pin(std::future::ready(DocumentReading::Failed { code }))
    }
}
