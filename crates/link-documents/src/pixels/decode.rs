//! Decodes files to gray pixels, in the camera's orientation.

use std::io::Cursor;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::{DynamicImage, GrayImage, ImageDecoder, ImageReader, Limits, RgbaImage};
use link_types::archive::MAX_PIXELS;

/// The resolution at which PDF pages are drawn, in dots per inch.
const DPI: f32 = 300.0;
/// The maximum length of a drawn PDF page's longer side in pixels, regardless of its size on paper.
const MAX_SIDE: f32 = 4_400.0;
/// The maximum size of a decoded picture, in bytes.
pub(crate) const MAX_DECODED_BYTES: u64 = 400_000_000;

/// Draws a PDF page. Returns `None` if it has no area.
pub(crate) fn pdf_page(page: &PdfPage<'_>) -> Option<GrayImage> {
    let (width, height) = page.render_dimensions();
    let scale = (DPI / 72.0).min(MAX_SIDE / width.max(height).max(1.0));
    if width * scale < 8.0 || height * scale < 8.0 {
        return None;
    }
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE },
    );
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    let grey = pixmap.data().iter().map(|pixel| {
        let light = 299 * u32::from(pixel.r) + 587 * u32::from(pixel.g) + 114 * u32::from(pixel.b);
        u8::try_from(light / 1000).unwrap_or(u8::MAX)
    });
    GrayImage::from_raw(width, height, grey.collect())
}

/// Decodes a PNG, JPEG or WebP. Returns `None` if it is damaged.
pub(crate) fn picture(bytes: &[u8]) -> Option<GrayImage> {
    let mut decoder = decoder(bytes)?;
    let turn = decoder.orientation().ok()?;
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    picture.apply_orientation(turn);
    Some(picture.into_luma8())
}

/// Decodes the main picture of a HEIC, turned as the file says.
///
/// # Errors
/// If the file is damaged, too large or not coded with HEVC.
pub(crate) fn heic(bytes: &[u8]) -> Result<GrayImage, heifer::Error> {
    let options = heifer::Options { max_threads: 1, max_pixels: MAX_PIXELS.into() };
    let picture = heifer::decode_rgba8(bytes, &options)?;
    let picture = RgbaImage::from_raw(picture.width, picture.height, picture.data)
        .ok_or(heifer::Error::Invalid("fewer samples than pixels"))?;
    Ok(DynamicImage::ImageRgba8(picture).into_luma8())
}

/// Returns the decoder of a PNG, JPEG or WebP. `None` if the header is damaged or the decoded picture would be too large.
pub(crate) fn decoder(bytes: &[u8]) -> Option<impl ImageDecoder> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    reader.limits(limits());
    reader.into_decoder().ok().filter(|decoder| decoder.total_bytes() <= MAX_DECODED_BYTES)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    limits
}
