//! Removes the ruling lines of tables, because OCR mistakes them for letters, or a whole table for a picture.

use image::{GrayImage, Luma};

/// Darker tones are ink, once the lighting is even.
const INK: u8 = 175;
/// The minimum length of a line, in pixels. No stroke of a letter is as long.
const LONG: u32 = 90;
/// The maximum number of white pixels within a line.
const GAP: u32 = 2;
/// A line is thinner than this, with paper on both sides.
const THIN: u32 = 9;
/// The minimum share of a line, in tenths, with paper on both sides. A row of letters has less.
const FREE: usize = 7;

/// Returns the page without lines.
pub(super) fn without(image: &GrayImage) -> GrayImage {
    let mut clean = image.clone();
    let (width, height) = image.dimensions();
    let ink = |x: u32, y: u32| x < width && y < height && image.get_pixel(x, y).0[0] < INK;
    for y in 0..height {
        let beside = |x| [y.wrapping_sub(THIN), y + THIN].map(|y| ink(x, y));
        for (from, to) in runs(width, |x| ink(x, y), beside) {
            whiten(&mut clean, (from, to), (y.saturating_sub(1), (y + 1).min(height - 1)));
        }
    }
    for x in 0..width {
        let beside = |y| [x.wrapping_sub(THIN), x + THIN].map(|x| ink(x, y));
        for (from, to) in runs(height, |y| ink(x, y), beside) {
            whiten(&mut clean, (x.saturating_sub(1), (x + 1).min(width - 1)), (from, to));
        }
    }
    clean
}

fn whiten(image: &mut GrayImage, (left, right): (u32, u32), (top, bottom): (u32, u32)) {
    for y in top..=bottom {
        for x in left..=right {
            image.put_pixel(x, y, Luma([255]));
        }
    }
}

/// Returns the first and last positions of long runs of ink that are lines.
fn runs(length: u32, ink: impl Fn(u32) -> bool, beside: impl Fn(u32) -> [bool; 2]) -> Vec<(u32, u32)> {
    let is_rule = |(from, to): &(u32, u32)| {
        to - from >= LONG && {
            let free = (*from..=*to).filter(|at| beside(*at) == [false; 2]).count();
            free * 10 >= (to - from) as usize * FREE
        }
    };
    let mut found = Vec::new();
    let mut run: Option<(u32, u32)> = None;
    for at in (0..length).filter(|at| ink(*at)) {
        run = match run {
            Some((from, to)) if at - to <= GAP => Some((from, at)),
            before => {
                found.extend(before.filter(is_rule));
                Some((at, at))
            }
        };
    }
    found.extend(run.filter(is_rule));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_removed_but_letters_and_blocks_are_kept() {
        let mut page = GrayImage::from_pixel(300, 200, Luma([250]));
        for x in 20..280 {
            page.put_pixel(x, 50, Luma([20]));
        }
        for y in 30..180 {
            page.put_pixel(40, y, Luma([20]));
        }
        for y in 100..130 {
            page.put_pixel(150, y, Luma([20]));
        }
        for (x, y) in (60..270).flat_map(|x| (140..165).map(move |y| (x, y))) {
            page.put_pixel(x, y, Luma([20]));
        }
        let block = 210 * 25;
        let clean = without(&page);
        assert_eq!(clean.pixels().filter(|pixel| pixel.0[0] < INK).count(), 30 + block);
    }
}
