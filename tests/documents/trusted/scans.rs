//! Scans with some text: the page is what the picture shows, not what a header says.

use std::io::Cursor;

use image::ImageFormat;
use link_test_support::documents::pdf::{Extras, drawn_pdf_with, text_at};
use link_types::archive::FileFormat;

use super::turned::{assert_read, scan};
use super::{PAYSLIP, assert_right, plainly, read_file};

const SCAN: &str = "q 612 0 0 792 0 0 cm /P Do Q\n";

fn scan_with(content: &str) -> Vec<u8> {
    let page = scan(200.0);
    let mut jpeg = Cursor::new(Vec::new());
    page.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let picture = Some((page.width(), page.height(), jpeg.into_inner()));
    drawn_pdf_with(&[format!("{SCAN}{content}")], &Extras { picture, ..Extras::default() })
}

#[test]
fn scan_under_a_line_of_text_is_read() {
    for line in [
        "Signed electronically by R. E. Ficticia on 16 November 2025 at 10:04:11 CST",
        "FAX FROM 55 0000 1111 TO 55 2222 3333 NOV 16 2025 10:04 PAGE 001 OF 001",
        "CONFIDENTIAL COPY FOR THE USE OF THE ADDRESSEE ONLY DO NOT DISTRIBUTE",
    ] {
        assert_read(&read_file(FileFormat::Pdf, scan_with(&text_at(40.0, 20.0, 8.0, "", line))), line);
    }
}

#[test]
fn text_on_a_letterhead_is_read_as_text() {
    let extras = Extras::default();
    let content = format!("{SCAN}{}", plainly(&PAYSLIP));
    let fields = read_file(FileFormat::Pdf, drawn_pdf_with(&[content], &extras));
    assert_right(&fields, "on a letterhead");
    assert!(fields["netAmount"].1 > 0.999, "text is surer than a picture: {fields:?}");
}
