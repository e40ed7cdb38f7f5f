//! HEIC: the picture is decoded, because a header does not show whether the file is complete.

use heifer::Error;
use heifer::heifer_isobmff::HeifFile;
use link_types::archive::FileFault;

use super::found::{Found, pixels};
use crate::pixels::decode;

/// Returns whether a file says that it contains an HEVC picture. AVIF pictures have other brands.
pub(super) fn is_heic(bytes: &[u8]) -> bool {
    let [s3, s2, s1, s0, b'f', b't', b'y', b'p', brands @ ..] = bytes else { return false };
    let size = u32::from_be_bytes([*s3, *s2, *s1, *s0]) as usize;
    let brands = brands.get(..size.saturating_sub(8)).unwrap_or(brands);
    brands.chunks_exact(4).any(|brand| matches!(brand, [b'h', b'e', b'i', b'c' | b'x' | b'm' | b's']))
}

pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let file = HeifFile::parse(bytes).map_err(|_| FileFault::Damaged)?;
    if let Some((width, height)) = file.image_size(file.primary_id).map_err(|_| FileFault::Damaged)? {
        pixels(width, height)?;
    }
    if let Ok(grid) = file.grid(file.primary_id) {
        pixels(grid.output_width, grid.output_height)?;
    }
    let picture = decode::heic(bytes).map_err(fault)?;
    Ok(Found { pages: 1, pixels: pixels(picture.width(), picture.height())? })
}

fn fault(error: Error) -> FileFault {
    match error {
        Error::Unsupported(_) => FileFault::UnsupportedFormat,
        Error::Container(_) | Error::Hevc(_) | Error::Encode(_) | Error::Invalid(_) => FileFault::Damaged,
    }
}
