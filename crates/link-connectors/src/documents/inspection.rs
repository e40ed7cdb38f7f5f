//! Identifies a file by its content, and says why it is rejected. Nothing is decoded before its size is known.

mod jpeg;
mod pdf;
mod png;
mod polyglot;
mod tiff;

use link_domain::ports::Inspection;
use link_types::archive::{FileFault, FileFormat, MAX_FILE_BYTES, MAX_PAGES, MAX_PIXELS};

/// What an inspection of one format found.
struct Found {
    pages: usize,
    /// The pixels of the largest picture.
    pixels: u32,
}

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
    let format = format(bytes).ok_or(FileFault::UnsupportedFormat)?;
    if polyglot::is_also_something_else(bytes, format) {
        return Err(FileFault::UnsupportedFormat);
    }
    let Found { pages, pixels } = match format {
        FileFormat::Pdf => pdf::look(bytes),
        FileFormat::Png => png::look(bytes),
        FileFormat::Jpeg => jpeg::look(bytes),
        FileFormat::Tiff => tiff::look(bytes),
    }?;
    let pages =
        u16::try_from(pages).ok().filter(|pages| *pages <= MAX_PAGES).ok_or(FileFault::TooManyPages)?;
    if pages == 0 { Err(FileFault::Damaged) } else { Ok(Inspection { format, pages, pixels }) }
}

/// Identifies the format by the file's first bytes.
fn format(bytes: &[u8]) -> Option<FileFormat> {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(FileFormat::Png),
        [0xFF, 0xD8, 0xFF, ..] => Some(FileFormat::Jpeg),
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Some(FileFormat::Tiff),
        _ if text.starts_with(b"%PDF-") => Some(FileFormat::Pdf),
        _ => None,
    }
}

/// Returns the number of pixels of an image with these sides, if it may be decoded.
fn pixels(width: u32, height: u32) -> Result<u32, FileFault> {
    match u32::try_from(u64::from(width) * u64::from(height)) {
        Ok(0) => Err(FileFault::Damaged),
        Ok(pixels) if pixels <= MAX_PIXELS => Ok(pixels),
        Ok(_) | Err(_) => Err(FileFault::TooManyPixels),
    }
}
