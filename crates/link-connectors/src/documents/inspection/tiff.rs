//! TIFF: every page's directory, then every strip or tile of it, one at a time.

use std::io::Cursor;

use link_types::archive::{FileFault, MAX_PAGES};
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::{TiffError, TiffFormatError};

use super::{Found, pixels};

/// Bytes one strip or tile may unfold to: a page of the most pixels, in colour.
const STRIP_BYTES: usize = 256_000_000;

/// The pages, once all of them could be read.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let mut limits = Limits::default();
    limits.decoding_buffer_size = STRIP_BYTES;
    limits.intermediate_buffer_size = STRIP_BYTES;
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(fault)?.with_limits(limits);
    let mut found = Found { pages: 0, pixels: 0 };
    loop {
        let (width, height) = decoder.dimensions().map_err(fault)?;
        found.pixels = found.pixels.max(pixels(width, height)?);
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
