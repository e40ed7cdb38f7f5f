//! Corrects a page's rotation: level lines of text give the sharpest row profile.

use fast_image_resize::FilterType;
use image::{GrayImage, Luma};

use super::resize;

/// The width at which the angle is searched.
const SEARCHED: u32 = 800;
/// The maximum height at that width. A longer strip is not a page.
const MAX_HEIGHT: u64 = 8 * SEARCHED as u64;
/// The maximum angle, in degrees.
const MAX_ANGLE: f32 = 15.0;
/// How far rows of ink move at that angle, and a little more, in pixels of the searched width.
const MOVED: f32 = 130.0;
/// The number of dark pixels that are enough to find the angle roughly. With a fifth of the pixels of a page of 20 words, wrong
/// angles of 14° looked better than the right one.
const MAX_SAMPLE: usize = 40_000;
/// Smaller angles are not corrected.
const SMALL: f32 = 0.12;

/// Rotates the page so that its lines are level. Also returns its clockwise rotation before, in degrees.
pub(super) fn deskew(image: GrayImage) -> (GrayImage, f32) {
    let angle = angle(&image);
    if angle.abs() < SMALL {
        return (image, 0.0);
    }
    (turn_back(&image, angle), angle)
}

/// Rotates a picture counterclockwise around its middle, and fills the corners with white.
/// Our own, like the blur in `prepare`: imageproc calculates with floating-point numbers.
fn turn_back(image: &GrayImage, degrees: f32) -> GrayImage {
    /// The number of fractional bits of a position.
    const BITS: u32 = 16;
    let fixed = |value: f32| (value * (1 << BITS) as f32) as i32;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (middle_x, middle_y) = (width as f32 / 2.0 - 0.5, height as f32 / 2.0 - 0.5);
    let pixels = image.as_raw();
    let mut level = GrayImage::from_pixel(image.width(), image.height(), Luma([255]));
    for (y, row) in level.chunks_exact_mut(width.max(1)).enumerate() {
        let down = y as f32 - middle_y;
        let mut x = fixed(middle_x - middle_x * cos - down * sin);
        let mut y = fixed(middle_y - middle_x * sin + down * cos);
        for pixel in row {
            let (Ok(left), Ok(top)) = (usize::try_from(x >> BITS), usize::try_from(y >> BITS)) else {
                (x, y) = (x + fixed(cos), y + fixed(sin));
                continue;
            };
            if left + 1 < width && top + 1 < height {
                let at = top * width + left;
                let upper = pixels.get(at..at + 2).unwrap_or_default();
                let lower = pixels.get(at + width..at + width + 2).unwrap_or_default();
                if let ([a, b], [c, d]) = (upper, lower) {
                    let [right, low] = [x, y].map(|it| it & ((1 << BITS) - 1));
                    let mix = |one: i32, other: i32, part: i32| one + (((other - one) * part) >> BITS);
                    let [upper, lower] = [(*a, *b), (*c, *d)].map(|(a, b)| mix(a.into(), b.into(), right));
                    *pixel = u8::try_from(mix(upper, lower, low)).unwrap_or(u8::MAX);
                }
            }
            (x, y) = (x + fixed(cos), y + fixed(sin));
        }
    }
    level
}

/// Returns the page's clockwise rotation, in degrees.
fn angle(image: &GrayImage) -> f32 {
    let height = (u64::from(image.height()) * u64::from(SEARCHED) / u64::from(image.width().max(1))).max(1);
    if height > MAX_HEIGHT {
        return 0.0;
    }
    let small = resize(image, SEARCHED, u32::try_from(height).unwrap_or(SEARCHED), FilterType::Bilinear);
    let ink: Vec<(f32, f32)> = small
        .enumerate_pixels()
        .filter(|(_, _, Luma([value]))| *value < 150)
        .map(|(x, y, _)| (x as f32, y as f32))
        .collect();
    let some: Vec<(f32, f32)> = ink.iter().step_by(ink.len() / MAX_SAMPLE + 1).copied().collect();
    let best = |ink: &[(f32, f32)], angles: &mut dyn Iterator<Item = f32>| {
        angles.map(|angle| (sharpness(ink, angle, small.height()), angle)).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let steps =
        |from: f32, step: f32, count: i16| (-count..=count).map(move |at| from + f32::from(at) * step);
    let coarse = best(&some, &mut steps(0.0, 0.5, (MAX_ANGLE * 2.0) as i16)).map_or(0.0, |(_, angle)| angle);
    best(&ink, &mut steps(coarse, 0.1, 5)).map_or(0.0, |(_, angle)| angle)
}

/// Returns how much adjacent rows of pixels differ when the page is rotated back by the angle.
fn sharpness(ink: &[(f32, f32)], angle: f32, height: u32) -> f32 {
    let slope = angle.to_radians().tan();
    let mut rows = vec![0.0_f32; height as usize + 2 * MOVED as usize];
    for (x, y) in ink {
        let row = y - (x - SEARCHED as f32 / 2.0) * slope + MOVED;
        if let Some(count) = rows.get_mut(row.max(0.0) as usize) {
            *count += 1.0;
        }
    }
    rows.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slanting_line_becomes_level() {
        let mut page = GrayImage::from_pixel(801, 401, Luma([250]));
        let slope = 3.0_f32.to_radians().tan();
        for x in 0..801 {
            let y = 200.0 + (x as f32 - 400.0) * slope;
            (0..4).for_each(|down| page.put_pixel(x, y as u32 + down, Luma([10])));
        }
        let level = turn_back(&page, 3.0);
        let dark = |x: u32| (0..401).find(|y| level.get_pixel(x, *y).0[0] < 120).unwrap();
        let rows: Vec<u32> = [50, 200, 400, 600, 750].map(dark).to_vec();
        let (least, most) = (rows.iter().min().unwrap(), rows.iter().max().unwrap());
        assert!(most - least <= 1, "{rows:?}");
        assert_eq!(level.get_pixel(0, 0).0, [255], "the corners are white");
    }
}
