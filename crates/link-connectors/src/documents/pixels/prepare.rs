//! What is done to a picture before it is read: light, level, noise, size.

use image::GrayImage;
use image::imageops::{self, FilterType};

use super::{light, paper, ruling, skew};

/// The longest side a page is read at: about 270 dots per inch of a letter.
const PAGE: u32 = 3_000;
/// The same of a card, which lies across.
const CARD: u32 = 2_000;
/// Pictures are made larger by no more than this: there is nothing in them to be seen larger still.
const LARGER: f32 = 2.5;

/// The picture as it is read best.
pub(in crate::documents) fn prepare(image: GrayImage) -> GrayImage {
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

/// The picture turned by so many quarters clockwise.
pub(in crate::documents) fn turned(image: &GrayImage, quarters: u8) -> GrayImage {
    match quarters % 4 {
        1 => imageops::rotate90(image),
        2 => imageops::rotate180(image),
        3 => imageops::rotate270(image),
        _ => image.clone(),
    }
}
