//! Files of documents that a provider issued. Each is stored sealed with its account.

use std::collections::BTreeMap;

use link_types::archive::FileFormat;
use link_types::data::{DataPointBody, Document, DocumentType};
use link_types::id::{AccountId, DocumentId};

use crate::data_point::Known;

/// Maximum size of a file in bytes: 5 MiB.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Maximum size in bytes of all files that one reading fetches: 10 MiB. The next reading fetches more.
pub const MAX_BYTES_OF_READING: usize = 10 * 1024 * 1024;
/// Maximum number of files that one reading fetches. The next reading fetches more.
pub const MAX_FILES_OF_READING: usize = 50;
/// Maximum length of a reference in bytes.
pub const MAX_REFERENCE_BYTES: usize = 1_024;

/// What identifies a document among those of one account.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentKey {
    /// Kind of document.
    pub document_type: DocumentType,
    /// Document number at the provider.
    pub doc_id: String,
}

impl DocumentKey {
    /// Returns the key of a document.
    pub fn of(document: &Document) -> Self {
        Self { document_type: document.document_type, doc_id: document.doc_id.clone() }
    }
}

impl std::fmt::Debug for DocumentKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DocumentKey({}, …)", self.document_type)
    }
}

/// A source's own name for the current version of a file. It may contain personal data, so it is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct FileReference(String);

impl FileReference {
    /// Wraps a reference. Returns `None` if it is empty or longer than [`MAX_REFERENCE_BYTES`].
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        (1..=MAX_REFERENCE_BYTES).contains(&text.len()).then_some(Self(text))
    }

    /// Returns the text of the source.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for FileReference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FileReference(…)")
    }
}

/// A file that a source has for a document of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOffer {
    /// The document.
    pub document: DocumentKey,
    /// The source's name for the file.
    pub reference: FileReference,
}

/// The bytes of a file, in a format that the service accepts. `Debug` does not print them.
#[derive(Clone, PartialEq, Eq)]
pub struct FileBytes {
    format: FileFormat,
    bytes: Vec<u8>,
}

impl FileBytes {
    /// Detects the format from the first bytes. Returns `None` if the file is not a PDF, PNG, JPEG or TIFF file, or is
    /// larger than [`MAX_BYTES`].
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        let format = match bytes.as_slice() {
            [b'%', b'P', b'D', b'F', b'-', ..] => FileFormat::Pdf,
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => FileFormat::Png,
            [0xFF, 0xD8, 0xFF, ..] => FileFormat::Jpeg,
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => FileFormat::Tiff,
            _ => return None,
        };
        (bytes.len() <= MAX_BYTES).then_some(Self { format, bytes })
    }

    /// Returns the format.
    pub const fn format(&self) -> FileFormat {
        self.format
    }

    /// Returns the bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes without copying them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl std::fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FileBytes({}, {} bytes)", self.format, self.bytes.len())
    }
}

/// A file that was fetched for a document of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedFile {
    /// The offer that was followed.
    pub offer: FileOffer,
    /// The file.
    pub content: FileBytes,
}

/// The stored file of a document. It is sealed with its account and replaced as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFile {
    /// Document that the file belongs to.
    pub document_id: DocumentId,
    /// Account of the document.
    pub account_id: AccountId,
    /// The source's name for the file, by which a newer version is recognized.
    pub reference: FileReference,
    /// The file.
    pub content: FileBytes,
}

/// Returns which offered files a reading must fetch: those of documents without a file, or with a file of another
/// reference. At most [`MAX_FILES_OF_READING`], and the files of the last documents in the reading first, which are the
/// newest.
pub fn files_to_fetch(
    offers: &[FileOffer],
    known: &Known,
    stored: &BTreeMap<DocumentId, FileReference>,
) -> Vec<FileOffer> {
    let documents: BTreeMap<DocumentKey, &DocumentId> = known
        .0
        .iter()
        .filter_map(|(_, body)| document(body))
        .map(|it| (DocumentKey::of(it), &it.id))
        .collect();
    let is_stored = |offer: &&FileOffer| {
        let id = documents.get(&offer.document);
        id.and_then(|id| stored.get(*id)).is_some_and(|reference| *reference == offer.reference)
    };
    offers.iter().rev().filter(|it| !is_stored(it)).take(MAX_FILES_OF_READING).cloned().collect()
}

/// Returns the document, if the data point is one.
pub(crate) const fn document(body: &DataPointBody) -> Option<&Document> {
    match body {
        DataPointBody::Document(document) => Some(document),
        DataPointBody::Identity(_)
        | DataPointBody::Employment(_)
        | DataPointBody::Income(_)
        | DataPointBody::Transaction(_)
        | DataPointBody::Contribution(_)
        | DataPointBody::Liability(_)
        | DataPointBody::EstimatedIncome(_)
        | DataPointBody::Rating(_)
        | DataPointBody::Link(_)
        | DataPointBody::Insight(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn offer(number: usize, reference: &str) -> FileOffer {
        let document = DocumentKey { document_type: DocumentType::Payslip, doc_id: number.to_string() };
        FileOffer { document, reference: FileReference::new(reference).unwrap() }
    }

    #[test]
    fn newest_files_are_fetched_first_and_up_to_the_limit() {
        let offers: Vec<_> = (0..60).map(|number| offer(number, "v1")).collect();
        let fetched = files_to_fetch(&offers, &Known::default(), &BTreeMap::new());
        assert_eq!(fetched.len(), MAX_FILES_OF_READING);
        assert_eq!(fetched[0], offers[59]);
    }

    #[rstest]
    #[case::pdf(b"%PDF-1.7", Some(FileFormat::Pdf))]
    #[case::png(b"\x89PNG\r\n\x1a\n", Some(FileFormat::Png))]
    #[case::jpeg(b"\xFF\xD8\xFF\xE0", Some(FileFormat::Jpeg))]
    #[case::tiff(b"II*\0", Some(FileFormat::Tiff))]
    #[case::html(b"<html>", None)]
    #[case::empty(b"", None)]
    fn format_is_detected_from_the_first_bytes(#[case] bytes: &[u8], #[case] expected: Option<FileFormat>) {
        assert_eq!(FileBytes::new(bytes.to_vec()).map(|it| it.format()), expected);
    }

    #[rstest]
    #[case::limit(MAX_BYTES, true)]
    #[case::above(MAX_BYTES + 1, false)]
    fn larger_file_is_rejected(#[case] size: usize, #[case] is_accepted: bool) {
        let mut bytes = b"%PDF-1.7".to_vec();
        bytes.resize(size, 0);
        assert_eq!(FileBytes::new(bytes).is_some(), is_accepted);
    }

    #[test]
    fn personal_data_is_not_printed() {
        let file = FetchedFile {
            offer: offer(4711, "/files/4711"),
            content: FileBytes::new(b"%PDF-4711".to_vec()).unwrap(),
        };
        assert!(!format!("{file:?}").contains("4711"));
    }
}
