//! Images of a document are read, or counted as left out. A script takes the place of Tesseract and finds the same
//! words in every image.

use std::io::Cursor;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use image::{DynamicImage, ImageFormat};
use link_documents::inspection::inspect;
use link_documents::{Tesseract, reading};
use link_types::archive::{FileFault, FileFormat};
use rstest::rstest;
use tiff::encoder::{TiffEncoder, colortype};

const WORDS: usize = 9;
const HOUR: Duration = Duration::from_secs(3_600);

/// Returns a script in place of Tesseract, and the folder that contains it.
pub fn tesseract(script: &str) -> (tempfile::TempDir, Tesseract) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tesseract");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
    let program = program.to_str().unwrap().to_owned();
    (folder, Tesseract { program, languages: "eng".to_owned() })
}

/// Returns a script that finds the same words in any image.
fn finds_words() -> (tempfile::TempDir, Tesseract) {
    finds_words_after("cat > /dev/null")
}

/// Returns a script that does this with the image, and finds the same words in any.
pub fn finds_words_after(first: &str) -> (tempfile::TempDir, Tesseract) {
    let rows: String = (0..WORDS)
        .map(|at| {
            format!("printf '5\\t1\\t1\\t1\\t1\\t{at}\\t{}\\t10\\t50\\t20\\t95\\tword{at}\\n'\n", at * 60)
        })
        .collect();
    tesseract(&format!("{first}\n{rows}"))
}

fn tiff(pages: usize) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    for _ in 0..pages {
        encoder.write_image::<colortype::Gray8>(64, 64, &[200; 64 * 64]).unwrap();
    }
    bytes.into_inner()
}

/// Returns the number of pages read and the number left out.
fn read(files: Vec<(FileFormat, Vec<u8>)>, tesseract: &Tesseract, time: Duration) -> (usize, u16) {
    let read = reading::pages(files, tesseract, Instant::now() + time).unwrap();
    (read.pages.iter().filter(|page| page.words() == WORDS).count(), read.left_out)
}

#[test]
fn every_page_of_a_30_page_scan_is_read() {
    let (_folder, tesseract) = finds_words();
    assert_eq!(read(vec![(FileFormat::Tiff, tiff(30))], &tesseract, HOUR), (30, 0));
}

#[test]
fn pages_over_limit_or_deadline_are_counted() {
    let (_folder, tesseract) = finds_words();
    let files = || vec![(FileFormat::Tiff, tiff(20)), (FileFormat::Tiff, tiff(12))];
    assert_eq!(read(files(), &tesseract, HOUR), (30, 2));
    assert_eq!(read(files(), &tesseract, Duration::ZERO), (0, 32));
}

#[test]
fn pages_that_tesseract_fails_on_are_counted() {
    let (_folder, tesseract) = tesseract("cat > /dev/null; exit 1");
    assert_eq!(read(vec![(FileFormat::Tiff, tiff(2))], &tesseract, HOUR), (0, 2));
    let (_folder, tesseract) = self::tesseract("cat > /dev/null");
    assert_eq!(
        read(vec![(FileFormat::Tiff, tiff(2))], &tesseract, HOUR),
        (0, 0),
        "empty pages are not left out"
    );
}

/// Returns a TIFF with two pages: a grey one, and one of this color type.
fn second_page<C: colortype::ColorType>(samples: &[C::Inner]) -> Vec<u8>
where
    [C::Inner]: tiff::encoder::TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    encoder.write_image::<colortype::Gray8>(64, 64, &[200; 64 * 64]).unwrap();
    encoder.write_image::<C>(64, 64, samples).unwrap();
    bytes.into_inner()
}

const PIXELS: usize = 64 * 64;

#[rstest]
#[case::gray16(second_page::<colortype::Gray16>(&[60_000; PIXELS]))]
#[case::rgb8(second_page::<colortype::RGB8>(&[200; PIXELS * 3]))]
#[case::rgb16(second_page::<colortype::RGB16>(&[60_000; PIXELS * 3]))]
#[case::rgba8(second_page::<colortype::RGBA8>(&[200; PIXELS * 4]))]
#[case::cmyk8(second_page::<colortype::CMYK8>(&[9; PIXELS * 4]))]
#[case::ycbcr8(second_page::<colortype::YCbCr8>(&[128; PIXELS * 3]))]
fn accepted_tiff_page_types_are_read(#[case] file: Vec<u8>) {
    let (_folder, tesseract) = finds_words();
    assert_eq!(inspect(&file).map(|found| found.pages), Ok(2));
    assert_eq!(read(vec![(FileFormat::Tiff, file)], &tesseract, HOUR), (2, 0));
}

#[rstest]
#[case::gray32(second_page::<colortype::Gray32>(&[9; PIXELS]))]
#[case::signed_gray8(second_page::<colortype::GrayI8>(&[9; PIXELS]))]
#[case::float_gray32(second_page::<colortype::Gray32Float>(&[0.5; PIXELS]))]
fn unreadable_tiff_page_types_are_rejected(#[case] file: Vec<u8>) {
    assert_eq!(inspect(&file), Err(FileFault::UnsupportedFormat));
}

#[rstest]
#[case(DynamicImage::new_luma8(40, 30))]
#[case(DynamicImage::new_luma_a8(40, 30))]
#[case(DynamicImage::new_luma_a16(40, 30))]
#[case(DynamicImage::new_rgba16(40, 30))]
fn every_png_color_type_is_read(#[case] picture: DynamicImage) {
    let (_folder, tesseract) = finds_words();
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    assert_eq!(inspect(file.get_ref()).map(|found| found.pages), Ok(1));
    assert_eq!(read(vec![(FileFormat::Png, file.into_inner())], &tesseract, HOUR), (1, 0));
}
