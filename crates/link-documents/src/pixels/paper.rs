//! Finds the paper in a photo and removes the background around it.

use image::{GrayImage, Luma};
use imageproc::contrast::otsu_level;
use imageproc::region_labelling::{Connectivity, connected_components};

/// The cell size of the coarse picture, in pixels.
const CELL: u32 = 16;
/// The minimum contrast between the paper and the background, in tones.
const MIN_CONTRAST: u8 = 25;
/// The minimum share of the picture that paper covers, in percent.
const MIN_SHARE: u32 = 25;
/// The share above which the picture is all paper, in percent.
const MAX_SHARE: u32 = 97;

/// Makes everything that is not paper as light as the paper next to it.
pub(super) fn alone(image: GrayImage) -> GrayImage {
    let Some(spans) = spans(&image) else { return image };
    let mut clean = image;
    for (y, row) in clean.enumerate_rows_mut() {
        let span = usize::try_from(y / CELL).ok().and_then(|row| spans.get(row)).copied().flatten();
        let Some(Span { left, right, tones }) = span else {
            row.for_each(|(_, _, pixel)| *pixel = Luma([255]));
            continue;
        };
        for (x, _, pixel) in row {
            if x < left * CELL {
                *pixel = Luma([tones.0]);
            } else if x >= (right + 1) * CELL {
                *pixel = Luma([tones.1]);
            }
        }
    }
    clean
}

/// The paper in a row of cells.
#[derive(Clone, Copy)]
struct Span {
    left: u32,
    right: u32,
    /// The tones at both ends.
    tones: (u8, u8),
}

/// Returns the first and last paper cell of each row. `None` if the picture is all paper, or the paper does not
/// stand out from the background.
fn spans(image: &GrayImage) -> Option<Vec<Option<Span>>> {
    let (columns, rows) = (image.width() / CELL, image.height() / CELL);
    if columns < 8 || rows < 8 {
        return None;
    }
    let coarse = GrayImage::from_fn(columns, rows, |column, row| {
        let cell = (0..CELL * CELL).map(|at| {
            let Luma([value]) = *image.get_pixel(column * CELL + at % CELL, row * CELL + at / CELL);
            u32::from(value)
        });
        Luma([u8::try_from(cell.sum::<u32>() / (CELL * CELL)).unwrap_or(u8::MAX)])
    });
    let level = otsu_level(&coarse);
    let (light, dark): (Vec<u8>, Vec<u8>) =
        coarse.pixels().map(|pixel| pixel.0[0]).partition(|tone| *tone > level);
    let stands_out = middle(light)?.checked_sub(middle(dark)?)? >= MIN_CONTRAST;
    let bright =
        GrayImage::from_fn(columns, rows, |x, y| Luma([u8::from(coarse.get_pixel(x, y).0[0] > level)]));
    let parts = connected_components(&bright, Connectivity::Four, Luma([0]));
    let mut sizes = std::collections::BTreeMap::new();
    for Luma([part]) in parts.pixels().filter(|part| part.0[0] != 0) {
        *sizes.entry(*part).or_insert(0_u32) += 1;
    }
    let (paper, size) = sizes.into_iter().max_by_key(|(_, size)| *size)?;
    let share = size * 100 / (columns * rows);
    (stands_out && (MIN_SHARE..MAX_SHARE).contains(&share)).then(|| {
        let row = |row| {
            let is_paper = |column: &u32| parts.get_pixel(*column, row).0[0] == paper;
            let (first, last) = (0..columns).find(is_paper).zip((0..columns).rev().find(is_paper))?;
            // The paper's edge casts a shadow.
            let (left, right) = (first + 1, last.checked_sub(1)?);
            let tone = |column| coarse.get_pixel(column, row).0[0];
            (left < right).then(|| Span { left, right, tones: (tone(left), tone(right)) })
        };
        (0..rows).map(row).collect()
    })
}

fn middle(mut tones: Vec<u8>) -> Option<u8> {
    tones.sort_unstable();
    tones.get(tones.len() / 2).copied()
}
