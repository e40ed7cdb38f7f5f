//! WAV files with uncompressed samples (PCM), which every browser plays.

/// Size of the header that [`write_wav`] writes.
const HEADER: usize = 44;

/// The format of the samples.
#[derive(Clone, Copy)]
struct Format {
    channels: u16,
    rate: u32,
    bits: u16,
}

impl Format {
    /// Reads a `fmt ` chunk. `None` if it is not PCM, or unusual.
    fn read(chunk: &[u8]) -> Option<Self> {
        let short = |at: usize| Some(u16::from_le_bytes(chunk.get(at..at + 2)?.try_into().ok()?));
        let format = Self {
            channels: short(2)?,
            rate: u32::from_le_bytes(chunk.get(4..8)?.try_into().ok()?),
            bits: short(14)?,
        };
        let is_usual = short(0)? == 1
            && matches!(format.channels, 1 | 2)
            && matches!(format.bits, 8 | 16)
            && (8_000..=48_000).contains(&format.rate);
        is_usual.then_some(format)
    }

    /// Returns the bytes of one sample of all channels.
    const fn frame(self) -> u16 {
        self.channels * (self.bits / 8)
    }
}

/// Returns a file with only the samples. `None` if it is damaged, has no samples, or is not PCM.
pub(super) fn only_sound(file: &[u8]) -> Option<Vec<u8>> {
    let mut rest = file.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WAVE")?;
    let mut format = None;
    loop {
        let (name, after) = rest.split_at_checked(4)?;
        let (length, after) = after.split_at_checked(4)?;
        let length = usize::try_from(u32::from_le_bytes(length.try_into().ok()?)).ok()?;
        let chunk = after.get(..length)?;
        match name {
            b"fmt " => format = Some(Format::read(chunk)?),
            b"data" => {
                let format = format?;
                let samples = chunk.len() - chunk.len() % usize::from(format.frame());
                return (samples > 0).then(|| write_wav(chunk.get(..samples).unwrap_or_default(), format));
            }
            _ => {}
        }
        // Chunks begin at even positions.
        rest = after.get(length + length % 2..)?;
    }
}

/// Returns a file with one channel of 8-bit samples.
pub fn pcm(samples: &[u8], rate: u32) -> Vec<u8> {
    write_wav(samples, Format { channels: 1, rate, bits: 8 })
}

fn write_wav(samples: &[u8], format: Format) -> Vec<u8> {
    let length = u32::try_from(samples.len()).unwrap_or(u32::MAX);
    let mut file = Vec::with_capacity(HEADER + samples.len() + 1);
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&length.saturating_add(36 + length % 2).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0");
    file.extend_from_slice(&format.channels.to_le_bytes());
    file.extend_from_slice(&format.rate.to_le_bytes());
    file.extend_from_slice(&(format.rate * u32::from(format.frame())).to_le_bytes());
    file.extend_from_slice(&format.frame().to_le_bytes());
    file.extend_from_slice(&format.bits.to_le_bytes());
    file.extend_from_slice(b"data");
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(samples);
    file.resize(file.len() + samples.len() % 2, 0);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file with these chunks.
    fn riff(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut file = b"RIFF\0\0\0\0WAVE".to_vec();
        for (name, chunk) in chunks {
            file.extend_from_slice(*name);
            file.extend_from_slice(&u32::try_from(chunk.len()).unwrap().to_le_bytes());
            file.extend_from_slice(chunk);
            file.resize(file.len() + chunk.len() % 2, 0);
        }
        file
    }

    fn fmt(codec: u16, channels: u16, rate: u32, bits: u16) -> Vec<u8> {
        let mut chunk = codec.to_le_bytes().to_vec();
        chunk.extend_from_slice(&channels.to_le_bytes());
        chunk.extend_from_slice(&rate.to_le_bytes());
        chunk.extend_from_slice(&[0; 6]);
        chunk.extend_from_slice(&bits.to_le_bytes());
        chunk
    }

    #[test]
    fn only_samples_pass() {
        let file = riff(&[
            (b"LIST", b"canary!"),
            (b"fmt ", &fmt(1, 1, 8_000, 8)),
            (b"data", b"\x80\x90\xa0"),
            (b"id3 ", b"canary"),
        ]);
        assert_eq!(only_sound(&file), Some(pcm(b"\x80\x90\xa0", 8_000)));
    }

    #[test]
    fn written_file_is_read_unchanged() {
        let file = pcm(&[7; 101], 11_025);
        assert_eq!(file.len(), HEADER + 102);
        assert_eq!(only_sound(&file), Some(file));
    }

    #[test]
    fn half_sample_at_the_end_is_removed() {
        let stereo = riff(&[(b"fmt ", &fmt(1, 2, 44_100, 16)), (b"data", &[1; 10])]);
        assert_eq!(only_sound(&stereo).unwrap().len(), HEADER + 8);
    }

    #[test]
    fn file_without_pcm_or_samples_is_rejected() {
        let sound: (&[u8; 4], &[u8]) = (b"data", &[128; 64]);
        for chunk in [fmt(2, 1, 8_000, 4), fmt(1, 9, 8_000, 8), fmt(1, 1, 1, 8), fmt(1, 1, 8_000, 0), vec![1]]
        {
            assert_eq!(only_sound(&riff(&[(b"fmt ", &chunk), sound])), None, "{chunk:?}");
        }
        let pcm_format = fmt(1, 1, 8_000, 8);
        assert_eq!(only_sound(&riff(&[sound, (b"fmt ", &pcm_format)])), None);
        assert_eq!(only_sound(&riff(&[(b"fmt ", &pcm_format), (b"data", &[])])), None);
        assert_eq!(only_sound(&riff(&[(b"fmt ", &pcm_format)])), None);
        let mut cut = riff(&[(b"fmt ", &pcm_format), sound]);
        cut.pop();
        assert_eq!(only_sound(&cut), None);
    }
}
