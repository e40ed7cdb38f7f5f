//! TIFF: reads every page's directory, then each of its strips or tiles, one at a time.

use std::io::Cursor;

use link_types::archive::{FileFault, MAX_PAGES};
use tiff::decoder::ifd::Value;
use tiff::decoder::{Decoder, DecodingResult};
use tiff::tags::{CompressionMethod, Tag};
use tiff::{TiffError, TiffFormatError, TiffResult};

use super::jpeg::is_unsupported;
use super::{Found, pixels};
use crate::pixels::decode::MAX_DECODED_BYTES;
use crate::pixels::tiff_page;

/// Returns the number of pages, after reading all of them.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let mut decoder = tiff_page::decoder(bytes).map_err(fault)?;
    let mut found = Found { pages: 0, pixels: 0 };
    loop {
        let (width, height) = decoder.dimensions().map_err(fault)?;
        found.pixels = found.pixels.max(pixels(width, height)?);
        tiff_page::samples(&mut decoder).map_err(fault)?.ok_or(FileFault::UnsupportedFormat)?;
        if tiff_page::count_decoded_bytes(&mut decoder).map_err(fault)? > MAX_DECODED_BYTES {
            return Err(FileFault::TooManyPixels);
        }
        if has_unsupported_jpeg(&mut decoder, bytes).map_err(fault)? {
            return Err(FileFault::UnsupportedFormat);
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

/// Returns whether a strip or tile of the page is a JPEG that the decoder would read wrongly.
fn has_unsupported_jpeg(decoder: &mut Decoder<Cursor<&[u8]>>, bytes: &[u8]) -> TiffResult<bool> {
    let coding =
        decoder.find_tag_unsigned::<u16>(Tag::Compression)?.map(CompressionMethod::from_u16_exhaustive);
    if coding != Some(CompressionMethod::ModernJPEG) {
        return Ok(false);
    }
    let mut values = |strips, tiles| {
        let found = decoder.find_tag(strips)?.map_or_else(|| decoder.find_tag(tiles), |it| Ok(Some(it)))?;
        found.map_or(Ok(Vec::new()), Value::into_u64_vec)
    };
    let places = values(Tag::StripOffsets, Tag::TileOffsets)?;
    let lengths = values(Tag::StripByteCounts, Tag::TileByteCounts)?;
    let chunk = |(at, length): (u64, u64)| {
        let at = usize::try_from(at).ok()?;
        bytes.get(at..at.checked_add(usize::try_from(length).ok()?)?)
    };
    Ok(places.into_iter().zip(lengths).filter_map(chunk).any(is_unsupported))
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
