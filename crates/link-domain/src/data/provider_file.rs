//! Files of documents that a provider issued. Each is stored sealed with its account.

use std::collections::BTreeMap;

use link_types::archive::FileFormat;
use link_types::data::{DataPointBody, DataPointKind, Document, DocumentType};
use link_types::id::{AccountId, DocumentId};

use crate::data::batch::Batch;
use crate::data::data_point::Known;
use crate::data::declined_data::DeclinedData;

/// Maximum size of a file in bytes: 5 MiB.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Maximum size in bytes of all files that one reading fetches: 10 MiB. The next reading fetches more.
const MAX_BYTES_OF_READING: usize = 10 * 1024 * 1024;
/// Maximum number of files that one reading fetches. The next reading fetches more.
const MAX_FILES_OF_READING: usize = 50;
/// Maximum number of files that one reading asks for, including those that the source does not return.
const MAX_REQUESTS_OF_READING: usize = 100;
/// Maximum length of a reference in bytes.
pub const MAX_REFERENCE_BYTES: usize = 1_024;

/// Natural key of a document among those of one account.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentKey {
    /// Kind of document.
    pub document_type: DocumentType,
    /// Document number at the provider.
    pub doc_id: String,
}

impl DocumentKey {
    /// Returns the key of a document.
    pub fn from_document(document: &Document) -> Self {
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

/// The files that one reading has fetched: at most 50, and 10 MiB in all.
#[derive(Debug, Default)]
pub struct FetchedFiles {
    files: Vec<FetchedFile>,
    bytes: usize,
}

impl FetchedFiles {
    /// Adds a file, unless it is above a limit. Returns `false` if the reading must not fetch more.
    #[must_use]
    pub fn add(&mut self, file: FetchedFile) -> bool {
        let bytes = self.bytes + file.content.as_slice().len();
        if bytes > MAX_BYTES_OF_READING || self.files.len() == MAX_FILES_OF_READING {
            return false;
        }
        self.bytes = bytes;
        self.files.push(file);
        self.files.len() < MAX_FILES_OF_READING
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the files.
    pub fn into_files(self) -> Vec<FetchedFile> {
        self.files
    }
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

/// Returns which files of a reading must be fetched: those of documents without a file, and then those of documents with a
/// file of another reference. Within each, the files of the last documents come first, which are the newest. At
/// most 100.
///
/// A key of several documents does not say which of them a file belongs to, so such files are left out. If the person
/// declined documents, there are none.
pub fn files_to_fetch(
    batch: &Batch,
    known: &Known,
    stored: &BTreeMap<DocumentId, FileReference>,
    declined: &DeclinedData,
) -> Vec<FileOffer> {
    if !declined.shares(DataPointKind::Documents) {
        return Vec::new();
    }
    let read = count_by_key(batch.bodies.iter());
    let known_keys = count_by_key(known.0.iter().map(|(_, body)| body));
    let is_single = |key: &DocumentKey| {
        let count = |keys: &BTreeMap<DocumentKey, usize>| keys.get(key).copied().unwrap_or_default();
        count(&read) == 1 && count(&known_keys) <= 1
    };
    let documents: BTreeMap<DocumentKey, &DocumentId> = known
        .0
        .iter()
        .filter_map(|(_, body)| document(body))
        .map(|it| (DocumentKey::from_document(it), &it.id))
        .collect();
    let of_stored = |offer: &FileOffer| documents.get(&offer.document).and_then(|id| stored.get(*id));
    let wanted = batch.files.iter().rev().filter(|offer| is_single(&offer.document));
    let (missing, others): (Vec<_>, Vec<_>) = wanted.partition(|offer| of_stored(offer).is_none());
    let replaced = others.into_iter().filter(|offer| of_stored(offer) != Some(&offer.reference));
    missing.into_iter().chain(replaced).take(MAX_REQUESTS_OF_READING).cloned().collect()
}

/// Counts the documents with each key.
fn count_by_key<'a>(bodies: impl Iterator<Item = &'a DataPointBody>) -> BTreeMap<DocumentKey, usize> {
    let mut counts = BTreeMap::new();
    for document in bodies.filter_map(document) {
        *counts.entry(DocumentKey::from_document(document)).or_default() += 1;
    }
    counts
}

/// Returns the document, if the data point is one.
pub const fn document(body: &DataPointBody) -> Option<&Document> {
    if let DataPointBody::Document(document) = body { Some(document) } else { None }
}

#[cfg(test)]
mod tests {
    use link_types::data::SourceType;
    use rstest::rstest;

    use super::*;
    use crate::data::data_point::DataPoint;
    use crate::fixture;
    use crate::kernel::clock::TenantTime;
    use crate::kernel::scope::ErasureScope;

    fn payslip(number: usize) -> DataPointBody {
        DataPointBody::Document(Document {
            id: DocumentId::from_bytes([u8::try_from(number).unwrap(); 16]),
            name: "Payslip".into(),
            doc_id: number.to_string(),
            status: None,
            document_type: DocumentType::Payslip,
            issue_date: None,
            expiry_date: None,
            file_url: None,
            remarks: None,
        })
    }

    fn row() -> DataPoint {
        let created_at = TenantTime::from_micros(0);
        DataPoint {
            id: String::new(),
            kind: DataPointKind::Documents,
            owner: fixture::owner(),
            user_id: fixture::user_id(),
            provider_id: fixture::provider().id,
            source_id: String::new(),
            source_type: SourceType::Account,
            source_created_at: created_at,
            created_at,
            date: None,
            month: None,
            scope: ErasureScope::Account(AccountId::from_bytes([1; 16])),
            body: Vec::new(),
        }
    }

    fn offer(number: usize, reference: &str) -> FileOffer {
        let document = DocumentKey { document_type: DocumentType::Payslip, doc_id: number.to_string() };
        FileOffer { document, reference: FileReference::new(reference).unwrap() }
    }

    fn batch(numbers: &[usize]) -> Batch {
        let bodies = numbers.iter().map(|number| payslip(*number)).collect();
        let files = numbers.iter().map(|number| offer(*number, "v2")).collect();
        Batch { bodies, files, ..Batch::default() }
    }

    fn offers(batch: &Batch, known: &Known, stored: &BTreeMap<DocumentId, FileReference>) -> Vec<FileOffer> {
        files_to_fetch(batch, known, stored, &DeclinedData::default())
    }

    #[test]
    fn no_file_is_fetched_if_documents_are_declined() {
        let declined = DeclinedData::new(&[DataPointKind::Documents]);
        let fetched = files_to_fetch(&batch(&[1]), &Known::default(), &BTreeMap::new(), &declined);
        assert_eq!(fetched, []);
    }

    #[test]
    fn newest_missing_files_are_fetched_first_and_up_to_the_limit() {
        let numbers: Vec<_> = (0..120).collect();
        let fetched = offers(&batch(&numbers), &Known::default(), &BTreeMap::new());
        assert_eq!(fetched.len(), MAX_REQUESTS_OF_READING);
        assert_eq!(fetched[0], offer(119, "v2"));
    }

    #[test]
    fn replaced_file_is_fetched_after_missing_ones() {
        let known = Known((0..3).map(|number| (row(), payslip(number))).collect());
        let stored = [(2, "v1"), (1, "v2")].map(|(number, reference)| {
            (DocumentId::from_bytes([number; 16]), FileReference::new(reference).unwrap())
        });
        let fetched = offers(&batch(&[0, 1, 2]), &known, &stored.into());
        assert_eq!(fetched, [offer(0, "v2"), offer(2, "v2")]);
    }

    #[test]
    fn file_of_a_key_of_two_documents_is_not_fetched() {
        let fetched = offers(&batch(&[1, 2, 2]), &Known::default(), &BTreeMap::new());
        assert_eq!(fetched, [offer(1, "v2")]);
    }

    #[rstest]
    #[case::few_large_files(MAX_BYTES, 2)]
    #[case::many_small_files(8, MAX_FILES_OF_READING)]
    fn reading_fetches_files_up_to_its_limits(#[case] size: usize, #[case] expected: usize) {
        let mut bytes = b"%PDF-1.7".to_vec();
        bytes.resize(size, 0);
        let content = FileBytes::new(bytes).unwrap();
        let mut fetched = FetchedFiles::default();
        while fetched.add(FetchedFile { offer: offer(1, "v1"), content: content.clone() }) {}
        assert_eq!((fetched.len(), fetched.is_empty()), (expected, false));
        assert!(!fetched.add(FetchedFile { offer: offer(2, "v1"), content }));
        assert_eq!(fetched.into_files().len(), expected);
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
