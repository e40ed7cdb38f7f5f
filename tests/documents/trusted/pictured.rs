//! Documents as scans of three resolutions and as photos: right values are read, and no wrong one is sure.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::GrayImage;
use link_documents::rules::RecognitionError;
use link_test_support::documents::draw::Draw;
use link_test_support::documents::pdf::{Extras, draw_pdf, draw_pdf_with, text_at};
use link_test_support::documents::photo::photo;
use link_test_support::documents::scan::scan;
use link_types::archive::FileFormat;
use rstest::rstest;

use super::columns::{self, CURRENT, HOURS, RATES, TO_DATE, content_of};
use super::several::{NEXT, OTHER_PERSON, without_codes};
use super::turned::{assert_read, png, quarters, skew_page};
use super::{Fields, PAYSLIP, SURE, assert_no_wrong_amount, base, files_findings, plainly, read_file, rows};

/// Draws a page of this content at this resolution.
fn draw_page(content: String, dpi: f32) -> GrayImage {
    let pdf = Pdf::new(draw_pdf(&[content])).unwrap();
    let scale = dpi / 72.0;
    let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let page = &pdf.pages()[0];
    let (interpreter, rendering) = (InterpreterSettings::default(), RenderSettings::default());
    let pixmap = hayro::render(page, &RenderCache::new(), &interpreter, &rendering, &settings);
    let gray = pixmap.data().iter().map(|pixel| pixel.g).collect();
    GrayImage::from_raw(pixmap.width().into(), pixmap.height().into(), gray).unwrap()
}

/// Returns the picture of a page: a scan at this resolution, or a photo if it is 0.
fn draw_picture(content: String, dpi: f32) -> GrayImage {
    let mut draw = Draw::new(u64::from(dpi as u32) + content.len() as u64);
    if dpi == 0.0 {
        photo(&draw_page(content, 200.0), &mut draw)
    } else {
        scan(&draw_page(content, dpi), &mut draw)
    }
}

fn read_picture(content: String, dpi: f32) -> Fields {
    read_file(FileFormat::Png, png(&draw_picture(content, dpi)))
}

#[rstest]
fn amount_column_of_a_picture_is_chosen(#[values(150.0, 200.0, 300.0, 0.0)] dpi: f32) {
    for (how, columns) in [
        ("hours, rate, amount", [("Hours", HOURS), ("Rate", RATES), ("Amount", CURRENT)].as_slice()),
        ("year to date first", &[("Year to Date", TO_DATE), ("This Period", CURRENT)]),
    ] {
        let fields = read_picture(content_of(columns, [280.0, 370.0, 460.0, 550.0]), dpi);
        assert_no_wrong_amount(&fields, &columns::RIGHT, how);
        let read = |name: &str| fields.get(name).map(|(value, _)| value.as_str());
        let amounts = (read("grossAmount"), read("baseAmount"));
        assert_eq!(amounts, (Some("8214.34"), Some("7941.63")), "{how} at {dpi}: {fields:?}");
    }
}

#[rstest]
fn pictures_of_several_payslips_are_not_mixed(#[values(150.0, 200.0, 300.0, 0.0)] dpi: f32) {
    let files = |second: &[&[&str]]| {
        [plainly(&without_codes()), plainly(second)]
            .map(|content| (FileFormat::Png, png(&draw_picture(content, dpi))))
            .into()
    };
    match files_findings(files(&OTHER_PERSON)) {
        Err(reason) => assert_eq!(reason, RecognitionError::SeveralPeople, "{dpi}"),
        // The name on the second page is hardly legible, so nothing of it is delivered.
        Ok(found) => assert_eq!((found.extracted.further.len(), found.other_pages), (0, 1), "{dpi}"),
    }
    let found = files_findings(files(&NEXT)).unwrap();
    assert_eq!(found.extracted.further.len(), 1, "{dpi}: {:?}", found.extracted);
}

#[rstest]
fn correction_and_black_box_of_a_picture_are_seen(#[values(150.0, 200.0, 300.0, 0.0)] dpi: f32) {
    let cover = format!("1 g 229 {} 60 12 re f 0 g\n", base(11) - 3.0);
    let box_over = format!("0 g 225 {} 160 36 re f\n", base(6) - 5.0);
    let corrected = cover + &text_at(230.0, base(11), 10.0, "", "6,915.05") + &box_over;
    let fields = read_picture(plainly(&PAYSLIP) + &corrected, dpi);
    let (net, confidence) = &fields["netAmount"];
    assert!(net == "6915.05" && *confidence < SURE, "{net} at {confidence}, {dpi}");
    for name in ["nationalId", "socialSecurityNumber"] {
        assert_eq!(fields.get(name), None, "{dpi}");
    }
}

#[rstest]
fn year_to_date_close_to_an_amount_is_not_joined(#[values(150.0, 200.0, 300.0, 0.0)] dpi: f32) {
    let others = ["75,600.00", "84,180.60", "12,000.00", "72,180.60"];
    let beside = others.iter().enumerate();
    let beside: String = beside.map(|(at, other)| text_at(275.0, base(8 + at), 10.0, "", other)).collect();
    let fields = read_picture(plainly(&PAYSLIP) + &beside, dpi);
    assert!(fields.len() > 3, "at {dpi}: {fields:?}");
    assert_no_wrong_amount(&fields, &super::RIGHT, &format!("at {dpi}"));
}

#[rstest]
fn turned_and_skewed_picture_is_read(#[values(150.0, 200.0, 300.0, 0.0)] dpi: f32) {
    let page = draw_picture(plainly(&PAYSLIP), dpi);
    for (turns, degrees) in [(3, 0.0), (0, 4.0)] {
        let turned = quarters(&skew_page(&page, degrees), turns);
        let fields = read_file(FileFormat::Png, png(&turned));
        assert_read(&fields, &format!("{turns} quarters and {degrees} degrees at {dpi}"));
    }
}

#[rstest]
fn picture_under_a_fax_header_is_read(#[values(150.0, 200.0, 300.0, 0.0)] dpi: f32) {
    let page = draw_picture(plainly(&PAYSLIP), dpi);
    let mut jpeg = std::io::Cursor::new(Vec::new());
    page.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
    let picture = Some((page.width(), page.height(), jpeg.into_inner()));
    let header =
        text_at(40.0, 780.0, 8.0, "", "FAX FROM 55 0000 1111 TO 55 2222 3333 NOV 16 2025 10:04 PAGE 001");
    let content = format!("q 612 0 0 792 0 0 cm /P Do Q\n{header}");
    let pdf = draw_pdf_with(&[content], &Extras { picture, ..Extras::default() });
    assert_read(&read_file(FileFormat::Pdf, pdf), &format!("under a header at {dpi}"));
}

#[rstest]
fn bold_and_spaced_text_of_a_picture_is_read(#[values(150.0, 200.0, 300.0, 0.0)] dpi: f32) {
    let bold = rows(&PAYSLIP[2..], |x, y, text| {
        text_at(x, y - 40.0, 10.0, "0 Tc", text) + &text_at(x + 0.3, y - 40.0, 10.0, "0 Tc", text)
    });
    let spaced = rows(&PAYSLIP[..2], |x, y, text| text_at(x, y, 10.0, "3 Tc", text));
    assert_read(&read_picture(spaced + &bold, dpi), &format!("at {dpi}"));
}
