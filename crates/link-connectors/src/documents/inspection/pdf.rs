//! PDF: what its streams unfold to is measured before a parser sees it.

use hayro::hayro_syntax::{LoadPdfError, Pdf};
use link_types::archive::FileFault;

use super::{Found, pdf_streams};

/// The pages.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    ends_in_order(bytes)?;
    let pixels = pdf_streams::check(bytes)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => FileFault::Encrypted,
        LoadPdfError::Invalid => FileFault::Damaged,
    })?;
    Ok(Found { pages: pdf.pages().len(), pixels })
}

/// The end marker must be there, with nothing but padding behind it.
fn ends_in_order(bytes: &[u8]) -> Result<(), FileFault> {
    const END: &[u8] = b"%%EOF";
    let last = bytes.windows(END.len()).rposition(|window| window == END).ok_or(FileFault::Damaged)?;
    let behind = bytes.get(last + END.len()..).unwrap_or_default();
    if behind.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        Ok(())
    } else {
        Err(FileFault::UnsupportedFormat)
    }
}
