//! MP3 files: MPEG 1, 2 or 2.5, layer III.

/// Bit rates of layer III in kbit/s by the index of a frame's header: of MPEG 1, and of MPEG 2 and 2.5. Index 0 is a
/// free rate, which not every browser plays.
const RATES: [[usize; 15]; 2] = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// Fewer frames could be other data that looks like a frame.
const MIN_FRAMES: usize = 2;

/// Returns a file with only the frames of sound, without tags. `None` if there is anything else in it, or too little.
pub(super) fn only_sound(file: &[u8]) -> Option<Vec<u8>> {
    let mut rest = without_tags(file)?;
    let mut sound = Vec::with_capacity(rest.len());
    let mut frames = 0;
    let first = rest.get(1..3)?;
    // All frames have the same version and sampling rate.
    let kind = (first.first()? & 0b1111_1110, first.get(1)? & 0b0000_1100);
    while !rest.is_empty() {
        let length = frame_length(rest)?;
        let is_same = (rest.get(1)? & 0b1111_1110, rest.get(2)? & 0b0000_1100) == kind;
        let Some((frame, after)) = rest.split_at_checked(length).filter(|_| is_same) else {
            break;
        };
        sound.extend_from_slice(frame);
        frames += 1;
        rest = after;
    }
    // An encoder may cut the last frame.
    let is_whole = frame_length(rest).is_none_or(|length| length > rest.len());
    (frames >= MIN_FRAMES && is_whole).then_some(sound)
}

/// Returns the content between an ID3v2 tag at the start and an ID3v1 tag at the end.
fn without_tags(file: &[u8]) -> Option<&[u8]> {
    let mut rest = file;
    if file.starts_with(b"ID3") {
        let size = file.get(6..10)?.iter().fold(0, |size, byte| (size << 7) | usize::from(byte & 0x7f));
        rest = file.get(10 + size..)?;
    }
    let tag = rest.len().checked_sub(128)?;
    Some(if rest.get(tag..)?.starts_with(b"TAG") { rest.get(..tag)? } else { rest })
}

/// Returns the length of a frame from its header. `None` if it is not one.
fn frame_length(frame: &[u8]) -> Option<usize> {
    let &[0xff, second, third, _, ..] = frame else { return None };
    let is_layer_3 = second & 0b1110_0110 == 0b1110_0010;
    let (version, slots) = match (second >> 3) & 0b11 {
        0b11 => (0, 144),
        0b10 | 0b00 => (1, 72),
        _ => return None,
    };
    let base = *[44_100, 48_000, 32_000].get(usize::from((third >> 2) & 0b11))?;
    let sampling = match (second >> 3) & 0b11 {
        0b11 => base,
        0b10 => base / 2,
        _ => base / 4,
    };
    let rate = *RATES.get(version)?.get(usize::from(third >> 4)).filter(|rate| **rate > 0)?;
    let padding = usize::from((third >> 1) & 1);
    is_layer_3.then_some(slots * rate * 1_000 / sampling + padding)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns frames of 32 kbit/s at 16 kHz (MPEG 2): 144 bytes each.
    pub(in super::super) fn frames(count: usize) -> Vec<u8> {
        let mut frame = vec![0xff, 0xf3, 0x48, 0xc4];
        frame.resize(144, 0);
        frame.repeat(count)
    }

    #[test]
    fn only_frames_pass() {
        let mut file = b"ID3\x04\0\0\0\0\0\x06canary".to_vec();
        file.extend_from_slice(&frames(3));
        let mut tag = b"TAGcanary".to_vec();
        tag.resize(128, 0);
        file.extend_from_slice(&tag);
        assert_eq!(only_sound(&file), Some(frames(3)));
    }

    #[test]
    fn cut_last_frame_is_removed() {
        let mut file = frames(3);
        file.truncate(144 * 2 + 100);
        assert_eq!(only_sound(&file), Some(frames(2)));
    }

    #[test]
    fn other_content_is_rejected() {
        let mut mixed = frames(2);
        mixed.extend_from_slice(b"<script>canary</script>");
        mixed.extend_from_slice(&frames(2));
        let mut other_rate = frames(2);
        other_rate.extend_from_slice(&[0xff, 0xf3, 0x40, 0xc4]);
        other_rate.resize(600, 0);
        for file in [frames(1), mixed, other_rate, vec![0xff; 600], vec![0; 600], b"ID3".to_vec()] {
            assert_eq!(only_sound(&file), None, "{:?}", file.get(..4));
        }
    }

    #[test]
    fn frame_length_follows_version_rate_and_padding() {
        for (header, length) in [
            ([0xff, 0xfb, 0x90, 0x64], Some(417)),
            ([0xff, 0xfb, 0x92, 0x64], Some(418)),
            ([0xff, 0xf3, 0x48, 0xc4], Some(144)),
            ([0xff, 0xe3, 0x18, 0xc4], Some(72)),
            ([0xff, 0xfd, 0x90, 0x64], None),
            ([0xff, 0xfb, 0x00, 0x64], None),
            ([0xff, 0xfb, 0xf0, 0x64], None),
            ([0xff, 0xfb, 0x9c, 0x64], None),
        ] {
            assert_eq!(frame_length(&header), length, "{header:?}");
        }
    }
}
