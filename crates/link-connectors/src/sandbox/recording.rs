//! The recording of an image challenge: its text in Morse code, because the sandbox has no voice.

use std::iter::repeat_n;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::mfa_recording;

const RATE: u32 = 8_000;
/// Samples of a dot: 0.1 s. A dash and the pause between letters are three dots long.
const DOT: usize = 800;
/// One wave of the tone, which has 667 Hz.
const WAVE: [u8; 12] = [128, 173, 206, 218, 206, 173, 128, 83, 50, 38, 50, 83];
const SILENCE: u8 = 128;

/// Returns the text's recording as a `data:` URL. Letters without a code here stay silent.
pub(super) fn to_data_url(text: &str) -> String {
    let mut samples = Vec::new();
    for letter in text.chars() {
        for sign in morse(letter).chars() {
            let length = if sign == '-' { 3 * DOT } else { DOT };
            samples.extend(WAVE.into_iter().cycle().take(length));
            samples.extend(repeat_n(SILENCE, DOT));
        }
        samples.extend(repeat_n(SILENCE, 2 * DOT));
    }
    format!("data:audio/wav;base64,{}", STANDARD.encode(mfa_recording::pcm(&samples, RATE)))
}

const fn morse(letter: char) -> &'static str {
    match letter {
        'K' => "-.-",
        'M' => "--",
        '4' => "....-",
        '7' => "--...",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the signs that a listener hears, with a space between letters.
    fn listen(recording: &str) -> String {
        let file = STANDARD.decode(recording.strip_prefix("data:audio/wav;base64,").unwrap()).unwrap();
        let dots: Vec<bool> = file[44..].chunks(DOT).map(|dot| dot.iter().any(|it| *it != SILENCE)).collect();
        let parts = dots.chunk_by(|one, next| one == next);
        parts
            .map(|part| match (part[0], part.len()) {
                (true, 1) => ".",
                (true, _) => "-",
                (false, 1) => "",
                (false, _) => " ",
            })
            .collect()
    }

    #[test]
    fn recording_plays_each_letter_in_morse_code() {
        assert_eq!(listen(&to_data_url("K7M4")).trim(), "-.- --... -- ....-");
    }

    #[test]
    fn recording_is_accepted_like_that_of_a_connector() {
        let recording = to_data_url("K7M4");
        let (_, file) = recording.split_once(',').unwrap();
        assert_eq!(mfa_recording::data_url(file), Ok(recording.clone()));
        assert!(recording.len() < 64 * 1024, "{} bytes", recording.len());
    }
}
