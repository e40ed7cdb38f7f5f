//! Prepares a picture for text recognition: lighting, rotation, noise and size.

use fast_image_resize::FilterType;
use hayro::kurbo::{Affine, Point};
use image::GrayImage;
use image::imageops;

use super::resize;
use super::{light, paper, ruling, skew};
use crate::page::Frame;

/// The longest side of a page, in pixels: about 270 dots per inch for a letter.
const MAX_PAGE_SIDE: u32 = 3_000;
/// The longest side of a card in landscape format, in pixels.
const MAX_CARD_SIDE: u32 = 2_000;
/// The maximum enlargement. Larger pictures would show no more detail.
const MAX_ENLARGEMENT: f32 = 2.5;

/// A picture in the form that is recognized best.
pub(crate) struct Prepared {
    image: GrayImage,
    /// The clockwise rotation of the page before it was made level, in degrees.
    angle: f32,
}

impl Prepared {
    /// Turns it clockwise by this number of quarters, which is even.
    pub fn rotate(&self, quarters: u8) -> GrayImage {
        rotate(&self.image, quarters)
    }

    /// Returns the map from the turned picture to fractions of the page. `on_side`: whether the page was turned clockwise by a
    /// quarter before it was prepared.
    pub fn frame(&self, quarters: u8, on_side: bool) -> Frame {
        let (width, height) = (f64::from(self.image.width()), f64::from(self.image.height()));
        let turn_back =
            if quarters == 2 { Affine::new([-1.0, 0.0, 0.0, -1.0, width, height]) } else { Affine::IDENTITY };
        let middle = Point::new(width / 2.0, height / 2.0);
        let tilt = Affine::rotate_about(f64::from(self.angle).to_radians(), middle);
        let fractions = Affine::scale_non_uniform(1.0 / width, 1.0 / height);
        let lie_down = if on_side { Affine::new([0.0, -1.0, 1.0, 0.0, 0.0, 1.0]) } else { Affine::IDENTITY };
        Frame::new(lie_down * fractions * tilt * turn_back)
    }
}

/// Returns the picture in the form that is recognized best.
pub(crate) fn prepare(image: GrayImage) -> Prepared {
    let (width, height) = image.dimensions();
    let longest = if width > height { MAX_CARD_SIDE } else { MAX_PAGE_SIDE };
    let scale = (longest as f32 / width.max(height).max(1) as f32).min(MAX_ENLARGEMENT);
    let image = if (0.9..1.15).contains(&scale) {
        image
    } else {
        let side = |length: u32| ((length as f32 * scale) as u32).max(1);
        resize(&image, side(width), side(height), FilterType::CatmullRom)
    };
    let (image, angle) = skew::deskew(light::even(&paper::alone(image)));
    let image = blur(&image);
    Prepared { image: ruling::without(&image), angle }
}

/// Blurs a picture by the weights 1, 2 and 1, like a Gaussian of 0.7 pixels.
/// Our own: with [`skew`], a scan took 1.36 times as long as Tesseract alone, and 1.56 times with imageproc (docs/benchmarks.md).
fn blur(image: &GrayImage) -> GrayImage {
    let blend = |one: u8, middle: u8, other: u8| {
        ((u16::from(one) + 2 * u16::from(middle) + u16::from(other) + 2) / 4) as u8
    };
    let width = image.width() as usize;
    let mut across = image.clone();
    let lines = across.chunks_exact_mut(width.max(1)).zip(image.as_raw().chunks_exact(width.max(1)));
    for (to, from) in lines {
        let inner = to.iter_mut().skip(1).zip(from.windows(3));
        for (pixel, near) in inner {
            if let [one, middle, other] = near {
                *pixel = blend(*one, *middle, *other);
            }
        }
    }
    let mut blurred = across.clone();
    let rows: Vec<&[u8]> = across.as_raw().chunks_exact(width.max(1)).collect();
    for (to, near) in blurred.chunks_exact_mut(width.max(1)).skip(1).zip(rows.windows(3)) {
        if let [above, row, below] = near {
            for (((pixel, one), middle), other) in to.iter_mut().zip(*above).zip(*row).zip(*below) {
                *pixel = blend(*one, *middle, *other);
            }
        }
    }
    blurred
}

/// Rotates a picture clockwise by this number of quarter turns.
pub(crate) fn rotate(image: &GrayImage, quarters: u8) -> GrayImage {
    match quarters % 4 {
        1 => imageops::rotate90(image),
        2 => imageops::rotate180(image),
        3 => imageops::rotate270(image),
        _ => image.clone(),
    }
}
