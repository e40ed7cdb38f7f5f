//! The pages of a TIFF as gray pixels, in their orientation. The inspection uses the same rules, so what it accepts can be read.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};
use link_types::archive::MAX_PIXELS;
use tiff::decoder::{BufferLayoutPreference, Decoder, DecodingResult, Limits};
use tiff::tags::{SampleFormat, Tag};
use tiff::{ColorType, TiffResult};

use super::decode::DECODED_BYTES;

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
    let most = usize::try_from(DECODED_BYTES).unwrap_or(usize::MAX);
    let mut limits = Limits::default();
    limits.decoding_buffer_size = most;
    limits.intermediate_buffer_size = most;
    Ok(Decoder::new(Cursor::new(bytes))?.with_limits(limits))
}

/// Returns how the page's samples are read, or `None` if they are not supported.
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
    Ok((planes == 1 && sample_format == SampleFormat::Uint).then_some(samples))
}

/// Returns the page's decoded size, in bytes.
///
/// # Errors
/// If the page's header is damaged.
pub(crate) fn decoded_bytes(decoder: &mut Decoder<Cursor<&[u8]>>) -> TiffResult<u64> {
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
    let read = decoder.read_image().ok()?;
    let samples = if let DecodingResult::U8(samples) = read {
        samples
    } else if let DecodingResult::U16(samples) = read {
        samples.iter().map(|sample| sample.to_be_bytes()[0]).collect()
    } else {
        return None;
    };
    let grey = match kind {
        Samples::Bits(bits) => unpacked(&samples, width, bits),
        Samples::Light(1) => samples,
        Samples::Light(step) => samples.iter().step_by(step.max(1)).copied().collect(),
        Samples::Colour(step) => samples.chunks_exact(step).map(light_of_colour).collect(),
        Samples::Ink(step) => samples.chunks_exact(step).map(light_of_ink).collect(),
    };
    let turn = decoder.find_tag_unsigned(Tag::Orientation).ok().flatten().and_then(Orientation::from_exif);
    let mut page = DynamicImage::ImageLuma8(GrayImage::from_raw(width, height, grey)?);
    page.apply_orientation(turn.unwrap_or(Orientation::NoTransforms));
    Some(page.into_luma8())
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
fn unpacked(packed: &[u8], width: u32, bits: u8) -> Vec<u8> {
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
