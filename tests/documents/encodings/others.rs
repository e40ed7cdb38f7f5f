//! PNG, WebP, HEIC and PDF files.

use std::io::Cursor;

use heifer::heifer_isobmff::HeifFile;
use heifer::heifer_isobmff::writer::{HeifWriter, ImageSpec};
use image::{DynamicImage, GrayImage, ImageFormat};
use link_documents::inspection::inspect;
use link_test_support::bad_files::deflate;
use link_test_support::bad_files::pdf::{hex, letters_85};
use link_test_support::documents::pdf::encode_pdf;
use link_types::archive::{FileFault, FileFormat};

use super::tiffs::{bits, fax};
use super::{Encoded, assert_shown, assert_shown_alike, page};
use crate::trusted::read_file;
use crate::trusted::turned::{assert_read, scan};

pub fn png(page: &GrayImage) -> Vec<u8> {
    encode_picture(&DynamicImage::ImageLuma8(page.clone()), ImageFormat::Png)
}

fn encode_picture(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Returns the page in every color type that `image` has.
fn pictures() -> [(&'static str, DynamicImage); 8] {
    let page = DynamicImage::ImageLuma8(page());
    [
        ("gray", page.clone()),
        ("gray, transparent", DynamicImage::ImageLumaA8(page.to_luma_alpha8())),
        ("gray, 16 bits", DynamicImage::ImageLuma16(page.to_luma16())),
        ("gray, transparent, 16 bits", DynamicImage::ImageLumaA16(page.to_luma_alpha16())),
        ("color", DynamicImage::ImageRgb8(page.to_rgb8())),
        ("color, transparent", DynamicImage::ImageRgba8(page.to_rgba8())),
        ("color, 16 bits", DynamicImage::ImageRgb16(page.to_rgb16())),
        ("color, transparent, 16 bits", DynamicImage::ImageRgba16(page.to_rgba16())),
    ]
}

/// Returns a PNG with few bits per sample, of gray or of a palette that is darkest at its end.
fn small_png(depth: png::BitDepth, has_palette: bool) -> Vec<u8> {
    let page = page();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, page.width(), page.height());
    encoder.set_depth(depth);
    encoder.set_color(if has_palette { png::ColorType::Indexed } else { png::ColorType::Grayscale });
    let count = depth as u8;
    let most = u8::MAX >> (8 - count);
    if has_palette {
        encoder.set_palette((0..=most).flat_map(|at| [255 - 255 / most * at; 3]).collect::<Vec<u8>>());
    }
    let sample = |light: u8| if (light > 128) == has_palette { 0 } else { most };
    let packed = bits(&page, count, sample);
    encoder.write_header().unwrap().write_image_data(&packed).unwrap();
    bytes
}

#[test]
fn every_png_encoding_is_read() {
    use png::BitDepth::{Eight, Four, One, Two};
    let mut files: Vec<Encoded> = pictures()
        .map(|(name, picture)| (name.to_owned(), encode_picture(&picture, ImageFormat::Png)))
        .into();
    for depth in [One, Two, Four, Eight] {
        for has_palette in [false, true] {
            files.push((format!("{depth:?}, palette: {has_palette}"), small_png(depth, has_palette)));
        }
    }
    assert_shown(FileFormat::Png, &files);
}

#[test]
fn every_webp_encoding_is_read() {
    let eight_bits = pictures().into_iter().filter(|(name, _)| !name.contains("16"));
    let files: Vec<Encoded> = eight_bits
        .map(|(name, picture)| (name.to_owned(), encode_picture(&picture, ImageFormat::WebP)))
        .collect();
    assert_shown(FileFormat::Webp, &files);
    let cut = &files[0].1[..files[0].1.len() / 2];
    assert_eq!(inspect(cut), Err(FileFault::Damaged));
}

fn heic(page: &GrayImage) -> Vec<u8> {
    let samples: Vec<u8> = page.iter().flat_map(|light| [*light; 3]).collect();
    let options = heifer::EncodeOptions { quality: 60, max_threads: 1 };
    heifer::encode_rgb8(page.width(), page.height(), &samples, &options).unwrap()
}

#[test]
fn heic_is_read_and_a_damaged_one_rejected() {
    let whole = heic(&page());
    let with = |after: &[u8]| [whole.as_slice(), after].concat();
    let files: Vec<Encoded> = vec![
        ("HEIC".to_owned(), whole.clone()),
        ("zeros after it".to_owned(), with(&[0; 4_000])),
        ("a film after it".to_owned(), with(&[b"\0\0\x03\xF0mpvd".as_slice(), &[7; 1_000]].concat())),
    ];
    assert_shown(FileFormat::Heic, &files);
    for (name, bytes, fault) in [
        ("half", whole[..whole.len() / 2].to_vec(), FileFault::Damaged),
        ("only its head", whole[..24].to_vec(), FileFault::Damaged),
        ("a ZIP at its end", with(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), FileFault::ExtraBytes),
    ] {
        assert_eq!(inspect(&bytes), Err(fault), "{name}");
    }
}

#[test]
fn heic_that_repeats_a_large_tile_is_rejected() {
    let white = GrayImage::from_pixel(512, 512, image::Luma([255]));
    let small = heic(&white);
    let small = HeifFile::parse(&small).unwrap();
    let config = small.hevc_config(small.primary_id).unwrap().unwrap().clone();
    // Each slice follows its length.
    let slices = [small.item_data(small.primary_id).unwrap()[4..].to_vec()];
    let grid = |side: u16, declared: u32| {
        let mut file = HeifWriter::new();
        let tile = ImageSpec::new(512, 512, config.clone(), &slices);
        let tile = file.add_image(&ImageSpec { hidden: true, ..tile });
        let tiles = vec![tile; usize::from(side) * usize::from(side)];
        let grid = file.add_grid(side, side, declared, declared, &tiles, None, None);
        file.set_primary(grid);
        file.finish()
    };
    let found = inspect(&grid(2, 1_024)).unwrap();
    assert_eq!((found.format, found.pixels), (FileFormat::Heic, 1_024 * 1_024));
    let bytes = grid(20, 512);
    assert!(bytes.len() < 4_000);
    assert_eq!(inspect(&bytes), Err(FileFault::TooManyPixels));
}

#[test]
fn heic_photo_in_tiles_is_read_as_a_document() {
    let page = scan(150.0);
    assert!(page.width() > 512, "the encoder writes tiles of 512 pixels, as phones do");
    assert_read(&read_file(FileFormat::Heic, heic(&page)), "in tiles");
}

#[test]
fn heic_of_libheif_says_the_same_as_its_pdf() {
    let photo = include_bytes!("../payslip.heic").to_vec();
    let pdf = include_bytes!("../../../docs/samples/payslip-mx.pdf").to_vec();
    let found = inspect(&photo).unwrap();
    assert_eq!((found.format, found.pages, found.pixels), (FileFormat::Heic, 1, 1_275 * 1_650));
    let (photo, pdf) = (read_file(FileFormat::Heic, photo), read_file(FileFormat::Pdf, pdf));
    let same = pdf.iter().filter(|(name, (value, _))| photo.get(*name).is_some_and(|it| it.0 == *value));
    assert!(pdf.len() >= 7, "{pdf:?}");
    assert!(same.count() + 1 >= pdf.len(), "{photo:?} instead of {pdf:?}");
}

#[test]
fn every_picture_encoding_of_a_pdf_is_read() {
    let page = page();
    let (size, gray) = (page.dimensions(), page.as_raw().as_slice());
    let one_bit = |is_ink: u8| bits(&page, 1, |light| if light < 128 { is_ink } else { 1 - is_ink });
    let color: Vec<u8> = gray.iter().flat_map(|light| [*light; 3]).collect();
    let ink: Vec<u8> = gray.iter().flat_map(|light| [0, 0, 0, 255 - light]).collect();
    let indices = bits(&page, 4, |light| if light < 128 { 5 } else { 2 });
    let fourth = format!(
        "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns {}/Rows {}>>",
        size.0, size.1
    );
    let palette = "/ColorSpace[/Indexed/DeviceGray 5<0000FF000000>]/BitsPerComponent 4/Filter/FlateDecode";
    let gray8 = "/ColorSpace/DeviceGray/BitsPerComponent 8";
    let files: Vec<Encoded> = [
        (format!("{gray8}/Filter/FlateDecode"), deflate(gray)),
        (gray8.to_owned(), gray.to_vec()),
        (format!("{gray8}/Filter/ASCIIHexDecode"), hex(gray).into()),
        (format!("{gray8}/Filter/ASCII85Decode"), letters_85(gray).into()),
        ("/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode".to_owned(), deflate(&color)),
        ("/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/FlateDecode".to_owned(), deflate(&ink)),
        ("/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode".to_owned(), deflate(&one_bit(0))),
        (
            "/ColorSpace/DeviceGray/BitsPerComponent 1/Decode[1 0]/Filter/FlateDecode".to_owned(),
            deflate(&one_bit(1)),
        ),
        ("/ImageMask true/BitsPerComponent 1/Filter/FlateDecode".to_owned(), deflate(&one_bit(0))),
        (palette.to_owned(), deflate(&indices)),
        (fourth, fax(&page)),
    ]
    .map(|(entries, data)| {
        let pdf = encode_pdf([(size, entries.as_str(), data.as_slice())].into_iter(), 72.0);
        (entries, pdf)
    })
    .into();
    // A drawn page has the resolution of a scan, so that its pictures are compared with one another.
    assert_shown_alike(FileFormat::Pdf, &files);
}
