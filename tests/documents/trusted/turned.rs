//! Text that the content turns, and pages that lie on their side.

use std::io::Cursor;

use image::{GrayImage, ImageFormat, Luma, imageops};
use imageproc::geometric_transformations::{Border, Interpolation, rotate_about_center};
use link_test_support::documents::fonts::Face;
use link_test_support::documents::pdf::{picture_pdf, text_at};
use link_test_support::documents::raster::raster;
use link_test_support::documents::sheet::Sheet;
use link_types::archive::FileFormat;
use rstest::rstest;
use tiff::encoder::{Rational, TiffEncoder, colortype};
use tiff::tags::Tag;

use super::{Fields, PAYSLIP, SURE, assert_right, plainly, read, read_file};

/// Returns the payslip as a scan at this resolution.
pub fn scan(dpi: f32) -> GrayImage {
    let mut sheet = Sheet::new(612.0, 792.0);
    for (row, cells) in PAYSLIP.iter().enumerate() {
        for (text, x) in cells.iter().zip([60.0, 300.0]) {
            sheet.put(x, 90.0 + 24.0 * row as f32, 11.0, Face::Sans, text);
        }
    }
    raster(&sheet, dpi)
}

pub fn quarters(page: &GrayImage, quarters: u32) -> GrayImage {
    (0..quarters).fold(page.clone(), |page, _| imageops::rotate90(&page))
}

pub fn skew_page(page: &GrayImage, degrees: f32) -> GrayImage {
    let around = Border::Constant(Luma([255]));
    rotate_about_center(page, degrees.to_radians(), Interpolation::Bilinear, around)
}

pub fn png(page: &GrayImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    page.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Asserts that every value is read, but for a letter that Tesseract mistakes and is not sure of.
pub fn assert_read(fields: &Fields, what: &str) {
    let wrong = super::RIGHT.iter().filter(|(name, value)| match fields.get(*name) {
        Some((read, confidence)) => read != value && *confidence >= SURE,
        None => false,
    });
    assert_eq!(wrong.count(), 0, "surely wrong, {what}: {fields:?}");
    let right =
        super::RIGHT.iter().filter(|(name, value)| fields.get(*name).is_some_and(|it| it.0 == *value));
    assert!(right.count() >= super::RIGHT.len() - 2, "{what}: {fields:?}");
}

#[rstest]
#[case(1, 0.0, 150.0)]
#[case(2, 0.0, 150.0)]
#[case(3, 0.0, 200.0)]
#[case(0, 14.0, 200.0)]
#[case(0, -9.0, 150.0)]
#[case(1, 8.0, 200.0)]
#[case(3, -13.0, 200.0)]
fn scan_is_read_on_any_side(#[case] turns: u32, #[case] skew: f32, #[case] dpi: f32) {
    let page = quarters(&skew_page(&scan(dpi), skew), turns);
    let what = format!("{turns} quarters and {skew} degrees at {dpi} dpi");
    assert_read(&read_file(FileFormat::Png, png(&page)), &what);
}

#[test]
fn scan_on_its_side_in_a_pdf_is_read() {
    let page = quarters(&scan(200.0), 3);
    let mut jpeg = Cursor::new(Vec::new());
    page.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let pdf = picture_pdf(&[(page.width(), page.height(), jpeg.into_inner())], 200.0);
    assert_read(&read_file(FileFormat::Pdf, pdf), "in a PDF");
}

#[test]
fn orientation_of_tiff_is_honoured() {
    // Mirrored, so that no turn makes it upright: from right to left.
    let page = imageops::flip_horizontal(&scan(150.0));
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::Gray8>(page.width(), page.height()).unwrap();
    image.encoder().write_tag(Tag::Orientation, 2_u16).unwrap();
    image.write_data(&page).unwrap();
    assert_read(&read_file(FileFormat::Tiff, bytes.into_inner()), "with a tag");
}

#[test]
fn tiff_of_a_fax_is_stretched() {
    let page = scan(204.0);
    let flat = imageops::resize(&page, page.width(), page.height() / 2, imageops::FilterType::Triangle);
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::Gray8>(flat.width(), flat.height()).unwrap();
    image.x_resolution(Rational { n: 204, d: 1 });
    image.y_resolution(Rational { n: 102, d: 1 });
    image.write_data(&flat).unwrap();
    assert_read(&read_file(FileFormat::Tiff, bytes.into_inner()), "flat");
}

#[test]
fn tiff_with_a_plane_per_colour_is_read() {
    let page = scan(150.0);
    let (length, strip) = (page.len() as u32, 8 + 2 + 12 * 10 + 4 + 6 + 24);
    let after = strip - 30;
    let entries: [(u16, u16, u32, u32); 10] = [
        (256, 4, 1, page.width()),
        (257, 4, 1, page.height()),
        (258, 3, 3, after),
        (259, 3, 1, 1),
        (262, 3, 1, 2),
        (273, 4, 3, after + 6),
        (277, 3, 1, 3),
        (278, 4, 1, page.height()),
        (279, 4, 3, after + 18),
        (284, 3, 1, 2),
    ];
    let mut bytes = b"II\x2A\0\x08\0\0\0\x0A\0".to_vec();
    for (tag, kind, count, value) in entries {
        bytes.extend(tag.to_le_bytes().into_iter().chain(kind.to_le_bytes()));
        bytes.extend(count.to_le_bytes().into_iter().chain(value.to_le_bytes()));
    }
    bytes.extend([0; 4]);
    bytes.extend([8_u16; 3].into_iter().flat_map(u16::to_le_bytes));
    let planes = after + 30;
    bytes.extend([planes, planes + length, planes + 2 * length].into_iter().flat_map(u32::to_le_bytes));
    bytes.extend([length; 3].into_iter().flat_map(u32::to_le_bytes));
    for _ in 0..3 {
        bytes.extend(page.as_raw());
    }
    assert_read(&read_file(FileFormat::Tiff, bytes), "in planes");
}

#[test]
fn turned_text_is_read_row_by_row() {
    for degrees in [90.0, 180.0, 270.0, 1.0, 3.0, -3.0, 5.0, -5.0, 12.0, 93.0_f64] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        // Around the middle of the page, smaller, so that nothing leaves the page.
        let scaled = (cos * 0.7, sin * 0.7);
        let content = format!(
            "1 0 0 1 306 396 cm {} {} {} {} 0 0 cm 1 0 0 1 -306 -396 cm\n{}",
            scaled.0,
            scaled.1,
            -scaled.1,
            scaled.0,
            plainly(&PAYSLIP)
        );
        assert_right(&read(&[content]), &format!("turned by {degrees}"));
    }
}

#[test]
fn text_in_the_margin_in_another_direction_is_left_out() {
    let seal = text_at(20.0, 100.0, 8.0, "", "Neto a pagar 99,999.99 Sello digital");
    let content = format!("{}q 0 1 -1 0 60 0 cm {seal} Q", plainly(&PAYSLIP));
    assert_right(&read(&[content]), "with a seal in the margin");
}
