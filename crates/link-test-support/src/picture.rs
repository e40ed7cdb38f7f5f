//! Images of noise, and of one color.

/// Returns a PNG of about `bytes` bytes: its pixels are noise, so they do not compress.
pub fn picture(bytes: usize) -> Vec<u8> {
    let side = (bytes as f64 / 3.0).sqrt().ceil() as u32;
    let mut noise = 0x2545_f491_u32;
    let pixels: Vec<u8> = (0..side * side * 3)
        .map(|_| {
            noise ^= noise << 13;
            noise ^= noise >> 17;
            noise ^= noise << 5;
            noise.to_le_bytes()[0]
        })
        .collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

/// Returns a PNG of one color, as a logo.
pub fn logo_png(width: u32, height: u32, color: [u8; 3]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let pixels = color.repeat((width * height) as usize);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}
