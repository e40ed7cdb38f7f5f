//! Removes the ruling lines of tables, because OCR mistakes them for letters, or a whole table for a picture.

use image::{GrayImage, Luma};

/// Darker tones are ink, once the lighting is even.
const INK: u8 = 175;
/// The minimum length of a line, in pixels. No stroke of a letter is as long.
const MIN_LENGTH: u32 = 90;
/// The maximum number of white pixels within a line.
const MAX_GAP: u32 = 2;
/// A line is thinner than this, with paper on both sides.
const THIN: u32 = 9;
/// The minimum share of a line, in tenths, with paper on both sides. A row of letters has less.
const MIN_FREE: usize = 7;

/// The first and the last position of pixels of ink in a row or column.
type Run = (u32, u32);

/// Returns the page without lines.
pub(super) fn without(image: &GrayImage) -> GrayImage {
    let mut clean = image.clone();
    let (width, height) = image.dimensions();
    let ink = |x: u32, y: u32| x < width && y < height && image.get_pixel(x, y).0[0] < INK;
    let mut whiten_row = |y: u32, run: Run| {
        let is_free = |x: u32| [y.wrapping_sub(THIN), y + THIN].iter().all(|y| !ink(x, *y));
        if is_line(run, is_free) {
            whiten(&mut clean, run, (y.saturating_sub(1), (y + 1).min(height - 1)));
        }
    };
    let mut columns: Vec<Option<Run>> = vec![None; width as usize];
    let mut down = Vec::new();
    for (y, pixels) in (0..height).zip(image.chunks_exact(width.max(1) as usize)) {
        let mut across = None;
        for ((x, value), column) in (0..width).zip(pixels).zip(&mut columns) {
            if *value < INK {
                if let Some(run) = extend(&mut across, x) {
                    whiten_row(y, run);
                }
                down.extend(extend(column, y).filter(is_long).map(|run| (x, run)));
            }
        }
        if let Some(run) = across {
            whiten_row(y, run);
        }
    }
    let rest = (0..width).zip(columns).filter_map(|(x, run)| Some((x, run?)));
    for (x, run) in down.into_iter().chain(rest) {
        let is_free = |y: u32| [x.wrapping_sub(THIN), x + THIN].iter().all(|x| !ink(*x, y));
        if is_line(run, is_free) {
            whiten(&mut clean, (x.saturating_sub(1), (x + 1).min(width - 1)), run);
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

/// Adds a pixel of ink to a run. Returns the run before it, if there was one.
fn extend(run: &mut Option<Run>, at: u32) -> Option<Run> {
    match run {
        Some((_, to)) if at - *to <= MAX_GAP => {
            *to = at;
            None
        }
        before => before.replace((at, at)),
    }
}

fn is_long((from, to): &Run) -> bool {
    to - from >= MIN_LENGTH
}

/// Returns whether a run of ink is a line: long, with paper on both sides of most of it.
fn is_line(run: Run, is_free: impl Fn(u32) -> bool) -> bool {
    let (from, to) = run;
    is_long(&run) && (from..=to).filter(|at| is_free(*at)).count() * 10 >= (to - from) as usize * MIN_FREE
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
