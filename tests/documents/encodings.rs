//! One page in many encodings: inspection accepts each, and all show the same picture. A script takes the place of Tesseract
//! and keeps the picture that it gets.

mod jpegs;
mod others;
mod tiffs;

use std::time::{Duration, Instant};

use image::{GrayImage, Luma, imageops};
use link_documents::inspection::inspect;
use link_documents::reading;
use link_types::archive::FileFormat;

use crate::pictures::finds_words_after;

/// A name, and the bytes of a file.
type Encoded = (String, Vec<u8>);

/// Returns a page with rows of words, which is different on every side.
fn page() -> GrayImage {
    GrayImage::from_fn(160, 220, |x, y| {
        let (row, word) = (y / 12, x / 9);
        let is_word = (word * 7 + row * 5) % 11 < 6 && word + row / 2 < 15 && (2..16).contains(&row);
        let is_ink = is_word && y % 12 < 5 && x % 9 < 7 && x > 10;
        Luma([if is_ink { 20 } else { 250 }])
    })
}

/// Returns the picture that Tesseract would get.
fn read_picture(format: FileFormat, bytes: &[u8]) -> Option<GrayImage> {
    let (folder, tesseract) = finds_words_after("cat > \"${0%/*}/shown\"");
    let until = Instant::now() + Duration::from_secs(60);
    reading::pages(vec![(format, bytes.to_vec())], &tesseract, until).ok()?;
    let file = std::fs::read(folder.path().join("shown")).ok()?;
    let end = file.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(&file[..end]).ok()?;
    let mut sides = head.split(' ').skip(1).map(|side| side.parse().unwrap());
    GrayImage::from_raw(sides.next()?, sides.next()?, file[end + 1..].to_vec())
}

/// Returns the mean difference of two pictures of one size.
fn difference(one: &GrayImage, other: &GrayImage) -> f64 {
    if one.dimensions() != other.dimensions() {
        return f64::INFINITY;
    }
    let differences = one.iter().zip(other.iter()).map(|(one, other)| f64::from(one.abs_diff(*other)));
    differences.sum::<f64>() / one.len() as f64
}

/// Asserts that inspection accepts each file, and that all of them show the page.
fn assert_shown(format: FileFormat, files: &[Encoded]) {
    assert_like(&read_picture(FileFormat::Png, &others::png(&page())).unwrap(), format, files);
}

/// Asserts that inspection accepts each file, and that all of them show the same as the first one.
fn assert_shown_alike(format: FileFormat, files: &[Encoded]) {
    assert_like(&read_picture(format, &files[0].1).unwrap(), format, files);
}

fn assert_like(right: &GrayImage, format: FileFormat, files: &[Encoded]) {
    let on_its_head = difference(right, &imageops::rotate180(right));
    let wrong: Vec<String> = files
        .iter()
        .filter_map(|(name, bytes)| {
            let inspected = inspect(bytes).map(|it| (it.format, it.pages));
            let away = read_picture(format, bytes).map(|seen| difference(&seen, right));
            let is_right = inspected == Ok((format, 1)) && away.is_some_and(|away| away < on_its_head / 4.0);
            (!is_right).then(|| format!("{name}: {inspected:?}, {away:?} of {on_its_head}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}
