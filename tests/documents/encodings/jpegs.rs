//! JPEG files as cameras, phones and programs write them.

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use link_documents::inspection::inspect;
use link_types::archive::{FileFault, FileFormat};

use super::{Encoded, assert_shown, page};

/// A kind of JPEG.
#[derive(Clone, Copy, Debug)]
struct Kind {
    color: ColorType,
    is_progressive: bool,
    restarts: u16,
    sampling: SamplingFactor,
}

const PLAIN: Kind =
    Kind { color: ColorType::Rgb, is_progressive: false, restarts: 0, sampling: SamplingFactor::R_4_2_0 };

fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for color in [ColorType::Luma, ColorType::Rgb, ColorType::Cmyk, ColorType::CmykAsYcck] {
        for is_progressive in [false, true] {
            for restarts in [0, 5] {
                for sampling in [SamplingFactor::R_4_4_4, SamplingFactor::R_4_2_2, SamplingFactor::R_4_2_0] {
                    // The other kinds of inks are below.
                    if color != ColorType::Cmyk || sampling == SamplingFactor::R_4_4_4 {
                        kinds.push(Kind { color, is_progressive, restarts, sampling });
                    }
                }
            }
        }
    }
    kinds
}

/// Encodes a page, with these segments before the picture.
fn jpeg(page: &GrayImage, kind: Kind, segments: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 88);
    encoder.set_progressive(kind.is_progressive);
    encoder.set_sampling_factor(kind.sampling);
    if kind.restarts > 0 {
        encoder.set_restart_interval(kind.restarts);
    }
    for (number, segment) in segments {
        encoder.add_app_segment(*number, segment.clone()).unwrap();
    }
    let samples: Vec<u8> = if kind.color == ColorType::Luma {
        page.to_vec()
    } else if kind.color == ColorType::Rgb {
        page.iter().flat_map(|light| [*light; 3]).collect()
    } else {
        // A page is black or of all three colors.
        let inks = |ink: u8| if kind.restarts == 0 { [0, 0, 0, ink] } else { [ink, ink, ink, 0] };
        page.iter().flat_map(|light| inks(255 - light)).collect()
    };
    let side = |length: u32| u16::try_from(length).unwrap();
    encoder.encode(&samples, side(page.width()), side(page.height()), kind.color).unwrap();
    bytes
}

/// The bytes that cameras and phones write after a picture.
fn tails(picture: &[u8]) -> [(&'static str, Vec<u8>); 8] {
    let note = b"\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1700000000000SEFH\x6b\0\0\0\x01\0\0\0\0\0\x01\x0aSEFT";
    [
        ("nothing", Vec::new()),
        ("64 zeros", vec![0; 64]),
        ("44,758 zeros", vec![0; 44_758]),
        ("a note", note.to_vec()),
        ("a film", [b"\0\0\0\x18ftypmp42\0\0\0\0isommp42".as_slice(), &[7; 100_000]].concat()),
        ("zeros and a picture", [&[0; 300], picture].concat()),
        ("filling and a picture", [&[0xFF; 100], picture].concat()),
        ("half a picture", picture[..picture.len() / 2].to_vec()),
    ]
}

#[test]
fn every_jpeg_kind_with_every_tail_is_read() {
    let files: Vec<Encoded> = kinds()
        .into_iter()
        .flat_map(|kind| {
            let picture = jpeg(&page(), kind, &[]);
            let files = tails(&picture).map(|(tail, bytes)| {
                (format!("{kind:?} before {tail}"), [picture.as_slice(), &bytes].concat())
            });
            files.into_iter().collect::<Vec<_>>()
        })
        .collect();
    assert!(files.len() >= 300);
    assert_shown(FileFormat::Jpeg, &files);
}

#[test]
fn jpeg_sampled_unusually_is_read_or_rejected() {
    use SamplingFactor::{R_4_1_0, R_4_1_1, R_4_2_0, R_4_2_2, R_4_4_0, R_4_4_1, R_4_4_4};
    let colors = [ColorType::Rgb, ColorType::Cmyk, ColorType::CmykAsYcck];
    let mut read: Vec<Encoded> = Vec::new();
    for color in colors {
        for is_progressive in [false, true] {
            for sampling in [R_4_1_0, R_4_1_1, R_4_2_0, R_4_2_2, R_4_4_0, R_4_4_1, R_4_4_4] {
                let kind = Kind { color, is_progressive, restarts: 0, sampling };
                let bytes = jpeg(&page(), kind, &[]);
                // Black has more width than the colors, or a distance has four rows or eight samples.
                let is_odd = matches!(sampling, R_4_1_0 | R_4_4_1)
                    || color == ColorType::Cmyk && matches!(sampling, R_4_1_1 | R_4_2_0 | R_4_2_2);
                if is_odd {
                    assert_eq!(inspect(&bytes), Err(FileFault::UnsupportedFormat), "{kind:?}");
                } else {
                    read.push((format!("{kind:?}"), bytes));
                }
            }
        }
    }
    // libjpeg, which Pillow uses, gives all inks but the first half of the width and height.
    read.push(("CMYK of libjpeg".to_owned(), include_bytes!("../cmyk.jpg").to_vec()));
    assert_shown(FileFormat::Jpeg, &read);
}

/// Returns EXIF data that contains an orientation.
fn exif(orientation: u8) -> (u8, Vec<u8>) {
    let tag = [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0];
    (1, [b"Exif\0\0II\x2A\0\x08\0\0\0\x01\0".as_slice(), &tag].concat())
}

#[test]
fn every_orientation_of_a_jpeg_is_honoured() {
    let files: Vec<Encoded> = (1..=8)
        .map(|number| {
            let back = match number {
                6 => 8,
                8 => 6,
                other => other,
            };
            let mut stored = DynamicImage::ImageLuma8(page());
            stored.apply_orientation(Orientation::from_exif(back).unwrap());
            let bytes = jpeg(&stored.into_luma8(), PLAIN, &[exif(number)]);
            (format!("orientation {number}"), bytes)
        })
        .collect();
    assert_shown(FileFormat::Jpeg, &files);
}

#[test]
fn jpegs_with_many_segments_or_stray_bytes_are_read() {
    let picture = jpeg(&page(), PLAIN, &[]);
    let mut files: Vec<Encoded> = [
        ("a small picture in the EXIF data", (1, [b"Exif\0\0".as_slice(), &picture].concat())),
        ("a long XMP text", (1, [b"http://ns.adobe.com/xap/1.0/\0".as_slice(), &[b' '; 60_000]].concat())),
        ("a color profile", (2, [b"ICC_PROFILE\0\x01\x01".as_slice(), &[0; 3_000]].concat())),
        ("a list of pictures", (2, [b"MPF\0".as_slice(), &[0; 80]].concat())),
        ("a maker's note", (11, vec![0xD8; 5_000])),
    ]
    .map(|(name, segment)| (name.to_owned(), jpeg(&page(), PLAIN, &[segment])))
    .into();
    // The first segment begins at byte 2, with its marker and its length.
    let second = 4 + usize::from(u16::from_be_bytes([picture[4], picture[5]]));
    for stray in [b"\0".as_slice(), b"\0\0\0\0", b"\xFF\xFF\xFF", b"words between segments"] {
        let bytes = [&picture[..second], stray, &picture[second..]].concat();
        files.push((format!("{stray:?} between segments"), bytes));
    }
    assert_shown(FileFormat::Jpeg, &files);
}
