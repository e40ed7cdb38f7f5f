//! The pages of a TIFF as gray pixels, in their orientation. The inspection uses the same rules, so what it accepts can be read.

use std::io::Cursor;

use image::imageops::{self, FilterType};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};
use link_types::archive::MAX_PIXELS;
use tiff::decoder::ifd::Value;
use tiff::decoder::{BufferLayoutPreference, Decoder, DecodingResult, Limits};
use tiff::tags::{SampleFormat, Tag};
use tiff::{ColorType, TiffResult};

use super::decode::MAX_DECODED_BYTES;

/// The maximum number of pixels of a page after it is corrected.
const MAX_STRETCHED_PIXELS: f64 = 25_000_000.0;

/// How a page's samples represent light.
#[derive(Clone, Copy)]
pub(crate) enum Samples {
    /// Samples of this number of bits, several in a byte.
    Bits(u8),
    /// This number of samples per pixel. The first one is its brightness.
    Light(usize),
    /// This number of samples per pixel, starting with red, green and blue.
    Colour(usize),
    /// This number of samples per pixel, starting with cyan, magenta, yellow and black.
    Ink(usize),
}

/// Returns a file's decoder, at its first page.
///
/// # Errors
/// If the file's header is damaged.
pub(crate) fn decoder(bytes: &[u8]) -> TiffResult<Decoder<Cursor<&[u8]>>> {
    let most = usize::try_from(MAX_DECODED_BYTES).unwrap_or(usize::MAX);
    let mut limits = Limits::default();
    limits.decoding_buffer_size = most;
    limits.intermediate_buffer_size = most;
    Ok(Decoder::new(Cursor::new(bytes))?.with_limits(limits))
}

/// Returns how the page's samples are read, or `None` if they are not supported. The browser checks the same before an
/// upload (`www/frame/uploads/tiff.ts`).
///
/// # Errors
/// If the page's header is damaged.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other kinds are unsupported, including future ones")]
pub(crate) fn samples(decoder: &mut Decoder<Cursor<&[u8]>>) -> TiffResult<Option<Samples>> {
    let samples = match decoder.colortype()? {
        ColorType::Gray(bits @ (1 | 2 | 4)) => Samples::Bits(bits),
        ColorType::Gray(8 | 16) | ColorType::GrayA(8 | 16) => Samples::Light(1),
        ColorType::Multiband { bit_depth: 8 | 16, num_samples } => Samples::Light(num_samples.into()),
        ColorType::YCbCr(8) => Samples::Light(3),
        ColorType::RGB(8 | 16) => Samples::Colour(3),
        ColorType::RGBA(8 | 16) => Samples::Colour(4),
        ColorType::CMYK(8 | 16) => Samples::Ink(4),
        ColorType::CMYKA(8 | 16) => Samples::Ink(5),
        _ => return Ok(None),
    };
    let BufferLayoutPreference { planes, sample_format, .. } = decoder.image_buffer_layout()?;
    // The decoder reads bits from the highest one only.
    let is_in_order = decoder.find_tag_unsigned::<u16>(Tag::FillOrder)?.unwrap_or(1) == 1;
    let is_read = planes == 1 || planes == usize::from(decoder.colortype()?.num_samples());
    Ok((is_read && is_in_order && sample_format == SampleFormat::Uint).then_some(samples))
}

/// Returns the page's decoded size, in bytes.
///
/// # Errors
/// If the page's header is damaged.
pub(crate) fn count_decoded_bytes(decoder: &mut Decoder<Cursor<&[u8]>>) -> TiffResult<u64> {
    Ok(decoder.image_buffer_layout()?.complete_len as u64)
}

/// Decodes the pages of a file one at a time. A page that cannot be decoded is `None`, and the last one.
pub(crate) fn pages(bytes: &[u8]) -> impl Iterator<Item = Option<GrayImage>> {
    let mut decoder = decoder(bytes).ok();
    let mut at_end = false;
    std::iter::from_fn(move || {
        if at_end {
            return None;
        }
        let page = decoder.as_mut().and_then(page);
        let more = decoder.as_ref().is_some_and(Decoder::more_images);
        at_end = page.is_none() || !more;
        if !at_end && decoder.as_mut().is_none_or(|decoder| decoder.next_image().is_err()) {
            decoder = None;
        }
        Some(page)
    })
}

fn page(decoder: &mut Decoder<Cursor<&[u8]>>) -> Option<GrayImage> {
    let (width, height) = decoder.dimensions().ok()?;
    if u64::from(width) * u64::from(height) > u64::from(MAX_PIXELS) {
        return None;
    }
    let kind = samples(decoder).ok()??;
    let mut read = DecodingResult::U8(Vec::new());
    let layout = decoder.read_image_to_buffer(&mut read).ok()?;
    let samples = if let DecodingResult::U8(samples) = read {
        samples
    } else if let DecodingResult::U16(samples) = read {
        samples.iter().map(|sample| sample.to_be_bytes()[0]).collect()
    } else {
        return None;
    };
    let samples = if layout.planes > 1 { interleave(&samples, layout.planes) } else { samples };
    let grey = match kind {
        Samples::Bits(bits) => unpack(&samples, width, bits),
        Samples::Light(1) => samples,
        Samples::Light(step) => samples.iter().step_by(step.max(1)).copied().collect(),
        Samples::Colour(step) => samples.chunks_exact(step).map(light_of_colour).collect(),
        Samples::Ink(step) => samples.chunks_exact(step).map(light_of_ink).collect(),
    };
    let turn = decoder.find_tag_unsigned(Tag::Orientation).ok().flatten().and_then(Orientation::from_exif);
    let page = square(GrayImage::from_raw(width, height, grey)?, decoder);
    let mut page = DynamicImage::ImageLuma8(page);
    page.apply_orientation(turn.unwrap_or(Orientation::NoTransforms));
    Some(page.into_luma8())
}

/// Puts the samples of a pixel next to each other. They are stored plane by plane.
fn interleave(samples: &[u8], planes: usize) -> Vec<u8> {
    let pixels = samples.len() / planes;
    let sample =
        |pixel: usize, plane: usize| samples.get(plane * pixels + pixel).copied().unwrap_or_default();
    (0..pixels).flat_map(|pixel| (0..planes).map(move |plane| sample(pixel, plane))).collect()
}

/// Corrects a page whose pixels are not square, as those of a fax. The side with more dots stays.
fn square(page: GrayImage, decoder: &mut Decoder<Cursor<&[u8]>>) -> GrayImage {
    const STRETCHED: f64 = 1.2;
    const MAX_STRETCHED: f64 = 4.5;
    let mut resolution = |tag| match decoder.find_tag(tag) {
        Ok(Some(Value::Rational(dots, length))) => f64::from(dots) / f64::from(length),
        _ => f64::NAN,
    };
    let stretch = resolution(Tag::XResolution) / resolution(Tag::YResolution);
    let (width, height) = (f64::from(page.width()), f64::from(page.height()));
    let (wide, high) = match stretch {
        stretch if (STRETCHED..MAX_STRETCHED).contains(&stretch) => (width, height * stretch),
        stretch if (STRETCHED..MAX_STRETCHED).contains(&stretch.recip()) => (width / stretch, height),
        _ => return page,
    };
    // Enlarging needs sixteen bytes for each pixel.
    if wide * high > MAX_STRETCHED_PIXELS {
        return page;
    }
    imageops::resize(&page, (wide as u32).max(1), (high as u32).max(1), FilterType::Triangle)
}

fn light_of_colour(pixel: &[u8]) -> u8 {
    match pixel {
        [r, g, b, ..] => light(*r, *g, *b),
        _ => 0,
    }
}

fn light_of_ink(pixel: &[u8]) -> u8 {
    match pixel {
        [c, m, y, k, ..] => {
            let left =
                |ink: u8| u8::try_from(u16::from(255 - ink) * u16::from(255 - k) / 255).unwrap_or(u8::MAX);
            light(left(*c), left(*m), left(*y))
        }
        _ => 0,
    }
}

fn light(r: u8, g: u8, b: u8) -> u8 {
    let light = 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b);
    u8::try_from(light / 1000).unwrap_or(u8::MAX)
}

/// Unpacks rows of samples with a few bits each. Every row begins with a new byte.
fn unpack(packed: &[u8], width: u32, bits: u8) -> Vec<u8> {
    let (width, in_byte) = (width as usize, 8 / usize::from(bits));
    let (mask, full) = (u8::MAX >> (8 - bits), u8::MAX / (u8::MAX >> (8 - bits)));
    packed
        .chunks(width.div_ceil(in_byte).max(1))
        .flat_map(|row| {
            (0..width).map(move |x| {
                let byte = row.get(x / in_byte).copied().unwrap_or(0);
                let below = (in_byte - 1 - x % in_byte) * usize::from(bits);
                ((byte >> below) & mask) * full
            })
        })
        .collect()
}
