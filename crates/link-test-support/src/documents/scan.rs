//! Simulates a flatbed scanner: a slight rotation, off-white paper and grain.

use image::{GrayImage, Luma};
use imageproc::geometric_transformations::{Border, Interpolation, rotate_about_center};

use super::draw::Draw;

/// Scans a page.
pub fn scan(page: &GrayImage, draw: &mut Draw) -> GrayImage {
    let turn = draw.real(-1.4, 1.4).to_radians();
    let mut image = rotate_about_center(page, turn, Interpolation::Bilinear, Border::Constant(Luma([250])));
    let (paper, grain) = (draw.real(0.9, 1.0), draw.real(4.0, 16.0));
    grain_over(&mut image, paper, grain, draw);
    image
}

/// Darkens an image evenly and adds grain.
pub fn grain_over(image: &mut GrayImage, light: f32, grain: f32, draw: &mut Draw) {
    for Luma([value]) in image.pixels_mut() {
        let noise = draw.real(-grain, grain) + draw.real(-grain, grain);
        *value = (f32::from(*value) * light + noise).clamp(0.0, 255.0) as u8;
    }
}
