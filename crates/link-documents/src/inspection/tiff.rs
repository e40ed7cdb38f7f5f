//! TIFF: reads every page's directory, then each of its strips or tiles, one at a time.

use link_types::archive::{FileFault, MAX_PAGES};
use tiff::decoder::DecodingResult;
use tiff::{TiffError, TiffFormatError};

use super::found::{Found, pixels};
use crate::pixels::decode::DECODED_BYTES;
use crate::pixels::tiff_page;

/// Returns the number of pages, after reading all of them.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let mut decoder = tiff_page::decoder(bytes).map_err(fault)?;
    let mut found = Found { pages: 0, pixels: 0 };
    loop {
        let (width, height) = decoder.dimensions().map_err(fault)?;
        found.pixels = found.pixels.max(pixels(width, height)?);
        tiff_page::samples(&mut decoder).map_err(fault)?.ok_or(FileFault::UnsupportedFormat)?;
        if tiff_page::decoded_bytes(&mut decoder).map_err(fault)? > DECODED_BYTES {
            return Err(FileFault::TooManyPixels);
        }
        let chunks = decoder.strip_count().or_else(|_| decoder.tile_count()).map_err(fault)?;
        for chunk in 0..chunks {
            let _: DecodingResult = decoder.read_chunk(chunk).map_err(fault)?;
        }
        found.pages += 1;
        if found.pages > usize::from(MAX_PAGES) {
            return Err(FileFault::TooManyPages);
        }
        if !decoder.more_images() {
            return Ok(found);
        }
        decoder.next_image().map_err(fault)?;
    }
}

fn fault(error: TiffError) -> FileFault {
    match error {
        TiffError::UnsupportedError(_) => FileFault::UnsupportedFormat,
        TiffError::FormatError(TiffFormatError::TiffSignatureNotFound) => FileFault::UnsupportedFormat,
        TiffError::FormatError(_)
        | TiffError::IoError(_)
        | TiffError::LimitsExceeded
        | TiffError::IntSizeError
        | TiffError::UsageError(_) => FileFault::Damaged,
    }
}
