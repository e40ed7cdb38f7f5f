//! The inspection of a whole file, of any format.

use link_domain::documents::document_reader::Inspection;
use link_types::archive::{FileFault, FileFormat, MAX_FILE_BYTES, MAX_PAGES};

use super::Found;
use super::{heic, jpeg, pdf, png, tiff, webp};

/// How many bytes of a file other readers search for the header of a PDF.
const PDF_HEAD: usize = 1024;
/// How many bytes of a file a browser inspects to detect its type.
const SNIFFED: usize = 1024;
/// The length of a ZIP archive's end record without its comment, and of the longest comment.
const ZIP_END: usize = 22;
const ZIP_COMMENT: usize = 65_535;

/// Inspects a whole file.
///
/// # Errors
///
/// The reason why the file is rejected.
pub fn inspect(bytes: &[u8]) -> Result<Inspection, FileFault> {
    if bytes.is_empty() {
        return Err(FileFault::Empty);
    }
    if bytes.len() > MAX_FILE_BYTES as usize {
        return Err(FileFault::TooLarge);
    }
    let format = format(bytes).ok_or_else(|| format_fault(bytes))?;
    if is_also_something_else(bytes, format) {
        return Err(FileFault::ExtraBytes);
    }
    let Found { pages, pixels } = match format {
        FileFormat::Pdf => pdf::look(bytes),
        FileFormat::Png => png::look(bytes),
        FileFormat::Jpeg => jpeg::look(bytes),
        FileFormat::Tiff => tiff::look(bytes),
        FileFormat::Heic => heic::look(bytes),
        FileFormat::Webp => webp::look(bytes),
    }?;
    let pages =
        u16::try_from(pages).ok().filter(|pages| *pages <= MAX_PAGES).ok_or(FileFault::TooManyPages)?;
    if pages == 0 { Err(FileFault::Damaged) } else { Ok(Inspection { format, pages, pixels }) }
}

/// Returns the fault of a file in no known format. Some programs write other bytes before a PDF.
fn format_fault(bytes: &[u8]) -> FileFault {
    let head = bytes.get(..PDF_HEAD).unwrap_or(bytes);
    let is_pdf = head.windows(5).any(|window| window == b"%PDF-");
    if is_pdf { FileFault::ExtraBytes } else { FileFault::UnsupportedFormat }
}

/// Identifies the format by the file's first bytes.
fn format(bytes: &[u8]) -> Option<FileFormat> {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(FileFormat::Png),
        [0xFF, 0xD8, 0xFF, ..] => Some(FileFormat::Jpeg),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(FileFormat::Webp),
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Some(FileFormat::Tiff),
        _ if heic::is_heic(bytes) => Some(FileFormat::Heic),
        _ if text.starts_with(b"%PDF-") => Some(FileFormat::Pdf),
        _ => None,
    }
}

/// Returns whether another program would treat the file as a different format: it would run or unpack it.
fn is_also_something_else(bytes: &[u8], format: FileFormat) -> bool {
    let head = bytes.get(..SNIFFED).unwrap_or(bytes).to_ascii_lowercase();
    let holds = |needle: &[u8]| head.windows(needle.len()).any(|window| window == needle);
    let pdf_inside = format != FileFormat::Pdf && holds(b"%pdf-");
    pdf_inside || holds(b"<html") || holds(b"<script") || holds(b"<?php") || ends_as_zip(bytes)
}

/// Returns whether the file ends like a ZIP archive, which is read from its end: the last record has the length of the
/// comment that ends the file.
fn ends_as_zip(bytes: &[u8]) -> bool {
    let tail = bytes.get(bytes.len().saturating_sub(ZIP_END + ZIP_COMMENT)..).unwrap_or(bytes);
    tail.windows(ZIP_END).enumerate().any(|(at, record)| match record {
        [b'P', b'K', 5, 6, .., low, high] => {
            tail.len() - at - ZIP_END == usize::from(u16::from_le_bytes([*low, *high]))
        }
        _ => false,
    })
}
