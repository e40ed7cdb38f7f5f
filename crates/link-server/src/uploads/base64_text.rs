//! The contents of files as base64, in the variants that tools write.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose};

const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why a text is not base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Base64Error {
    /// A character of the text is not in an alphabet of base64.
    #[error("base64 (RFC 4648): the character at byte {byte} is not in its alphabet")]
    Character {
        /// The number of the character's first byte, from 1.
        byte: usize,
    },
    /// The text ends within a byte, or has characters after the padding.
    #[error("base64 (RFC 4648): the text is cut off, or goes on after its padding")]
    Length,
}

/// Decodes base64 in either alphabet, with line breaks and without padding, or the file of a `data:` URL in base64.
///
/// # Errors
///
/// The text is not base64.
pub fn decode(text: &str) -> Result<Vec<u8>, Base64Error> {
    let data = match text.strip_prefix("data:").and_then(|url| url.split_once(";base64,")) {
        Some((_, data)) => data,
        None => text,
    };
    let plain: Vec<u8> = data
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        })
        .collect();
    ENGINE.decode(plain).map_err(|_| {
        let is_foreign = |byte: &u8| {
            !byte.is_ascii_alphanumeric() && !b"+/-_=".contains(byte) && !byte.is_ascii_whitespace()
        };
        match data.as_bytes().iter().position(is_foreign) {
            Some(at) => Base64Error::Character { byte: text.len() - data.len() + at + 1 },
            None => Base64Error::Length,
        }
    })
}

/// Decodes the file of a `data:` URL in base64. `None` for any other text. The media type does not matter, because
/// decoders examine the content.
pub fn file(url: &str) -> Option<Vec<u8>> {
    let (_, file) = url.strip_prefix("data:")?.split_once(";base64,")?;
    general_purpose::STANDARD.decode(file).ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::one_line("+/+/QUI=")]
    #[case::line_breaks("+/+/\r\nQUI=\n")]
    #[case::url_alphabet("-_-_QUI=")]
    #[case::without_padding("+/+/QUI")]
    #[case::data_url("data:application/pdf;base64,+/+/QUI=")]
    #[case::data_url_with_a_name("data:application/pdf;name=p.pdf;base64,+/+/QUI=")]
    fn harmless_variants_are_decoded(#[case] text: &str) {
        assert_eq!(decode(text), Ok(b"\xFB\xFF\xBFAB".to_vec()));
    }

    #[rstest]
    #[case::foreign_character("QU I*=", Base64Error::Character { byte: 5 })]
    #[case::data_url_in_percent_encoding("data:application/pdf,QUI=", Base64Error::Character { byte: 5 })]
    #[case::foreign_character_in_a_data_url("data:;base64,QU!=", Base64Error::Character { byte: 16 })]
    #[case::cut_off("QUJDR", Base64Error::Length)]
    #[case::after_the_padding("QUI=QUI=", Base64Error::Length)]
    fn other_texts_are_rejected_with_the_byte(#[case] text: &str, #[case] error: Base64Error) {
        assert_eq!(decode(text), Err(error));
    }

    #[rstest]
    #[case::file("data:image/png;base64,iVA=", Some(b"\x89P".to_vec()))]
    #[case::other_scheme("https://example.com/;base64,iVA=", None)]
    #[case::not_base64("data:image/png,iVA=", None)]
    #[case::damaged("data:image/png;base64,iVA", None)]
    fn only_base64_data_urls_contain_a_file(#[case] url: &str, #[case] expected: Option<Vec<u8>>) {
        assert_eq!(file(url), expected);
    }
}
