//! The part of the page that contains a value: there, a reviewer sees it.

use link_test_support::documents::pdf::{Extras, draw_pdf_with};
use link_types::archive::{FileFormat, PageArea};
use rstest::rstest;

use super::turned::{png, quarters, scan, skew_page};
use super::{PAYSLIP, base, file_findings, plainly};

/// The row of the net amount in the payslip.
const NET: usize = 11;

fn area_of(name: &str, format: FileFormat, bytes: Vec<u8>) -> Option<PageArea> {
    let fields = file_findings(format, bytes).unwrap().extracted.first.fields;
    fields.into_iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no {name}")).area
}

/// Asserts that the area contains a point of the page, and not much more than a word around it.
fn assert_at(area: PageArea, (x, y): (f64, f64), what: &str) {
    let PageArea { left, top, width, height } = area;
    let contains = (left..=left + width).contains(&x) && (top..=top + height).contains(&y);
    assert!(contains, "{what}: {area:?} does not contain {x:.3}, {y:.3}");
    assert!(width * height < 0.02 && width.max(height) < 0.25, "{what}: {area:?} is too large");
}

#[rstest]
#[case("", |x, y| (x, y))]
#[case("/Rotate 90", |x, y| (1.0 - y, x))]
#[case("/Rotate 180", |x, y| (1.0 - x, 1.0 - y))]
fn area_of_text_is_where_viewers_show_it(#[case] rotate: &str, #[case] shown: fn(f64, f64) -> (f64, f64)) {
    let pdf = draw_pdf_with(&[plainly(&PAYSLIP)], &Extras { page: rotate.to_owned(), ..Extras::default() });
    let area = area_of("netAmount", FileFormat::Pdf, pdf).unwrap();
    assert_at(area, shown(240.0 / 612.0, 1.0 - (base(NET) + 3.0) / 792.0), rotate);
}

#[rstest]
#[case(0, 0.0)]
#[case(1, 0.0)]
#[case(2, 0.0)]
#[case(3, 0.0)]
#[case(0, 7.0)]
#[case(3, -5.0)]
fn area_of_scan_is_where_a_person_sees_it(#[case] turns: u32, #[case] skew: f32) {
    let upright = scan(200.0);
    let (width, height) = (f64::from(upright.width()), f64::from(upright.height()));
    // In the middle of the first digits of the amount.
    let (x, y) = (310.0 / 612.0 * width, (90.0 + 24.0 * NET as f64 - 4.0) / 792.0 * height);
    let (sin, cos) = f64::from(skew).to_radians().sin_cos();
    let (dx, dy) = (x - width / 2.0, y - height / 2.0);
    let mut point =
        ((width / 2.0 + dx * cos - dy * sin) / width, (height / 2.0 + dx * sin + dy * cos) / height);
    for _ in 0..turns {
        point = (1.0 - point.1, point.0);
    }
    let page = quarters(&skew_page(&upright, skew), turns);
    let area = area_of("netAmount", FileFormat::Png, png(&page)).unwrap();
    assert_at(area, point, &format!("{turns} quarters and {skew} degrees"));
}

#[test]
fn derived_value_has_no_area() {
    let pdf = || draw_pdf_with(&[plainly(&PAYSLIP)], &Extras::default());
    assert_eq!(area_of("currency", FileFormat::Pdf, pdf()), None);
    assert!(area_of("employer", FileFormat::Pdf, pdf()).is_some());
}
