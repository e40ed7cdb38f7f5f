//! Corrects a page's rotation: level lines of text give the sharpest row profile.

use image::imageops::{self, FilterType};
use image::{GrayImage, Luma};
use imageproc::geometric_transformations::{Border, Interpolation, rotate_about_center};

/// The width at which the angle is searched.
const SEARCHED: u32 = 800;
/// The maximum height at that width. A longer strip is not a page.
const LONGEST: u64 = 8 * SEARCHED as u64;
/// The maximum angle, in degrees.
const FURTHEST: f32 = 15.0;
/// How far rows of ink move at that angle, and a little more, in pixels of the searched width.
const MOVED: f32 = 130.0;
/// Smaller angles are not corrected.
const SMALL: f32 = 0.12;

/// Rotates the page so that its lines are level. Also returns its clockwise rotation before, in degrees.
pub(super) fn levelled(image: GrayImage) -> (GrayImage, f32) {
    let angle = angle(&image);
    if angle.abs() < SMALL {
        return (image, 0.0);
    }
    let around = Border::Constant(Luma([255]));
    (rotate_about_center(&image, -angle.to_radians(), Interpolation::Bilinear, around), angle)
}

/// Returns the page's clockwise rotation, in degrees.
fn angle(image: &GrayImage) -> f32 {
    let height = (u64::from(image.height()) * u64::from(SEARCHED) / u64::from(image.width().max(1))).max(1);
    if height > LONGEST {
        return 0.0;
    }
    let small =
        imageops::resize(image, SEARCHED, u32::try_from(height).unwrap_or(SEARCHED), FilterType::Triangle);
    let ink: Vec<(f32, f32)> = small
        .enumerate_pixels()
        .filter(|(_, _, Luma([value]))| *value < 150)
        .map(|(x, y, _)| (x as f32, y as f32))
        .collect();
    let best = |angles: &mut dyn Iterator<Item = f32>| {
        angles.map(|angle| (sharpness(&ink, angle, small.height()), angle)).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let steps =
        |from: f32, step: f32, count: i16| (-count..=count).map(move |at| from + f32::from(at) * step);
    let coarse = best(&mut steps(0.0, 0.5, (FURTHEST * 2.0) as i16)).map_or(0.0, |(_, angle)| angle);
    best(&mut steps(coarse, 0.1, 5)).map_or(0.0, |(_, angle)| angle)
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
