//! The sample documents of the sandbox: at least one for each archive state.

use image::{GrayImage, ImageFormat, Luma};
use link_test_support::bad_files::bad_files;
use link_test_support::documents::draw::Draw;
use link_test_support::documents::layouts::Arrangement;
use link_test_support::documents::{Country, Form, Layout, layouts, pdf, sample, truth};
use link_types::archive::ArchiveType;

/// Returns the names and bytes of the samples.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let text = |kind, country, layout, seed| {
        let mut draw = Draw::new(seed);
        let truth = truth::invent(kind, country, &mut draw);
        pdf::text_pdf(&layouts::arrange(&truth, layout, &mut draw), false)
    };
    let photo =
        sample(ArchiveType::Identification, Country::Ph, Layout::plain(Arrangement::Lines), Form::Photo, 3);
    let locked = bad_files().into_iter().find(|file| file.name == "encrypted.pdf").unwrap();
    vec![
        ("payslip-mx.pdf", text(ArchiveType::Payslip, Country::Mx, Layout::plain(Arrangement::Table), 1)),
        ("payslip-ph.pdf", text(ArchiveType::Payslip, Country::Ph, Layout::plain(Arrangement::Above), 2)),
        (
            "certificate-mx.pdf",
            text(ArchiveType::Certificate, Country::Mx, Layout::plain(Arrangement::Lines), 4),
        ),
        (
            "tax-document-ph.pdf",
            text(ArchiveType::TaxDocument, Country::Ph, Layout::plain(Arrangement::Columns), 5),
        ),
        (
            "bank-statement-mx.pdf",
            text(ArchiveType::BankStatement, Country::Mx, Layout::plain(Arrangement::Columns), 6),
        ),
        ("identification-ph.jpg", photo.bytes),
        ("clouds.png", clouds()),
        ("letter.pdf", write_pdf(&LETTER, "")),
        ("two-people.pdf", two_people()),
        ("two-payslips.pdf", two_payslips()),
        ("form.pdf", write_pdf(&FORM, "/AcroForm<</Fields[]/XFA[(template)null]>>")),
        ("portfolio.pdf", write_pdf(&PORTFOLIO, "/Collection<</Type/Collection>>")),
        ("unreadable.jpg", unreadable()),
        ("locked.pdf", locked.bytes),
    ]
}

/// Text of no known kind of document.
const LETTER: [&str; 5] = [
    "Dear neighbour,",
    "the garden club meets on Thursday at seven in the old mill.",
    "Please bring seeds, a chair and something warm to drink.",
    "We will plan the spring market and choose who waters the roses.",
    "With kind regards, the committee of the garden club",
];
/// The text that a viewer without XFA shows of such a form.
const FORM: [&str; 3] = [
    "Please wait...",
    "If this message is not eventually replaced by the proper contents of the document,",
    "your PDF viewer may not be able to display this type of document.",
];
/// The text that a viewer without portfolios shows of one.
const PORTFOLIO: [&str; 2] = [
    "For the best experience, open this PDF portfolio in a viewer that shows its files.",
    "The files of this portfolio are attached.",
];

fn write_pdf(lines: &[&str], catalog: &str) -> Vec<u8> {
    let extras = pdf::Extras { catalog: catalog.to_owned(), ..pdf::Extras::default() };
    pdf::draw_pdf_with(&[page(lines)], &extras)
}

fn page(lines: &[&str]) -> String {
    let line = |(row, text): (usize, &&str)| pdf::text_at(72.0, 700.0 - 24.0 * row as f64, 12.0, "", text);
    lines.iter().enumerate().map(line).collect()
}

/// Returns two payslips of one person in one file.
fn two_payslips() -> Vec<u8> {
    let payslip = |period, pay_date, earned, deducted, paid| {
        let rows = [
            "Textiles Río Quieto S.A. de C.V.",
            "RECIBO DE NÓMINA",
            "Nombre: Valeria Nopal Lozano",
            "CURP: NOLV020319MPLMDCA3",
            "RFC: NOLV020319339",
            "Puesto: Ejecutiva de ventas",
            period,
            pay_date,
            earned,
            deducted,
            paid,
        ];
        page(&rows)
    };
    let first = payslip(
        "Periodo: 2026-10-01 - 2026-10-15",
        "Fecha de pago: 2026-10-16",
        "Total percepciones: 7,015.05 MXN",
        "Total deducciones: 1,000.00 MXN",
        "Neto a pagar: 6,015.05 MXN",
    );
    let second = payslip(
        "Periodo: 2026-10-16 - 2026-10-31",
        "Fecha de pago: 2026-11-02",
        "Total percepciones: 7,340.00 MXN",
        "Total deducciones: 1,065.50 MXN",
        "Neto a pagar: 6,274.50 MXN",
    );
    pdf::draw_pdf_with(&[first, second], &pdf::Extras::default())
}

/// Returns the payslips of two people in one file.
fn two_people() -> Vec<u8> {
    let mut sheets = Vec::new();
    for seed in [1, 21] {
        let mut draw = Draw::new(seed);
        let truth = truth::invent(ArchiveType::Payslip, Country::Mx, &mut draw);
        sheets.extend(layouts::arrange(&truth, Layout::plain(Arrangement::Table), &mut draw));
    }
    pdf::text_pdf(&sheets, false)
}

/// Returns an image without text.
fn clouds() -> Vec<u8> {
    let tone = |x: u32, y: u32| {
        let wave = (x as f32 / 60.0).sin() * 40.0 + (y as f32 / 45.0).cos() * 40.0;
        Luma([(150.0 + wave) as u8])
    };
    let mut bytes = std::io::Cursor::new(Vec::new());
    GrayImage::from_fn(320, 240, tone).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Returns a JPEG with valid markers that cannot be decoded because its tables are missing.
fn unreadable() -> Vec<u8> {
    let mut bytes = b"\xFF\xD8\xFF\xE0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec();
    bytes.extend(b"\xFF\xC0\x00\x0B\x08\x01\xE0\x02\x80\x01\x01\x11\x00");
    bytes.extend(b"\xFF\xDA\x00\x08\x01\x01\x00\x00\x3F\x00\x12\x34\x56\xFF\xD9");
    bytes
}
