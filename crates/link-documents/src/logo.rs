//! Logos: a picture is decoded, scaled down and encoded again, so that only its pixels remain.

use std::io::Cursor;

use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgba32FImage, RgbaImage};
use link_domain::tenancy::logo::LogoError;
use link_domain::tenancy::logo::{EncodedLogo, LogoBounds, MAX_LOGO_BYTES, MAX_LOGO_SIDE, MIN_LOGO_SIDE};
use serde::{Deserialize, Serialize};

use crate::inspection::is_unsupported;

/// The decoder's memory limit, in bytes. A picture of the maximum size has 34,000,000 at 16 bits per channel.
const DECODER_BYTES: u64 = 64_000_000;

/// Reason why the child rejects a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PictureError {
    /// The file is too large.
    TooLarge,
    /// It is not a PNG, WebP or JPEG, or a JPEG of an unsupported kind.
    Format,
    /// A side is too short or too long.
    Dimensions,
    /// The picture cannot be decoded.
    Damaged,
}

impl From<PictureError> for LogoError {
    fn from(fault: PictureError) -> Self {
        match fault {
            PictureError::TooLarge => Self::TooLarge,
            PictureError::Format => Self::Format,
            PictureError::Dimensions => Self::Dimensions,
            PictureError::Damaged => Self::Damaged,
        }
    }
}

/// Encodes a PNG, JPEG or WebP file as a PNG within the bounds. Of an animation, only the first frame remains.
///
/// # Errors
/// [`PictureError`] if the file is too large or in another format, or cannot be decoded.
pub fn encode(file: &[u8], bounds: LogoBounds) -> Result<EncodedLogo, PictureError> {
    if file.len() > MAX_LOGO_BYTES {
        return Err(PictureError::TooLarge);
    }
    let picture = scale_down(decode(file)?, bounds);
    let side = |length: u32| u16::try_from(length).map_err(|_| PictureError::Dimensions);
    let (width, height) = (side(picture.width())?, side(picture.height())?);
    let mut png = Vec::new();
    picture.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).map_err(|_| PictureError::Damaged)?;
    Ok(EncodedLogo { png, width, height })
}

fn decode(file: &[u8]) -> Result<DynamicImage, PictureError> {
    let format = match file {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => ImageFormat::Png,
        [0xFF, 0xD8, 0xFF, ..] if !is_unsupported(file) => ImageFormat::Jpeg,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ImageFormat::WebP,
        _ => return Err(PictureError::Format),
    };
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODER_BYTES);
    reader.limits(limits);
    let damaged = |_| PictureError::Damaged;
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let fits = |side: u32| (MIN_LOGO_SIDE..=MAX_LOGO_SIDE).contains(&side);
    if !(fits(width) && fits(height) && decoder.total_bytes() <= DECODER_BYTES) {
        return Err(PictureError::Dimensions);
    }
    let turn = decoder.orientation().map_err(damaged)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    picture.apply_orientation(turn);
    Ok(picture)
}

/// Scales a picture down into the bounds and drops everything but its pixels, such as a color profile.
fn scale_down(picture: DynamicImage, bounds: LogoBounds) -> RgbaImage {
    let (width, height) = (picture.width(), picture.height());
    let (most_wide, most_high) = (u32::from(bounds.width), u32::from(bounds.height));
    if width <= most_wide && height <= most_high {
        return RgbaImage::from_raw(width, height, picture.into_rgba8().into_raw()).unwrap_or_default();
    }
    let scale = (f64::from(most_wide) / f64::from(width)).min(f64::from(most_high) / f64::from(height));
    // Both products are at most the bounds, which fit into 16 bits.
    let side = |length: u32, most: u32| ((f64::from(length) * scale).round() as u32).clamp(1, most);
    let (wide, high) = (side(width, most_wide), side(height, most_high));
    let mut pixels = picture.into_rgba32f();
    premultiply(&mut pixels);
    let mut small = image::imageops::resize(&pixels, wide, high, FilterType::CatmullRom);
    divide(&mut small);
    DynamicImage::ImageRgba32F(small).into_rgba8()
}

/// Without this, the color of invisible pixels would show at the edges.
fn premultiply(pixels: &mut Rgba32FImage) {
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        pixel.0 = [red * alpha, green * alpha, blue * alpha, alpha];
    }
}

fn divide(pixels: &mut Rgba32FImage) {
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        pixel.0 = match alpha.clamp(0.0, 1.0) {
            alpha if alpha > 0.0 => {
                let channel = |value: f32| (value / alpha).clamp(0.0, 1.0);
                [channel(red), channel(green), channel(blue), alpha]
            }
            _ => [0.0; 4],
        };
    }
}

#[cfg(test)]
mod tests {
    use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
    use link_domain::tenancy::logo::BRAND_LOGO;
    use rstest::rstest;

    use super::*;

    fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut file = Vec::new();
        picture.write_to(&mut Cursor::new(&mut file), format).unwrap();
        file
    }

    fn picture(width: u32, height: u32) -> DynamicImage {
        DynamicImage::ImageRgb8(image::RgbImage::from_pixel(width, height, image::Rgb([200, 30, 60])))
    }

    #[rstest]
    #[case(ImageFormat::Png)]
    #[case(ImageFormat::Jpeg)]
    #[case(ImageFormat::WebP)]
    fn large_logo_is_scaled_into_the_bounds(#[case] format: ImageFormat) {
        let logo = encode(&file(&picture(1_000, 200), format), BRAND_LOGO).unwrap();
        assert_eq!((logo.width, logo.height), (336, 67));
        let read = image::load_from_memory_with_format(&logo.png, ImageFormat::Png).unwrap();
        let [red, green, blue, alpha] = read.to_rgba8().get_pixel(100, 30).0;
        assert!(red.abs_diff(200) < 6 && green.abs_diff(30) < 6 && blue.abs_diff(60) < 6 && alpha == 255);
    }

    fn sample(sampling: SamplingFactor) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 90);
        encoder.set_sampling_factor(sampling);
        encoder.encode(&[200; 64 * 64 * 3], 64, 64, ColorType::Rgb).unwrap();
        file
    }

    #[test]
    fn small_logo_keeps_its_size() {
        let logo = encode(&file(&picture(32, 20), ImageFormat::Png), BRAND_LOGO).unwrap();
        assert_eq!((logo.width, logo.height), (32, 20));
    }

    #[test]
    fn encoded_logo_contains_only_pixels() {
        let mut sent = Vec::new();
        let mut encoder = png::Encoder::new(&mut sent, 40, 40);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.add_text_chunk("Comment".to_owned(), "canary".to_owned()).unwrap();
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[200; 1_600]).unwrap();
        writer.finish().unwrap();
        sent.extend_from_slice(b"<script>canary</script>");
        let logo = encode(&sent, BRAND_LOGO).unwrap();
        assert!(!logo.png.windows(6).any(|it| it == b"canary"));
    }

    #[test]
    fn color_of_invisible_pixels_does_not_show_at_edges() {
        let half = |x: u32| if x < 400 { [255, 255, 255, 255] } else { [0, 0, 0, 0] };
        let picture = RgbaImage::from_fn(800, 200, |x, _| image::Rgba(half(x)));
        let logo = encode(&file(&DynamicImage::ImageRgba8(picture), ImageFormat::Png), BRAND_LOGO).unwrap();
        let read = image::load_from_memory(&logo.png).unwrap().to_rgba8();
        assert!(read.pixels().all(|it| it.0[3] == 0 || it.0[0] > 250));
    }

    #[rstest]
    #[case::svg(b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), PictureError::Format)]
    #[case::gif(b"GIF89a\x01\x00\x01\x00".to_vec(), PictureError::Format)]
    #[case::jpeg_that_is_decoded_wrongly(sample(SamplingFactor::R_4_4_1), PictureError::Format)]
    #[case::empty(Vec::new(), PictureError::Format)]
    #[case::too_small(file(&picture(15, 40), ImageFormat::Png), PictureError::Dimensions)]
    #[case::too_wide(file(&picture(2_049, 40), ImageFormat::Png), PictureError::Dimensions)]
    #[case::too_many_bytes(vec![0; MAX_LOGO_BYTES + 1], PictureError::TooLarge)]
    #[case::cut(file(&picture(400, 400), ImageFormat::Png)[..60].to_vec(), PictureError::Damaged)]
    fn unsuitable_picture_is_rejected(#[case] sent: Vec<u8>, #[case] fault: PictureError) {
        assert_eq!(encode(&sent, BRAND_LOGO), Err(fault));
    }
}
