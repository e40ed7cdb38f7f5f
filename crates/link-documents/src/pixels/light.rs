//! Evens out the lighting: removes shadows and gradients, and keeps the ink.

use fast_image_resize::FilterType;
use image::{GrayImage, Luma};

use super::resize;

/// The cell size of the coarse picture of the paper, in pixels.
const CELL: u32 = 16;

/// Divides every pixel by the paper's brightness at its position.
pub(super) fn even(image: &GrayImage) -> GrayImage {
    let paper = paper(image);
    let mut even = image.clone();
    for (pixel, Luma([light])) in even.pixels_mut().zip(paper.pixels()) {
        let Luma([value]) = *pixel;
        let lit = u32::from(value) * 245 / u32::from(*light).max(1);
        *pixel = Luma([u8::try_from(lit).unwrap_or(u8::MAX)]);
    }
    even
}

/// Returns the paper without the ink: the light tones of each cell, spread over neighbors that are all ink, and
/// smoothed.
fn paper(image: &GrayImage) -> GrayImage {
    let (width, height) = image.dimensions();
    let (columns, rows) = (width.div_ceil(CELL), height.div_ceil(CELL));
    let coarse = GrayImage::from_fn(columns, rows, |column, row| {
        let mut counts = [0_u32; 256];
        let (right, bottom) = (((column + 1) * CELL).min(width), ((row + 1) * CELL).min(height));
        for y in row * CELL..bottom {
            for x in column * CELL..right {
                let Luma([value]) = *image.get_pixel(x, y);
                if let Some(count) = counts.get_mut(usize::from(value)) {
                    *count += 1;
                }
            }
        }
        Luma([lightest(&counts)])
    });
    let spread = imageproc::filter::median_filter(&dilate(&dilate(&coarse)), 2, 2);
    let smooth = imageproc::filter::gaussian_blur_f32(&spread, 1.5);
    resize(&smooth, width, height, FilterType::Bilinear)
}

/// Returns the tone that a tenth of the pixels exceed.
fn lightest(counts: &[u32; 256]) -> u8 {
    let all: u32 = counts.iter().sum();
    let mut lighter = 0;
    for (tone, count) in counts.iter().enumerate().rev() {
        lighter += count;
        if lighter * 10 >= all {
            return u8::try_from(tone).unwrap_or(u8::MAX);
        }
    }
    0
}

/// Makes each cell as light as its lightest neighbor.
fn dilate(image: &GrayImage) -> GrayImage {
    let (width, height) = image.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        let around = (y.saturating_sub(1)..=(y + 1).min(height - 1))
            .flat_map(|y| (x.saturating_sub(1)..=(x + 1).min(width - 1)).map(move |x| (x, y)));
        Luma([around.map(|(x, y)| image.get_pixel(x, y).0[0]).max().unwrap_or(255)])
    })
}
