//! Inspection rejects each bad file with its fault, and accepts unusual but valid PDFs.

use std::time::{Duration, Instant};

use link_documents::inspection::inspect;
use link_domain::documents::document_reader::Inspection;
use link_test_support::bad_files::bad_files;
use link_types::archive::FileFormat;

use crate::unusual::unusual_pdfs;

#[test]
fn inspection_rejects_each_bad_file_with_its_fault() {
    let files = bad_files();
    assert!(files.len() >= 30);
    let wrong: Vec<String> = files
        .iter()
        .map(|file| (file, inspect(&file.bytes)))
        .filter(|(file, found)| *found != Err(file.fault))
        .map(|(file, found)| format!("{}: {found:?} instead of {:?}", file.name, file.fault))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn inspection_accepts_unusual_pdf_streams() {
    for (name, bytes) in unusual_pdfs() {
        let began = Instant::now();
        let found = inspect(&bytes);
        assert_eq!(found, Ok(Inspection { format: FileFormat::Pdf, pages: 1, pixels: 0 }), "{name}");
        // Inspection makes a few passes over the bytes. Looking back from every keyword took minutes.
        assert!(began.elapsed() < Duration::from_secs(30), "{name}: {:?}", began.elapsed());
    }
}
