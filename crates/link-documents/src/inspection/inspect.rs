//! The inspection of a whole file, of any format.

use link_domain::documents::document_reader::Inspection;
use link_types::archive::{FileFault, FileFormat, MAX_FILE_BYTES, MAX_PAGES};

use super::found::Found;
use super::{heic, jpeg, pdf, png, polyglot, tiff, webp};

/// How many bytes of a file other readers search for the header of a PDF.
const PDF_HEAD: usize = 1024;

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
    if polyglot::is_also_something_else(bytes, format) {
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
