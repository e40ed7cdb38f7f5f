//! Scans with some text: the page is what the picture shows, not what a header says.

use std::io::Cursor;

use image::ImageFormat;
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use link_test_support::documents::pdf::{Extras, draw_pdf_with, encode_pdf, text_at};
use link_types::archive::FileFormat;

use super::turned::{assert_read, scan};
use super::{Fields, PAYSLIP, assert_right, plainly, read_file};

const SCAN: &str = "q 612 0 0 792 0 0 cm /P Do Q\n";

fn scan_with(content: &str, extras: Extras) -> Vec<u8> {
    let page = scan(200.0);
    let mut jpeg = Cursor::new(Vec::new());
    page.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let picture = Some((page.width(), page.height(), jpeg.into_inner()));
    draw_pdf_with(&[content.to_owned()], &Extras { picture, ..extras })
}

#[test]
fn scan_under_a_line_of_text_is_read() {
    for line in [
        "Signed electronically by R. E. Ficticia on 16 November 2025 at 10:04:11 CST",
        "FAX FROM 55 0000 1111 TO 55 2222 3333 NOV 16 2025 10:04 PAGE 001 OF 001",
        "CONFIDENTIAL COPY FOR THE USE OF THE ADDRESSEE ONLY DO NOT DISTRIBUTE",
    ] {
        let content = format!("{SCAN}{}", text_at(40.0, 20.0, 8.0, "", line));
        assert_read(&read_file(FileFormat::Pdf, scan_with(&content, Extras::default())), line);
    }
}

#[test]
fn text_on_a_letterhead_is_read_as_text() {
    let extras = Extras::default();
    let content = format!("{SCAN}{}", plainly(&PAYSLIP));
    let fields = read_file(FileFormat::Pdf, draw_pdf_with(&[content], &extras));
    assert_right(&fields, "on a letterhead");
    assert!(fields["netAmount"].1 > 0.999, "text is surer than a picture: {fields:?}");
}

fn hex(data: &[u8]) -> Vec<u8> {
    data.iter().flat_map(|byte| format!("{byte:02X}").into_bytes()).chain(*b">").collect()
}

/// Returns the scan as a JPEG.
fn encode(sampling: SamplingFactor) -> Vec<u8> {
    let page = scan(200.0);
    let (width, height) = (page.width() as u16, page.height() as u16);
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(&mut jpeg, 90);
    encoder.set_sampling_factor(sampling);
    let samples: Vec<u8> = page.iter().flat_map(|light| [*light; 3]).collect();
    encoder.encode(&samples, width, height, ColorType::Rgb).unwrap();
    jpeg
}

fn surest(fields: &Fields) -> f64 {
    fields.iter().filter(|(name, _)| *name != "currency").map(|(_, (_, sure))| *sure).fold(0.0, f64::max)
}

#[test]
fn scan_in_a_jpeg_that_is_read_wrongly_is_in_doubt() {
    for (sampling, is_sure) in [(SamplingFactor::R_4_2_0, true), (SamplingFactor::R_4_4_1, false)] {
        for filters in ["/DCTDecode", "[/ASCIIHexDecode/DCTDecode]"] {
            let jpeg = encode(sampling);
            let data = if filters.len() > 12 { hex(&jpeg) } else { jpeg };
            let entries = format!("/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter{filters}");
            let size = scan(200.0).dimensions();
            let file = encode_pdf([(size, entries.as_str(), data.as_slice())].into_iter(), 200.0);
            let fields = read_file(FileFormat::Pdf, file);
            assert_eq!(surest(&fields) > 0.5, is_sure, "{sampling:?} {filters}: {fields:?}");
        }
    }
}

#[test]
fn scan_on_a_layer_that_viewers_may_hide_is_in_doubt() {
    let layered = format!("/OC /L BDC\n{SCAN}EMC\n");
    for (layer, is_sure) in [
        ("<</Type/OCG/Name(scan)>>", true),
        ("<</Type/OCG/Name(scan)/Usage<</View<</ViewState/OFF>>>>>>", false),
        ("<</Type/OCMD/VE[/Not{0}]>>", false),
    ] {
        let extras = Extras {
            resources: "/Properties<</L {1}>>".to_owned(),
            objects: vec!["<</Type/OCG/Name(other)>>".to_owned(), layer.to_owned()],
            catalog: "/OCProperties<</OCGs[{0} {1}]/D<<>>>>".to_owned(),
            ..Extras::default()
        };
        let fields = read_file(FileFormat::Pdf, scan_with(&layered, extras));
        assert_eq!(surest(&fields) > 0.5, is_sure, "{layer}: {fields:?}");
    }
}
