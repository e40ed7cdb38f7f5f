//! Bad JPEGs: only the markers matter here, not the coded data.

use link_types::archive::FileFault::{Damaged, ExtraBytes, TooManyPixels, UnsupportedFormat};

use super::parts::{BadFile, bad, zip};

pub(super) fn files() -> Vec<BadFile> {
    let whole = image(0xC0, 8, 8, b"");
    vec![
        bad("50000-pixels.jpg", TooManyPixels, image(0xC0, 50_000, 50_000, b"")),
        bad("no-height.jpg", Damaged, image(0xC0, 8, 0, b"")),
        bad("cut.jpg", Damaged, &whole[..whole.len() - 2]),
        bad("no-picture.jpg", Damaged, *b"\xFF\xD8\xFF\xE0\x00\x04\0\0\xFF\xD9"),
        bad("segment-beyond-the-end.jpg", Damaged, *b"\xFF\xD8\xFF\xE0\xFF\xFFJFIF\0\xFF\xD9"),
        bad("lossless.jpg", UnsupportedFormat, image(0xC3, 8, 8, b"")),
        bad("jpeg-and-zip.jpg", ExtraBytes, [whole, zip()].concat()),
        bad("pdf-in-comment.jpg", ExtraBytes, image(0xC0, 8, 8, b"%PDF-1.7\n1 0 obj<<>>endobj")),
    ]
}

fn image(frame: u8, width: u16, height: u16, comment: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8];
    let mut segment = |marker: u8, content: &[u8]| {
        bytes.extend([0xFF, marker]);
        bytes.extend(u16::try_from(content.len() + 2).unwrap().to_be_bytes());
        bytes.extend(content);
    };
    segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    if !comment.is_empty() {
        segment(0xFE, comment);
    }
    let [h1, h0] = height.to_be_bytes();
    let [w1, w0] = width.to_be_bytes();
    segment(frame, &[8, h1, h0, w1, w0, 1, 1, 0x11, 0]);
    segment(0xDA, &[1, 1, 0, 0, 63, 0]);
    bytes.extend([0x12, 0x34, 0xFF, 0x00, 0x56, 0xFF, 0xD9]);
    bytes
}
