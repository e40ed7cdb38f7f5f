//! The picture of an image challenge: a short text in distorted letters, crossed by lines.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The size of a letter's dot, in pixels.
const DOT: usize = 8;
/// A letter's size in dots.
const LETTER: (usize, usize) = (5, 7);
const MARGIN: usize = 2;

/// Returns the text's picture as a PNG file. Letters without a shape here stay blank. Each number draws another picture.
pub(super) fn draw(text: &str, number: u8) -> Vec<u8> {
    let number = usize::from(number);
    let width = (text.chars().count() * (LETTER.0 + 1) + 2 * MARGIN) * DOT;
    let height = (LETTER.1 + 2 * MARGIN + 2) * DOT;
    let mut pixels = vec![244_u8; width * height];
    let mut ink = |x: usize, y: usize, shade: u8| {
        if let Some(pixel) = pixels.get_mut(y * width + x).filter(|_| x < width) {
            *pixel = shade;
        }
    };
    for (position, letter) in text.chars().enumerate() {
        for (row, dots) in shape(letter).into_iter().enumerate() {
            for column in (0..LETTER.0).filter(|column| (dots >> (LETTER.0 - 1 - column)) & 1 == 1) {
                // Letters are vertically offset from each other.
                let left = (MARGIN + position * (LETTER.0 + 1) + column) * DOT + row;
                let top = (MARGIN + row) * DOT + ((position + number) * 5) % 13;
                for pixel in 0..DOT * DOT {
                    ink(left + pixel % DOT, top + pixel / DOT, 40);
                }
            }
        }
    }
    for x in 0..width {
        for line in 1..4 {
            let y = line * height / 4 + ((x + 31 * number) * line / 9) % 23;
            ink(x, y, 120);
            ink(x, y + 1, 120);
        }
    }
    encode(&pixels, width, height).unwrap_or_default()
}

/// Returns a PNG file as a `data:` URL.
pub(super) fn data_url(file: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(file))
}

/// Encodes shades of gray as a PNG file.
pub(super) fn encode(pixels: &[u8], width: usize, height: usize) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}

/// Returns a letter's dots, one number per row.
const fn shape(letter: char) -> [u8; 7] {
    match letter {
        'K' => [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
        'M' => [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
        '4' => [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        '7' => [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
        _ => [0; 7],
    }
}
