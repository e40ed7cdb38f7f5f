//! Computes the decompressed size of LZW and run-length data from the codes, without decompressing.

/// The first code for a sequence. Lower codes are single bytes, clear and end.
const FIRST: usize = 258;
/// The maximum number of codes.
const MAX_CODES: usize = 4096;

/// Returns the decompressed size of LZW data: the larger one of both conventions for when codes become longer.
pub(super) fn of_lzw(data: &[u8]) -> u64 {
    lzw(data, 1).max(lzw(data, 0))
}

fn lzw(data: &[u8], early: usize) -> u64 {
    const CLEAR: usize = 256;
    const END: usize = 257;
    let mut lengths = vec![1_u64; FIRST];
    let (mut size, mut before) = (0_u64, None);
    let (mut held, mut bits) = (0_usize, 0);
    let mut bytes = data.iter();
    loop {
        let width = match lengths.len() + early {
            2048.. => 12,
            1024.. => 11,
            512.. => 10,
            _ => 9,
        };
        while bits < width {
            let Some(byte) = bytes.next() else { return size };
            held = (held << 8 | usize::from(*byte)) & 0xFF_FFFF;
            bits += 8;
        }
        bits -= width;
        let code = (held >> bits) & ((1 << width) - 1);
        match code {
            CLEAR => {
                lengths.truncate(FIRST);
                before = None;
            }
            END => return size,
            _ => {
                let fresh = before.map(|length| length + 1);
                let Some(length) = lengths.get(code).copied().or(fresh.filter(|_| code == lengths.len()))
                else {
                    return size;
                };
                size += length;
                if lengths.len() < MAX_CODES {
                    lengths.extend(fresh);
                }
                before = Some(length);
            }
        }
    }
}

/// Returns the decompressed size of run-length data.
pub(super) fn of_runs(data: &[u8]) -> u64 {
    let (mut size, mut at) = (0, 0);
    while let Some(count) = data.get(at).copied().filter(|count| *count != 128) {
        let (unfolded, read) = if count < 128 {
            (u64::from(count) + 1, usize::from(count) + 2)
        } else {
            (257 - u64::from(count), 2)
        };
        size += unfolded;
        at += read;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_match_the_decompressed_data() {
        // ISO 32000-1, 7.4.4.2: 45 45 45 45 45 65 45 45 45 66.
        assert_eq!(of_lzw(&[0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01]), 10);
        assert_eq!(of_runs(&[4, 10, 11, 12, 13, 14, 253, 3, 128, 9]), 9);
    }
}
