//! Simulates a phone's photo of a page on a table: perspective, shadow, blur and grain.

use image::{GrayImage, Luma};
use imageproc::filter::gaussian_blur_f32;
use imageproc::geometric_transformations::{Border, Interpolation, Projection, warp_into};

use super::draw::Draw;
use super::scan::grain_over;

/// Photographs a page on a darker table.
pub fn photo(page: &GrayImage, draw: &mut Draw) -> GrayImage {
    let (width, height) = (page.width() as f32, page.height() as f32);
    let border = width * draw.real(0.03, 0.07);
    let (out_width, out_height) = (width + 2.0 * border, height + 2.0 * border);
    let mut corner = |x: f32, y: f32| {
        let reach = width * 0.022;
        (x + border + draw.real(-reach, reach), y + border + draw.real(-reach, reach))
    };
    let to = [corner(0.0, 0.0), corner(width, 0.0), corner(width, height), corner(0.0, height)];
    let from = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    let projection = Projection::from_control_points(from, to).unwrap();
    let table = Luma([draw.number(60, 120) as u8]);
    let mut image = GrayImage::new(out_width as u32, out_height as u32);
    warp_into(page, projection, Interpolation::Bilinear, Border::Constant(table), &mut image);
    shade(&mut image, draw);
    let mut image = gaussian_blur_f32(&image, draw.real(0.5, 1.1));
    let grain = draw.real(4.0, 12.0);
    grain_over(&mut image, 1.0, grain, draw);
    image
}

/// Darkens the image towards one side and adds a soft shadow.
fn shade(image: &mut GrayImage, draw: &mut Draw) {
    let (width, height) = (image.width() as f32, image.height() as f32);
    let (across, down) = (draw.real(-0.28, 0.28), draw.real(-0.2, 0.2));
    let (sx, sy, reach, depth) =
        (draw.real(0.0, 1.0), draw.real(0.0, 1.0), draw.real(0.25, 0.5), draw.real(0.1, 0.4));
    for (x, y, Luma([value])) in image.enumerate_pixels_mut() {
        let (u, v) = (x as f32 / width, y as f32 / height);
        let away = ((u - sx).powi(2) + (v - sy).powi(2)).sqrt() / reach;
        let shadow = 1.0 - depth * (1.0 - away).clamp(0.0, 1.0);
        let light = (0.88 + across * (u - 0.5) + down * (v - 0.5)) * shadow;
        *value = (f32::from(*value) * light).clamp(0.0, 255.0) as u8;
    }
}
