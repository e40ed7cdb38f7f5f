//! Pages as gray pixels, prepared for text recognition.

pub(crate) mod decode;
mod light;
pub(crate) mod marks;
mod paper;
pub(crate) mod prepare;
mod ruling;
mod skew;
pub(crate) mod tiff_page;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::GrayImage;

/// Resizes a page. A page or a size without pixels becomes white.
fn resize(image: &GrayImage, width: u32, height: u32, filter: FilterType) -> GrayImage {
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter));
    let mut target = GrayImage::from_pixel(width, height, image::Luma([255]));
    // Typed: `resize` contains the code of each type of pixel, which is 3 MB of the program.
    let source = TypedImageRef::<U8>::from_buffer(image.width(), image.height(), image.as_raw());
    let resized = TypedImage::<U8>::from_buffer(width, height, &mut target);
    if let (Ok(source), Ok(mut resized)) = (source, resized) {
        // An image that cannot be resized stays white.
        Resizer::new().resize_typed(&source, &mut resized, &options).unwrap_or_default();
    }
    target
}
