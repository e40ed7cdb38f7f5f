//! The document child process as the service starts it: the real binary, its limits and its end.

use std::path::PathBuf;
use std::time::Duration;

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_documents::inspection::inspect;
use link_documents::{ChildReader, Layer, Limits, Tesseract, logo};
use link_domain::data::batch::Batch;
use link_domain::data::batch::Extracted;
use link_domain::documents::document_reader::{
    ContentLostError, DocumentFile, DocumentReader, DocumentReading, DocumentRequest, FileContent,
    InspectError, Inspection,
};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::system::BoxFuture;
use link_domain::tenancy::logo::{EncodedLogo, LogoBounds};
use link_domain::tenancy::logo::{LogoEncoder, LogoError};
use link_store::test_support::Backend;
use link_test_support::bad_files::bad_files;
use link_test_support::wait;
use link_types::archive::{
    ArchiveErrorCode, ArchiveType, ExtractedField, Extraction, FileFault, FileFormat, FileSlot,
};
use link_types::data::{DataPointBody, DataPointKind, Income, IncomeFrequency};
use link_types::id::IncomeId;
use serde_json::json;

use crate::service::{As, TestService, text};

/// The most memory that a child may use for any file.
const MAX_KIB: u64 = 600 * 1024;

const UNRECOGNIZED: DocumentReading =
    DocumentReading::Failed { code: ArchiveErrorCode::FileUnableToRecognize };

fn reader() -> ChildReader {
    ChildReader::new(env!("CARGO_BIN_EXE_linchpin"), &["extract"], Tesseract::default())
}

/// A file in chunks.
struct Pieces(Vec<Vec<u8>>);

impl Pieces {
    fn new(bytes: &[u8]) -> Box<Self> {
        Box::new(Self(bytes.chunks(256 * 1024).rev().map(<[u8]>::to_vec).collect()))
    }
}

impl FileContent for Pieces {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLostError>> {
        Box::pin(std::future::ready(Ok(self.0.pop())))
    }
}

/// A file whose content never arrives.
struct Never;

impl FileContent for Never {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLostError>> {
        Box::pin(std::future::pending())
    }
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/samples").join(name)).unwrap()
}

async fn read(reader: &ChildReader, kind: ArchiveType, name: &str) -> DocumentReading {
    read_bytes(reader, kind, name, &sample(name)).await
}

async fn read_bytes(reader: &ChildReader, kind: ArchiveType, name: &str, bytes: &[u8]) -> DocumentReading {
    let format = match reader.inspect(Pieces::new(bytes)).await {
        Ok(found) => found.format,
        Err(fault) => panic!("{name}: {fault}"),
    };
    let size_bytes = u32::try_from(bytes.len()).unwrap();
    let file = DocumentFile { slot: FileSlot::Page, format, size_bytes, content: Pieces::new(bytes) };
    let request = DocumentRequest { archive_type: kind, files: vec![file], at: TenantTime::from_micros(0) };
    reader.read(request).await
}

#[tokio::test]
async fn bad_files_are_rejected_within_bounded_memory() {
    let reader = reader();
    let mut wrong = Vec::new();
    for file in bad_files() {
        let found = reader.inspect(Pieces::new(&file.bytes)).await;
        if found != Err(InspectError::Refused(file.fault)) {
            wrong.push(format!("{}: {found:?} instead of {:?}", file.name, file.fault));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let peak = reader.peak_kib();
    assert!((1..MAX_KIB).contains(&peak), "the largest child had {peak} KiB");
}

/// Cameras and programs append data that viewers ignore.
#[tokio::test]
async fn picture_with_bytes_after_its_end_is_read() {
    let reader = reader();
    let jpeg = sample("identification-ph.jpg");
    let png = sample("clouds.png");
    // The first segment begins at byte 2, with its marker and its length.
    let second = 4 + usize::from(u16::from_be_bytes([jpeg[4], jpeg[5]]));
    let stray = [&jpeg[..second], b"\0", &jpeg[second..]].concat();
    for (name, bytes) in [
        ("44,758 zeros", [jpeg.as_slice(), &[0; 44_758]].concat()),
        ("a film", [jpeg.as_slice(), b"\0\0\0\x18ftypmp42", &[7; 1_000_000]].concat()),
        (
            "a note of a camera",
            [jpeg.as_slice(), b"\0\0\x01\x0aImage_UTC_Data1700000000000SEFHk\0\0\0SEFT"].concat(),
        ),
        ("zeros and a second picture", [jpeg.as_slice(), &[0; 300], &jpeg].concat()),
        ("half of a second picture", [jpeg.as_slice(), &jpeg[..jpeg.len() / 2]].concat()),
        ("a stray byte before a segment", stray),
    ] {
        let found = reader.inspect(Pieces::new(&bytes)).await;
        assert_eq!(found.map(|it| (it.format, it.pages)), Ok((FileFormat::Jpeg, 1)), "{name}");
        let reading = read_bytes(&reader, ArchiveType::Identification, name, &bytes).await;
        let DocumentReading::Read { extracted, .. } = reading else { panic!("{name}: {reading:?}") };
        assert!(extracted.first.fields.len() >= 6, "{name}");
    }
    let found = reader.inspect(Pieces::new(&[png.as_slice(), b"a note after the end"].concat())).await;
    assert_eq!(found.map(|it| (it.format, it.pages)), Ok((FileFormat::Png, 1)));
}

#[tokio::test]
async fn heic_photo_is_read_in_the_sandbox() {
    let photo = include_bytes!("../../../../tests/documents/payslip.heic");
    let reading = read_bytes(&reader(), ArchiveType::Payslip, "payslip.heic", photo).await;
    let DocumentReading::Read { extracted, .. } = reading else { panic!("{reading:?}") };
    assert!(extracted.first.fields.len() >= 6, "{extracted:?}");
}

#[tokio::test]
async fn sample_documents_reach_each_archive_state() {
    let reader = reader();
    for (name, kind) in [
        ("payslip-mx.pdf", ArchiveType::Payslip),
        ("payslip-ph.pdf", ArchiveType::Payslip),
        ("certificate-mx.pdf", ArchiveType::Certificate),
        ("tax-document-ph.pdf", ArchiveType::TaxDocument),
        ("bank-statement-mx.pdf", ArchiveType::BankStatement),
        ("identification-ph.jpg", ArchiveType::Identification),
    ] {
        match read(&reader, kind, name).await {
            DocumentReading::Read { extracted: Extracted { first: extraction, .. }, batch } => {
                assert_eq!(extraction.document_type, kind, "{name}");
                assert!(extraction.fields.len() >= 6, "{name}: {} fields", extraction.fields.len());
                let has = |kind| batch.bodies.iter().any(|body| body.kind() == kind);
                assert!(has(DataPointKind::Identities), "{name}");
                assert_eq!(has(DataPointKind::Transactions), kind == ArchiveType::BankStatement, "{name}");
                assert_eq!(has(DataPointKind::Documents), kind != ArchiveType::BankStatement, "{name}");
            }
            DocumentReading::ReadInPart { .. } => panic!("{name}: pages were left out"),
            DocumentReading::Failed { code } => panic!("{name}: {}", code.as_str()),
        }
    }
    let DocumentReading::Read { extracted, batch } =
        read(&reader, ArchiveType::Payslip, "two-payslips.pdf").await
    else {
        panic!("two payslips")
    };
    let [second] = extracted.further.as_slice() else { panic!("{extracted:?}") };
    assert_eq!((extracted.first.pages.as_slice(), second.pages.as_slice()), (&[1][..], &[2][..]));
    let incomes = batch.bodies.iter().filter(|body| body.kind() == DataPointKind::Incomes);
    assert_eq!(incomes.count(), 2, "one for each payslip");
    let failed = |code| DocumentReading::Failed { code };
    let clouds = read(&reader, ArchiveType::Payslip, "clouds.png").await;
    assert_eq!(clouds, failed(ArchiveErrorCode::FileUnableToRecognize));
    for (name, code) in [
        ("letter.pdf", ArchiveErrorCode::FileKindUnknown),
        ("two-people.pdf", ArchiveErrorCode::FileSeveralPeople),
        ("form.pdf", ArchiveErrorCode::FileForm),
        ("portfolio.pdf", ArchiveErrorCode::FilePortfolio),
    ] {
        assert_eq!(read(&reader, ArchiveType::Payslip, name).await, failed(code), "{name}");
    }
    let locked = reader.inspect(Pieces::new(&sample("locked.pdf"))).await;
    assert_eq!(locked, Err(InspectError::Refused(FileFault::Encrypted)));
}

#[tokio::test]
async fn picture_that_does_not_decode_is_unreadable() {
    let picture = b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xFF\xC0\0\x0B\x08\x01\xE0\x02\x80\x01\x01\x11\0\xFF\xDA\0\x08\x01\x01\0\0\x3F\0\x12\x34\x56\xFF\xD9";
    let read = read_bytes(&reader(), ArchiveType::Payslip, "no tables", picture).await;
    assert_eq!(read, DocumentReading::Failed { code: ArchiveErrorCode::FileUnreadable });
}

#[tokio::test]
async fn missing_tesseract_reads_text_but_not_images() {
    let away = Tesseract { program: "/nowhere/tesseract".to_owned(), ..Tesseract::default() };
    let reader = ChildReader::new(env!("CARGO_BIN_EXE_linchpin"), &["extract"], away);
    let text = read(&reader, ArchiveType::Payslip, "payslip-mx.pdf").await;
    assert!(matches!(text, DocumentReading::Read { .. }));
    let photo = read(&reader, ArchiveType::Identification, "identification-ph.jpg").await;
    assert_eq!(photo, UNRECOGNIZED, "a retry would not help");
}

#[tokio::test]
async fn image_is_unrecognized_if_tesseract_fails() {
    let refusing = Tesseract { program: "/bin/false".to_owned(), ..Tesseract::default() };
    let reader = ChildReader::new(env!("CARGO_BIN_EXE_linchpin"), &["extract"], refusing);
    let photo = read(&reader, ArchiveType::Identification, "identification-ph.jpg").await;
    assert_eq!(photo, UNRECOGNIZED);
}

#[tokio::test]
async fn read_timeout_blames_document_only_if_it_arrived() {
    let limits = Limits { deadline: Duration::from_millis(500), ..Limits::READ };
    let reader = ChildReader::new("/bin/sh", &["-c", "cat > /dev/null"], Tesseract::default());
    let reader = reader.reading_within(limits);
    let file =
        |content| DocumentFile { slot: FileSlot::Page, format: FileFormat::Pdf, size_bytes: 1, content };
    let request = |content| DocumentRequest {
        archive_type: ArchiveType::Payslip,
        files: vec![file(content)],
        at: TenantTime::from_micros(0),
    };
    assert_eq!(reader.read(request(Pieces::new(b"%"))).await, UNRECOGNIZED);
    let away = DocumentReading::Failed { code: ArchiveErrorCode::ServiceUnavailable };
    assert_eq!(reader.read(request(Box::new(Never))).await, away);
}

#[tokio::test]
async fn child_start_failure_differs_from_crash() {
    let missing = ChildReader::new("/nowhere/linchpin", &["extract"], Tesseract::default());
    assert_eq!(missing.inspect(Pieces::new(b"%PDF-1.7")).await, Err(InspectError::Unavailable));
    let broken = ChildReader::new("/bin/false", &[], Tesseract::default());
    let refused = Err(InspectError::Refused(FileFault::Damaged));
    assert_eq!(broken.inspect(Pieces::new(b"%PDF-1.7")).await, refused);
}

#[tokio::test]
async fn dropping_the_request_ends_the_child() {
    // An argument that identifies this child.
    let mark = "--mark-of-the-dropped-child";
    let reader =
        ChildReader::new("/bin/sh", &["-c", "read line; sleep 600 & wait", mark], Tesseract::default());
    let asked = tokio::time::timeout(Duration::from_millis(300), reader.inspect(Box::new(Never))).await;
    assert!(asked.is_err(), "the request waits for its file");
    wait::until("the child has ended", async || !running(mark)).await;
    let files = vec![DocumentFile {
        slot: FileSlot::Page,
        format: FileFormat::Pdf,
        size_bytes: 1,
        content: Box::new(Never),
    }];
    let request =
        DocumentRequest { archive_type: ArchiveType::Payslip, files, at: TenantTime::from_micros(0) };
    assert!(tokio::time::timeout(Duration::from_millis(300), reader.read(request)).await.is_err());
}

/// Returns true if a process with this argument is running.
fn running(mark: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|line| line.split(|byte| *byte == 0).any(|argument| argument == mark.as_bytes()))
}

#[tokio::test]
async fn child_sandbox_blocks_files_network_and_processes() {
    let report = reader().self_test().await.unwrap();
    for layer in &report.layers {
        assert!(layer.tried > 0 || layer.layer == Layer::Processes, "{layer}");
        assert!(layer.holds(), "{layer}");
    }
    assert!(report.is_complete() && report.advice().is_empty());
    assert_eq!(report.tesseract, Tesseract::default().is_installed().then_some(true));
}

#[test]
fn self_test_prints_each_layer_and_succeeds() {
    let tested =
        std::process::Command::new(env!("CARGO_BIN_EXE_linchpin")).args(["extract", "--self-test"]).output();
    let tested = tested.unwrap();
    let said = String::from_utf8(tested.stdout).unwrap();
    assert!(tested.status.success(), "{said}");
    for layer in ["files: holds", "network: holds", "system calls: holds", "processes: holds"] {
        assert!(said.contains(layer), "{said}");
    }
}

// A document reader in the test's process: it inspects files as the real one does, and finds the same payslip in each.
// It encodes logos as the real one does, too.

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

const BROKEN: &[u8] = include_bytes!("../../../../docs/samples/reader-broken.pdf");

#[tokio::test]
async fn fault_sample_is_an_ordinary_document_in_production() {
    let service = TestService::start(Backend::Sqlite).await;
    for (keys, expected) in [(&service.sandbox, "ERROR"), (&service.production, "ANALYZED")] {
        let user = service.send(Method::POST, "/users", As::Tenant(keys), Some(&json!({}))).await;
        let file = json!({"name": "Recibo.pdf", "content": STANDARD.encode(BROKEN)});
        let body = json!({"userId": user.body["id"], "type": "PAYSLIP", "files": [file]});
        let created = service.send(Method::POST, "/archives", As::Tenant(keys), Some(&body)).await;
        assert_eq!(created.status, 201, "{}", created.body);
        let path = format!("/archives/{}", text(&created.body["id"]));
        let archive = wait::until_some("the analysis ends", async || {
            let archive = service.send(Method::GET, &path, As::Tenant(keys), None).await.body;
            (archive["state"]["status"] != "STARTED").then_some(archive)
        })
        .await;
        assert_eq!(archive["state"]["status"], expected, "{archive}");
    }
}
