//! Decodes bytes that are written as ASCII characters.

/// Decodes ASCIIHex, up to its end or its first error.
pub(super) fn from_hex(letters: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let letters = letters.into_iter().filter(|letter| !is_white(*letter));
    let digits = letters.map_while(|letter| char::from(letter).to_digit(16));
    let (mut bytes, mut high) = (Vec::new(), None);
    for digit in digits.filter_map(|digit| u8::try_from(digit).ok()) {
        match high.take() {
            None => high = Some(digit),
            Some(high) => bytes.push(high << 4 | digit),
        }
    }
    bytes.extend(high.map(|high| high << 4));
    bytes
}

/// Decodes ASCII85, up to its end or its first error.
pub(super) fn from_85(letters: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let (mut bytes, mut group) = (Vec::new(), Vec::with_capacity(5));
    for letter in letters.into_iter().filter(|letter| !is_white(*letter)) {
        match letter {
            b'!'..=b'u' => group.push(letter - b'!'),
            b'z' => {
                bytes.extend(group_of_85(&mut group));
                bytes.extend([0; 4]);
            }
            _ => break,
        }
        if group.len() == 5 {
            bytes.extend(group_of_85(&mut group));
        }
    }
    bytes.extend(group_of_85(&mut group));
    bytes
}

/// Decodes the digits of a group to one byte less than their number.
fn group_of_85(digits: &mut Vec<u8>) -> impl Iterator<Item = u8> + use<> {
    let bytes = digits.len().saturating_sub(1);
    digits.resize(5, 84);
    let value =
        digits.drain(..).fold(0_u32, |value, digit| value.wrapping_mul(85).wrapping_add(digit.into()));
    value.to_be_bytes().into_iter().take(bytes)
}

/// Returns whether a byte is white space, as PDF defines it.
pub(super) const fn is_white(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}
