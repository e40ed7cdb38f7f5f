//! PDF: measures the decompressed size of its streams before a parser sees it, and again as the parser understands it.
//!
//! Our own: hayro decompresses a stream whole, and a dictionary can describe a stream in many ways (ADR 79).

mod filters;
mod flate;
mod lengths;
mod letters;
mod raw;
mod streams;

use hayro::hayro_syntax::{LoadPdfError, Pdf};
use link_types::archive::{FileFault, MAX_PAGES};

use super::Found;
pub(crate) use filters::jpeg;

/// Returns the number of pages and the pixels of the largest picture.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    ends_in_order(bytes)?;
    raw::check(bytes)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => FileFault::Encrypted,
        LoadPdfError::Invalid => FileFault::Damaged,
    })?;
    let pages = pdf.pages().len();
    if pages > usize::from(MAX_PAGES) {
        return Err(FileFault::TooManyPages);
    }
    Ok(Found { pages, pixels: streams::check(&pdf)? })
}

/// Checks that the end marker is present, followed only by padding.
fn ends_in_order(bytes: &[u8]) -> Result<(), FileFault> {
    const END: &[u8] = b"%%EOF";
    let last = bytes.windows(END.len()).rposition(|window| window == END).ok_or(FileFault::Damaged)?;
    let behind = bytes.get(last + END.len()..).unwrap_or_default();
    if behind.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        Ok(())
    } else {
        Err(FileFault::ExtraBytes)
    }
}
