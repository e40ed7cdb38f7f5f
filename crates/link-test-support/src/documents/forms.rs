//! Makes a file in one of five forms from sheets.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, GrayImage, ImageFormat};
use link_types::archive::FileFormat;

use super::draw::Draw;
use super::pdf;
use super::photo::photo;
use super::raster::raster;
use super::scan::scan;
use super::sheet::Sheet;

/// The form of a sample's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// A PDF with a text layer.
    TextPdf,
    /// A PDF of scanned pages.
    ScannedPdf,
    /// A scan as PNG: the first page only.
    Png,
    /// A scan as TIFF, a page each.
    Tiff,
    /// A photo from a phone: the first page only.
    Photo,
}

/// Every form.
pub const FORMS: [Form; 5] = [Form::TextPdf, Form::ScannedPdf, Form::Png, Form::Tiff, Form::Photo];

impl Form {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TextPdf => "text",
            Self::ScannedPdf => "scan",
            Self::Png => "png",
            Self::Tiff => "tiff",
            Self::Photo => "photo",
        }
    }

    /// Returns the file format.
    pub fn format(self) -> FileFormat {
        match self {
            Self::TextPdf | Self::ScannedPdf => FileFormat::Pdf,
            Self::Png => FileFormat::Png,
            Self::Tiff => FileFormat::Tiff,
            Self::Photo => FileFormat::Jpeg,
        }
    }
}

/// Makes the file. Forms with a single image stack all pages vertically.
pub fn file(sheets: &[Sheet], form: Form, draw: &mut Draw) -> Vec<u8> {
    let dpi = *draw.pick(&[200.0, 240.0, 300.0]);
    let embedded = draw.once_in(2);
    let scans = |draw: &mut Draw| -> Vec<GrayImage> {
        sheets.iter().map(|sheet| scan(&raster(sheet, card_dpi(sheet, dpi)), draw)).collect()
    };
    match form {
        Form::TextPdf => pdf::text_pdf(sheets, embedded),
        Form::ScannedPdf => {
            let pictures: Vec<_> =
                scans(draw).iter().map(|page| (page.width(), page.height(), jpeg(page, 80))).collect();
            pdf::picture_pdf(&pictures, dpi)
        }
        Form::Png => {
            let mut bytes = Cursor::new(Vec::new());
            stack(&scans(draw)).write_to(&mut bytes, ImageFormat::Png).unwrap();
            bytes.into_inner()
        }
        Form::Tiff => {
            let mut bytes = Cursor::new(Vec::new());
            let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes)
                .unwrap()
                .with_compression(tiff::encoder::Compression::Lzw);
            for page in scans(draw) {
                encoder
                    .write_image::<tiff::encoder::colortype::Gray8>(page.width(), page.height(), &page)
                    .unwrap();
            }
            bytes.into_inner()
        }
        Form::Photo => {
            let pages: Vec<GrayImage> =
                sheets.iter().map(|sheet| raster(sheet, card_dpi(sheet, draw.real(185.0, 230.0)))).collect();
            jpeg(&photo(&stack(&pages), draw), 82)
        }
    }
}

/// Cards are small, so they are scanned and photographed at a higher resolution.
fn card_dpi(sheet: &Sheet, dpi: f32) -> f32 {
    if sheet.width < 500.0 { dpi.max(240.0) } else { dpi }
}

/// Stacks pages vertically. With several pages, keeps only the upper half of each, which has the content.
fn stack(pages: &[GrayImage]) -> GrayImage {
    let heights: Vec<u32> =
        pages.iter().map(|page| if pages.len() == 1 { page.height() } else { page.height() / 2 }).collect();
    let width = pages.iter().map(GrayImage::width).max().unwrap();
    let mut all = GrayImage::from_pixel(width, heights.iter().sum(), image::Luma([252]));
    let mut y = 0;
    for (page, height) in pages.iter().zip(&heights) {
        let part = image::imageops::crop_imm(page, 0, 0, page.width(), *height).to_image();
        image::imageops::replace(&mut all, &part, 0, y);
        y += i64::from(*height);
    }
    all
}

fn jpeg(page: &GrayImage, quality: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
    encoder.encode(page, page.width(), page.height(), ExtendedColorType::L8).unwrap();
    bytes
}
