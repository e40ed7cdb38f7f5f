//! TIFF files of scanners and fax programs.

use std::io::Cursor;

use fax::{Color, VecWriter, encoder};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};
use link_types::archive::FileFormat;
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, TiffValue, colortype};
use tiff::tags::Tag;

use super::{Encoded, assert_shown, page};

/// Packs samples of a few bits each. Every row begins with a new byte.
pub fn bits(page: &GrayImage, count: u8, sample: impl Fn(u8) -> u8) -> Vec<u8> {
    let in_byte = 8 / usize::from(count);
    let pack = |samples: &[u8]| {
        let shift = |at: usize| (in_byte - 1 - at) * usize::from(count);
        samples.iter().enumerate().fold(0, |byte, (at, light)| byte | (sample(*light) << shift(at)))
    };
    let rows = page.as_raw().chunks_exact(page.width() as usize);
    rows.flat_map(|row| row.chunks(in_byte).map(pack).collect::<Vec<u8>>()).collect()
}

/// Encodes a page as fax group 4.
pub fn fax(page: &GrayImage) -> Vec<u8> {
    let mut encoder = encoder::Encoder::new(VecWriter::new());
    let width = u16::try_from(page.width()).unwrap();
    for row in page.as_raw().chunks_exact(page.width() as usize) {
        let colors = row.iter().map(|light| if *light < 128 { Color::Black } else { Color::White });
        encoder.encode_line(colors, width).unwrap();
    }
    encoder.finish().unwrap().finish()
}

fn encode_tiff<C: colortype::ColorType>(
    samples: &[C::Inner],
    compression: Compression,
    tag: (Tag, u16),
) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    encode_sized::<C>(page().dimensions(), samples, compression, tag)
}

fn encode_sized<C: colortype::ColorType>(
    (width, height): (u32, u32),
    samples: &[C::Inner],
    compression: Compression,
    (tag, value): (Tag, u16),
) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap().with_compression(compression);
    let mut image = encoder.new_image::<C>(width, height).unwrap();
    image.encoder().write_tag(tag, value).unwrap();
    image.write_data(samples).unwrap();
    bytes.into_inner()
}

/// Returns a TIFF with one strip of bits.
fn of_bits(big_endian: bool, compression: u16, photometric: u16, data: &[u8]) -> Vec<u8> {
    let page = page();
    let (short, long) = (3_u16, 4_u16);
    let strip = 8 + 2 + 12 * 9 + 4;
    let entries: [(u16, u16, u32); 9] = [
        (256, long, page.width()),
        (257, long, page.height()),
        (258, short, 1),
        (259, short, compression.into()),
        (262, short, photometric.into()),
        (273, long, strip),
        (277, short, 1),
        (278, long, page.height()),
        (279, long, u32::try_from(data.len()).unwrap()),
    ];
    let two = |value: u16| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let four = |value: u32| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut bytes = if big_endian { b"MM".to_vec() } else { b"II".to_vec() };
    bytes.extend([two(42).as_slice(), &four(8), &two(9)].concat());
    for (tag, kind, value) in entries {
        let value = if kind == short {
            [two(u16::try_from(value).unwrap()).as_slice(), &[0; 2]].concat()
        } else {
            four(value).to_vec()
        };
        bytes.extend([two(tag).as_slice(), &two(kind), &four(1), &value].concat());
    }
    bytes.extend([&[0; 4], data].concat());
    bytes
}

#[test]
fn every_tiff_encoding_is_read() {
    let page = DynamicImage::ImageLuma8(page());
    let gray = page.to_luma8();
    let none = (Tag::Orientation, 1);
    let ink: Vec<u8> = gray.iter().flat_map(|light| [0, 0, 0, 255 - light]).collect();
    let luma: Vec<u8> = gray.iter().flat_map(|light| [*light, 128, 128]).collect();
    let mut files: Vec<Encoded> = vec![
        (
            "gray, 16 bits".into(),
            encode_tiff::<colortype::Gray16>(&page.to_luma16(), Compression::Uncompressed, none),
        ),
        ("color".into(), encode_tiff::<colortype::RGB8>(&page.to_rgb8(), Compression::Uncompressed, none)),
        (
            "color, 16 bits".into(),
            encode_tiff::<colortype::RGB16>(&page.to_rgb16(), Compression::Uncompressed, none),
        ),
        (
            "transparent".into(),
            encode_tiff::<colortype::RGBA8>(&page.to_rgba8(), Compression::Uncompressed, none),
        ),
        ("ink".into(), encode_tiff::<colortype::CMYK8>(&ink, Compression::Uncompressed, none)),
        ("luma".into(), encode_tiff::<colortype::YCbCr8>(&luma, Compression::Uncompressed, none)),
    ];
    for (way, compression) in [
        ("uncompressed", Compression::Uncompressed),
        ("LZW", Compression::Lzw),
        ("deflate", Compression::Deflate(DeflateLevel::Best)),
        ("pack bits", Compression::Packbits),
    ] {
        files.push((format!("gray, {way}"), encode_tiff::<colortype::Gray8>(&gray, compression, none)));
        files.push((
            format!("color, {way}"),
            encode_tiff::<colortype::RGB8>(&page.to_rgb8(), compression, none),
        ));
    }
    let dark = |is_ink: u8| bits(&gray, 1, |light| if light < 128 { is_ink } else { 1 - is_ink });
    for big_endian in [false, true] {
        files.push((format!("bits, 0 is white, {big_endian}"), of_bits(big_endian, 1, 0, &dark(1))));
        files.push((format!("bits, 0 is black, {big_endian}"), of_bits(big_endian, 1, 1, &dark(0))));
        files.push((format!("fax group 4, {big_endian}"), of_bits(big_endian, 4, 0, &fax(&gray))));
    }
    for number in 2..=8_u8 {
        let back = match number {
            6 => 8,
            8 => 6,
            other => other,
        };
        let mut stored = page.clone();
        stored.apply_orientation(Orientation::from_exif(back).unwrap());
        let stored = stored.into_luma8();
        let tag = (Tag::Orientation, number.into());
        let bytes = encode_sized::<colortype::Gray8>(stored.dimensions(), &stored, Compression::Lzw, tag);
        files.push((format!("orientation {number}"), bytes));
    }
    assert_shown(FileFormat::Tiff, &files);
}
