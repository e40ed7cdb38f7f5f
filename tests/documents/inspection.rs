//! Each bad file is refused with its fault; what people's programs write is not.

use std::time::{Duration, Instant};

use link_connectors::documents::inspection::inspect;
use link_domain::ports::Inspection;
use link_types::archive::FileFormat;

use crate::bad_files::bad_files;
use crate::unusual::unusual_pdfs;

#[test]
fn every_bad_file_is_refused_for_what_is_wrong_with_it() {
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
fn a_pdf_may_spell_and_pack_its_streams_as_it_likes() {
    for (name, bytes) in unusual_pdfs() {
        let began = Instant::now();
        let found = inspect(&bytes);
        assert_eq!(found, Ok(Inspection { format: FileFormat::Pdf, pages: 1, pixels: 0 }), "{name}");
        // Each costs a few passes over its bytes; a look back from every keyword took minutes.
        assert!(began.elapsed() < Duration::from_secs(30), "{name}: {:?}", began.elapsed());
    }
}
