//! From files to grey pixels, upright as the camera held them.

use std::io::Cursor;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::{DynamicImage, GrayImage, ImageDecoder, ImageReader, Limits};
use link_types::archive::MAX_PIXELS;

/// Dots per inch at which PDF pages are drawn.
const DPI: f32 = 300.0;
/// The longest side of a drawn PDF page, whatever its size on paper.
const LONGEST: f32 = 4_400.0;
/// Bytes the decoder of an image may hold.
const DECODER_BYTES: u64 = 400_000_000;

/// Draws a PDF page; null when it has no area.
pub(in crate::documents) fn pdf_page(page: &PdfPage<'_>) -> Option<GrayImage> {
    let (width, height) = page.render_dimensions();
    let scale = (DPI / 72.0).min(LONGEST / width.max(height).max(1.0));
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

/// Decodes a PNG or JPEG; null when it is damaged.
pub(in crate::documents) fn picture(bytes: &[u8]) -> Option<GrayImage> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    reader.limits(limits());
    let mut decoder = reader.into_decoder().ok()?;
    let turn = decoder.orientation().ok()?;
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    picture.apply_orientation(turn);
    Some(picture.into_luma8())
}

/// Decodes the pages of a TIFF, one at a time; stops at the first that is damaged.
pub(in crate::documents) fn tiff_pages(bytes: &[u8]) -> impl Iterator<Item = GrayImage> {
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(bytes)).ok();
    std::iter::from_fn(move || {
        let current = decoder.as_mut()?;
        let page = tiff_page(current);
        if page.is_none() || !current.more_images() || current.next_image().is_err() {
            decoder = None;
        }
        page
    })
}

fn tiff_page(decoder: &mut tiff::decoder::Decoder<Cursor<&[u8]>>) -> Option<GrayImage> {
    use tiff::ColorType;
    use tiff::decoder::DecodingResult;
    let (width, height) = decoder.dimensions().ok()?;
    if u64::from(width) * u64::from(height) > u64::from(MAX_PIXELS) {
        return None;
    }
    let colour = decoder.colortype().ok()?;
    let read = decoder.read_image().ok()?;
    let samples = if let DecodingResult::U8(samples) = read {
        samples
    } else if let DecodingResult::U16(samples) = read {
        samples.iter().map(|sample| sample.to_be_bytes()[0]).collect()
    } else {
        return None;
    };
    let grey = |step: usize| samples.chunks_exact(step).map(luma).collect();
    let grey: Vec<u8> = if colour == ColorType::Gray(1) {
        bits(&samples, width)
    } else if matches!(colour, ColorType::Gray(8 | 16)) {
        samples
    } else if matches!(colour, ColorType::RGB(8 | 16)) {
        grey(3)
    } else if matches!(colour, ColorType::RGBA(8 | 16)) {
        grey(4)
    } else {
        return None;
    };
    GrayImage::from_raw(width, height, grey)
}

fn luma(pixel: &[u8]) -> u8 {
    match pixel {
        [r, g, b, ..] => {
            let light = 299 * u32::from(*r) + 587 * u32::from(*g) + 114 * u32::from(*b);
            u8::try_from(light / 1000).unwrap_or(u8::MAX)
        }
        _ => 0,
    }
}

/// Rows of bits, each row beginning a byte.
fn bits(packed: &[u8], width: u32) -> Vec<u8> {
    let width = width as usize;
    packed
        .chunks(width.div_ceil(8).max(1))
        .flat_map(|row| {
            (0..width).map(move |x| row.get(x / 8).map_or(0, |byte| (byte >> (7 - x % 8)) & 1) * 255)
        })
        .collect()
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODER_BYTES);
    limits
}
