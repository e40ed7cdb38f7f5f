//! Prepares a picture for text recognition: lighting, rotation, noise and size.

use image::GrayImage;
use image::imageops::{self, FilterType};

use super::{light, paper, ruling, skew};

/// The longest side of a page, in pixels: about 270 dots per inch for a letter.
const PAGE: u32 = 3_000;
/// The longest side of a card in landscape format, in pixels.
const CARD: u32 = 2_000;
/// The maximum enlargement. Larger pictures would show no more detail.
const LARGER: f32 = 2.5;

/// Returns the picture in the form that is recognized best.
pub(crate) fn prepare(image: GrayImage) -> GrayImage {
    let (width, height) = image.dimensions();
    let longest = if width > height { CARD } else { PAGE };
    let scale = (longest as f32 / width.max(height).max(1) as f32).min(LARGER);
    let image = if (0.9..1.15).contains(&scale) {
        image
    } else {
        let side = |length: u32| ((length as f32 * scale) as u32).max(1);
        imageops::resize(&image, side(width), side(height), FilterType::CatmullRom)
    };
    let image = skew::levelled(light::even(&paper::alone(image)));
    let image = imageproc::filter::gaussian_blur_f32(&image, 0.7);
    ruling::without(&image)
}

/// Rotates a picture clockwise by this number of quarter turns.
pub(crate) fn turned(image: &GrayImage, quarters: u8) -> GrayImage {
    match quarters % 4 {
        1 => imageops::rotate90(image),
        2 => imageops::rotate180(image),
        3 => imageops::rotate270(image),
        _ => image.clone(),
    }
}
