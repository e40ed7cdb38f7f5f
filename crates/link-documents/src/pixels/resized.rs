//! Resizes pages.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::GrayImage;

/// Resizes a page. A page or a size without pixels becomes white.
pub(super) fn resize(image: &GrayImage, width: u32, height: u32, filter: FilterType) -> GrayImage {
    let mut target = Image::new(width, height, PixelType::U8);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter));
    let is_resized = ImageRef::new(image.width(), image.height(), image.as_raw(), PixelType::U8)
        .is_ok_and(|source| Resizer::new().resize(&source, &mut target, &options).is_ok());
    let white = || GrayImage::from_pixel(width, height, image::Luma([255]));
    if is_resized {
        GrayImage::from_raw(width, height, target.into_vec()).unwrap_or_else(white)
    } else {
        white()
    }
}
