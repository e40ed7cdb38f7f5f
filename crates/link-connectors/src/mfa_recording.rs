//! A provider's recording for a person: parsed and written again, so that only sound passes.

mod mp3;
mod wav;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub use wav::pcm;

/// The maximum size of a challenge's recording, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;

/// Why a recording is not passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// The text is not base64.
    #[error("it is not base64")]
    NotBase64,
    /// The file exceeds [`MAX_BYTES`].
    #[error("it is larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// The file is neither a WAV nor an MP3 file, or it is damaged.
    #[error("it is neither a WAV file with PCM nor an MP3 file, or it is damaged")]
    Unplayable,
}

/// Returns a recording as a `data:` URL, from the file in base64.
///
/// # Errors
///
/// [`RecordingError`] if browsers may be unable to play it.
pub fn data_url(encoded: &str) -> Result<String, RecordingError> {
    if encoded.len() > MAX_BYTES.div_ceil(3) * 4 {
        return Err(RecordingError::TooLarge);
    }
    let file = STANDARD.decode(encoded).map_err(|_| RecordingError::NotBase64)?;
    if file.len() > MAX_BYTES {
        return Err(RecordingError::TooLarge);
    }
    let (kind, sound) = if file.starts_with(b"RIFF") {
        ("wav", wav::only_sound(&file))
    } else {
        ("mpeg", mp3::only_sound(&file))
    };
    let sound = sound.ok_or(RecordingError::Unplayable)?;
    Ok(format!("data:audio/{kind};base64,{}", STANDARD.encode(sound)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data_url_from_file(file: &[u8]) -> Result<String, RecordingError> {
        data_url(&STANDARD.encode(file))
    }

    #[test]
    fn wav_and_mp3_become_data_urls() {
        let wav = data_url_from_file(&pcm(&[128; 4_000], 8_000)).unwrap();
        assert!(wav.starts_with("data:audio/wav;base64,UklGR"), "{wav}");
        let mp3 = data_url_from_file(&mp3::tests::frames(3)).unwrap();
        assert!(mp3.starts_with("data:audio/mpeg;base64,//"), "{mp3}");
    }

    #[test]
    fn other_damaged_and_large_files_are_rejected() {
        for file in [&b"OggS"[..], b"", b"RIFF", b"<svg onload=alert(1)>"] {
            assert_eq!(data_url_from_file(file), Err(RecordingError::Unplayable), "{file:?}");
        }
        assert_eq!(data_url("&"), Err(RecordingError::NotBase64));
        let largest = pcm(&vec![128; MAX_BYTES - 44], 8_000);
        assert!(data_url_from_file(&largest).is_ok());
        let larger = pcm(&vec![128; MAX_BYTES - 42], 8_000);
        assert_eq!(data_url_from_file(&larger), Err(RecordingError::TooLarge));
        assert_eq!(data_url(&"A".repeat(10 * MAX_BYTES)), Err(RecordingError::TooLarge));
    }
}
