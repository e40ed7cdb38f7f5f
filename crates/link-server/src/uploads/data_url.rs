//! Files in `data:` URLs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Decodes the file of a `data:` URL in base64. `None` for any other text. The media type does not matter, because
/// decoders examine the content.
pub fn file(url: &str) -> Option<Vec<u8>> {
    let (_, file) = url.strip_prefix("data:")?.split_once(";base64,")?;
    STANDARD.decode(file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::file("data:image/png;base64,iVA=", Some(b"\x89P".to_vec()))]
    #[case::other_scheme("https://example.com/;base64,iVA=", None)]
    #[case::not_base64("data:image/png,iVA=", None)]
    #[case::damaged("data:image/png;base64,iVA", None)]
    fn only_base64_data_urls_contain_a_file(#[case] url: &str, #[case] expected: Option<Vec<u8>>) {
        assert_eq!(file(url), expected);
    }
}
