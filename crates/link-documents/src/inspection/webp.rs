//! WebP: the picture is decoded, because a header does not show whether the file is complete.

use std::io::Cursor;

use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder};
use link_types::archive::FileFault;

use super::{Found, pixels};

pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|_| FileFault::Damaged)?;
    let (width, height) = decoder.dimensions();
    let pixels = pixels(width, height)?;
    if decoder.has_animation() {
        return Err(FileFault::UnsupportedFormat);
    }
    DynamicImage::from_decoder(decoder).map_err(|_| FileFault::Damaged)?;
    Ok(Found { pages: 1, pixels })
}
