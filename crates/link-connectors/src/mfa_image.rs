//! A provider's image for a person: decoded and re-encoded, so that only pixels pass.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The maximum number of pixels of a challenge's image.
const MAX_PIXELS: u32 = 1_000_000;
/// The decoder's memory limit, in bytes.
const MEMORY: usize = 8 * 1024 * 1024;

/// Returns a PNG file as a `data:` URL, re-encoded. `None` if it is damaged, too large, or not a PNG.
pub fn data_url(file: &[u8]) -> Option<String> {
    let limits = png::Limits { bytes: MEMORY };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    width.checked_mul(height).filter(|pixels| *pixels <= MAX_PIXELS)?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    let mut encoded = Vec::new();
    let mut encoder = png::Encoder::new(&mut encoded, width, height);
    encoder.set_color(frame.color_type);
    encoder.set_depth(frame.bit_depth);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels.get(..frame.buffer_size())?).ok()?;
    writer.finish().ok()?;
    Some(format!("data:image/png;base64,{}", STANDARD.encode(encoded)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, text: Option<&str>) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        if let Some(text) = text {
            encoder.add_text_chunk("Comment".to_owned(), text.to_owned()).unwrap();
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![200; (width * height) as usize]).unwrap();
        writer.finish().unwrap();
        file
    }

    #[test]
    fn data_url_contains_only_pixels() {
        let mut file = png(4, 4, Some("canary"));
        file.extend_from_slice(b"<script>canary</script>");
        let url = data_url(&file).unwrap();
        let passed = STANDARD.decode(url.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        assert!(!passed.windows(6).any(|it| it == b"canary"));
        assert!(passed.starts_with(b"\x89PNG"));
    }

    #[test]
    fn invalid_damaged_or_large_image_is_rejected() {
        assert_eq!(data_url(b"GIF89a"), None);
        assert_eq!(data_url(&png(4, 4, None)[..40]), None);
        assert_eq!(data_url(&png(1_001, 1_000, None)), None);
    }
}
