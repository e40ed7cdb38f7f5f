//! The messages of the program that wraps the master key, without what may be a part of a key.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use link_domain::kernel::master_key_source::MasterKeyBytes;
use zeroize::Zeroizing;

/// The maximum number of bytes of its messages that are read.
pub(super) const MAX_READ: usize = 4096;
/// The maximum number of bytes that are shown. Less than is read, so that no cut hides that a word is a key.
const MAX_SHOWN: usize = 1024;
/// Words of a message that are as long as a key in base64 are left out.
const KEY_CHARACTERS: usize = 43;
/// Groups of hexadecimal digits with more digits are left out. A UUID has 32.
const GROUPED_DIGITS: usize = 40;
/// The number of consecutive characters of a known key that hide a message.
const PART: usize = 8;
const HIDDEN: &str = "[left out]";

/// Returns a message of the program in one line, without what may be a key. If it contains a part of `key`, returns none of
/// it.
pub(super) fn clean(words: &[u8], key: Option<&MasterKeyBytes>) -> String {
    let text = String::from_utf8_lossy(words);
    if key.is_some_and(|key| has_part(&text, key)) {
        return HIDDEN.to_owned();
    }
    let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let text = hide_groups(&text);
    let mut found: Vec<_> = text.split_whitespace().collect();
    if words.len() >= MAX_READ {
        // It was cut, so its length says nothing.
        found.pop();
    }
    let mut is_after_key = false;
    let shown = found.into_iter().map(|word| {
        let longest = word.split(|it| !is_of_key(it)).map(str::len).max().unwrap_or_default();
        // The last line of a key in base64 is short.
        is_after_key = longest >= KEY_CHARACTERS || (is_after_key && word.chars().all(is_of_key));
        if is_after_key { HIDDEN } else { word }
    });
    let shown: Vec<_> = shown.collect();
    if shown.is_empty() {
        return "nothing".to_owned();
    }
    let mut line = shown.join(" ");
    line.truncate(line.floor_char_boundary(MAX_SHOWN));
    line
}

fn is_of_key(it: char) -> bool {
    it.is_ascii_alphanumeric() || matches!(it, '+' | '/' | '_' | '-' | '=')
}

/// Returns whether a text has some consecutive characters of a key, in hexadecimal digits or base64.
fn has_part(text: &str, key: &MasterKeyBytes) -> bool {
    let digits = key.to_text();
    let digits = digits.trim();
    let of_key = |it: &char| is_of_key(*it) && !matches!(it, '=');
    let exact: Zeroizing<String> = Zeroizing::new(text.chars().filter(of_key).collect());
    let without_groups: Zeroizing<String> = Zeroizing::new(
        text.chars().filter(char::is_ascii_hexdigit).map(|it| it.to_ascii_lowercase()).collect(),
    );
    let encoded = [
        Zeroizing::new(STANDARD_NO_PAD.encode(key.as_bytes())),
        Zeroizing::new(URL_SAFE_NO_PAD.encode(key.as_bytes())),
        Zeroizing::new(STANDARD_NO_PAD.encode(digits)),
    ];
    has_window(&without_groups, digits) || encoded.iter().any(|it| has_window(&exact, it))
}

fn has_window(text: &str, of: &str) -> bool {
    text.as_bytes().windows(PART).any(|part| of.as_bytes().windows(PART).any(|it| it == part))
}

/// Replaces hexadecimal digits in groups, such as `00 11 22` or `00:11:22`, if they are as many as in a key.
fn hide_groups(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut group = String::new();
    let close = |group: &mut String, shown: &mut String| {
        let digits = group.chars().filter(char::is_ascii_hexdigit).count();
        shown.push_str(if digits > GROUPED_DIGITS { HIDDEN } else { group });
        group.clear();
    };
    for it in text.chars() {
        if it.is_ascii_hexdigit() || (matches!(it, ' ' | ':' | '-' | ',' | '.') && !group.is_empty()) {
            group.push(it);
        } else {
            close(&mut group, &mut shown);
            shown.push(it);
        }
    }
    close(&mut group, &mut shown);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> MasterKeyBytes {
        MasterKeyBytes::new(std::array::from_fn(|at| u8::try_from(at * 7 + 11).unwrap()))
    }

    #[test]
    fn message_without_a_key_is_shown_in_one_line() {
        let said = "AccessDenied:\n arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab\n";
        assert_eq!(
            clean(said.as_bytes(), Some(&key())),
            said.split_whitespace().collect::<Vec<_>>().join(" ")
        );
        assert_eq!(clean(b" \n", None), "nothing");
    }

    #[test]
    fn part_of_a_known_key_hides_the_message() {
        let digits = key().to_text().trim().to_owned();
        let base64 = STANDARD_NO_PAD.encode(key().as_bytes());
        let of_text = STANDARD_NO_PAD.encode(&digits);
        for part in [&digits[5..13], &digits.to_uppercase()[20..30], &base64[7..15], &of_text[70..80]] {
            assert_eq!(clean(format!("bad input {part}!").as_bytes(), Some(&key())), HIDDEN, "{part}");
        }
        assert_eq!(
            clean(format!("bad input {}", &digits[5..12]).as_bytes(), Some(&key())),
            format!("bad input {}", &digits[5..12])
        );
    }

    #[test]
    fn every_form_of_an_unknown_key_is_left_out() {
        let digits = key().to_text().trim().to_owned();
        let group = |length: usize, between: &str| {
            let groups: Vec<_> =
                digits.as_bytes().chunks(length).map(|it| str::from_utf8(it).unwrap()).collect();
            groups.join(between)
        };
        let base64 = STANDARD_NO_PAD.encode(&digits);
        let wrapped = format!("{}\n{}", &base64[..76], &base64[76..]);
        let with_dashes = URL_SAFE_NO_PAD.encode([0xfb; 32]);
        for form in [digits.clone(), group(2, " "), group(4, ":"), group(8, "-"), wrapped, with_dashes] {
            let shown = clean(format!("failed: {form}\nuntil").as_bytes(), None);
            let parts = form.split_whitespace().filter(|it| it.len() > 4);
            assert!(
                shown.contains(HIDDEN) && parts.into_iter().all(|it| !shown.contains(it)),
                "{form}: {shown}"
            );
        }
    }

    #[test]
    fn key_at_the_cut_is_not_shown() {
        let digits = key().to_text().trim().to_owned();
        for spaces in (900..1030).chain(MAX_READ - 80..MAX_READ) {
            let mut said = format!("{}{digits}", " ".repeat(spaces)).into_bytes();
            said.truncate(MAX_READ);
            assert!(!clean(&said, None).contains(&digits[..4]), "{spaces}");
            let mut said = format!("{} {digits}", "x.".repeat(spaces / 2)).into_bytes();
            said.truncate(MAX_READ);
            assert!(!clean(&said, None).contains(&digits[..4]), "{spaces}");
        }
    }
}
