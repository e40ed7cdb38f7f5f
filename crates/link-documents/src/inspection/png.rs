//! PNG: rows are decompressed one by one and dropped, so that a false header costs no memory.

use std::io::Cursor;

use link_types::archive::FileFault;

use super::{Found, pixels};
use crate::pixels::decode;

/// The decoder's memory limit, in bytes: a few of the widest allowed rows, and text and color profile chunks.
const DECODER_BYTES: usize = 64_000_000;

/// Checks that every row is present and every checksum is correct. Viewers ignore what follows the end.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: DECODER_BYTES });
    decoder.ignore_checksums(false);
    let header = decoder.read_header_info().map_err(into_fault)?;
    let pixels = pixels(header.width, header.height)?;
    let mut reader = decoder.read_info().map_err(into_fault)?;
    if reader.info().animation_control.is_some() {
        return Err(FileFault::UnsupportedFormat);
    }
    // The reader decodes the whole image.
    decode::decoder(bytes).ok_or(FileFault::TooManyPixels)?;
    while reader.next_row().map_err(into_fault)?.is_some() {}
    reader.finish().map_err(into_fault)?;
    Ok(Found { pages: 1, pixels })
}

fn into_fault(_: png::DecodingError) -> FileFault {
    FileFault::Damaged
}
