//! Marks of footnotes in pictures: a small raised digit that was read as the first or last one of a number.

use image::GrayImage;

use crate::page::{MAX_CONFIDENCE_DOUBTED, Page, Word, median};

/// The minimum number of digits of a number that is examined.
const MIN_DIGITS: usize = 4;
/// Darker pixels are ink.
const INK: u8 = 128;
/// The maximum height of a mark, and the least by which it is raised, in heights of a digit.
const MAX_HEIGHT: f32 = 0.85;
const MIN_RAISE: f32 = 0.15;

/// Doubts numbers that begin or end with a mark.
pub(crate) fn doubt(page: &mut Page, image: &GrayImage) {
    for word in page.lines.iter_mut().flat_map(|line| &mut line.words) {
        if word.text.chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS && has_mark(word, image) {
            word.confidence = word.confidence.min(MAX_CONFIDENCE_DOUBTED);
        }
    }
}

fn has_mark(word: &Word, image: &GrayImage) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (begins, ends) = (is_digit(word.text.chars().next()), is_digit(word.text.chars().last()));
    let glyphs = glyphs(word, image);
    let tallest = glyphs.iter().map(|(top, bottom)| bottom - top).fold(0.0, f32::max);
    let tall = || glyphs.iter().filter(|(top, bottom)| bottom - top > tallest * 0.6);
    let (height, base) =
        (median(tall().map(|(top, bottom)| bottom - top)), median(tall().map(|(_, bottom)| *bottom)));
    let is_mark = |glyph: Option<&(f32, f32)>| {
        glyph.is_some_and(|(top, bottom)| {
            bottom - top < height * MAX_HEIGHT
                && bottom - top > height * 0.3
                && *bottom < base - height * MIN_RAISE
        })
    };
    glyphs.len() > MIN_DIGITS && (begins && is_mark(glyphs.first()) || ends && is_mark(glyphs.last()))
}

/// Returns the upper and lower edge of each glyph, which columns without ink separate.
fn glyphs(word: &Word, image: &GrayImage) -> Vec<(f32, f32)> {
    let rows = (word.top.max(0.0) as u32)..(word.bottom.max(0.0) as u32).min(image.height());
    let columns = (word.left.max(0.0) as u32)..(word.right.max(0.0) as u32).min(image.width());
    let mut glyphs: Vec<(f32, f32)> = Vec::new();
    let mut is_open = false;
    for x in columns {
        let mut ink = rows.clone().filter(|y| image.get_pixel(x, *y).0 < [INK]);
        let Some(top) = ink.next() else {
            is_open = false;
            continue;
        };
        let (top, bottom) = (top as f32, ink.next_back().unwrap_or(top) as f32 + 1.0);
        match glyphs.last_mut().filter(|_| is_open) {
            Some(glyph) => *glyph = (glyph.0.min(top), glyph.1.max(bottom)),
            None => glyphs.push((top, bottom)),
        }
        is_open = true;
    }
    glyphs
}
