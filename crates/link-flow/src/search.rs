//! Finding a provider by what a person types: whatever the case, without accents, and with small typos.

/// How well something matches; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u32);

/// Longest word that is compared letter by letter; longer ones match as far as this.
const LONGEST: usize = 32;

/// Ranks a provider's search key (folded by the service) against what was typed; `None` when it does not match.
/// Every word typed must be found.
pub(crate) fn rank(typed: &str, key: &str) -> Option<Rank> {
    let typed = fold(typed);
    typed
        .split(' ')
        .filter(|word| !word.is_empty())
        .try_fold(Rank(0), |sum, word| rank_word(word, key).map(|rank| Rank(sum.0 + rank)))
}

fn rank_word(word: &str, key: &str) -> Option<u32> {
    if key.starts_with(word) {
        return Some(0);
    }
    if key.split(' ').any(|other| other.starts_with(word)) {
        return Some(1);
    }
    // Byte by byte: the standard library's substring search weighs kilobytes in wasm.
    if key.as_bytes().windows(word.len()).any(|part| part == word.as_bytes()) {
        return Some(2);
    }
    let bound = allowed_typos(word);
    let nearest = key.split(' ').map(|other| prefix_distance(word, other)).min()?;
    (nearest <= bound).then_some(10 * u32::from(nearest))
}

/// Short words must be right, or everything would match them.
fn allowed_typos(word: &str) -> u8 {
    match word.len() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// The fewest insertions, deletions, changes and swaps of neighbours that turn `word` into a beginning of `other`.
/// Counted in bytes: folded keys are ASCII but for a letter here and there.
fn prefix_distance(word: &str, other: &str) -> u8 {
    let word = word.as_bytes().get(..LONGEST).unwrap_or(word.as_bytes());
    let other = other.as_bytes().get(..LONGEST).unwrap_or(other.as_bytes());
    let mut before = [0; LONGEST + 1];
    let mut last: [u8; LONGEST + 1] = core::array::from_fn(|at| at as u8);
    for (i, typed) in word.iter().enumerate() {
        let mut row = [0; LONGEST + 1];
        row[0] = last[0] + 1;
        for (j, letter) in other.iter().enumerate() {
            let mut best = (row[j] + 1).min(last[j + 1] + 1).min(last[j] + u8::from(typed != letter));
            if i > 0 && j > 0 && word[i - 1] == *letter && other[j - 1] == *typed {
                best = best.min(before[j - 1] + 1);
            }
            row[j + 1] = best;
        }
        before = last;
        last = row;
    }
    last[..=other.len()].iter().copied().min().unwrap_or(u8::MAX)
}

/// Lower case without accents, one space between words: as the service makes its search keys. The few Latin letters
/// that people in our markets type are listed, because the standard library's case tables weigh kilobytes.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match fold_letter(letter) {
            Some(' ') if folded.is_empty() || folded.ends_with(' ') => {}
            Some(plain) => folded.push(plain),
            None => {}
        }
    }
    if folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

fn fold_letter(letter: char) -> Option<char> {
    Some(match letter {
        'A'..='Z' => letter.to_ascii_lowercase(),
        'À'..='Å' | 'à'..='å' | 'Ā'..='ą' => 'a',
        'Ç' | 'ç' | 'Ć'..='č' => 'c',
        'È'..='Ë' | 'è'..='ë' | 'Ē'..='ě' => 'e',
        'Ì'..='Ï' | 'ì'..='ï' | 'Ĩ'..='ı' => 'i',
        'Ñ' | 'ñ' | 'Ń'..='ň' => 'n',
        'Ò'..='Ö' | 'ò'..='ö' | 'Ø' | 'ø' | 'Ō'..='ő' => 'o',
        'Ù'..='Ü' | 'ù'..='ü' | 'Ũ'..='ų' => 'u',
        'Ý' | 'ý' | 'ÿ' => 'y',
        '\u{300}'..='\u{36f}' => return None,
        '\t' | '\n' | '\u{a0}' | '-' | '.' | ',' | '(' | ')' | '/' => ' ',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "imss instituto mexicano del seguro social";

    #[test]
    fn case_accents_and_spaces_do_not_matter() {
        assert_eq!(fold("  Instituto  MÉXICANO\u{301} "), "instituto mexicano");
        assert!(rank("  MÉXICANO   imss", KEY).is_some());
    }

    #[test]
    fn a_typo_is_forgiven_in_a_long_enough_word() {
        for typed in ["segruo", "seguo", "segguro", "instituot", "mexicnao socail"] {
            assert!(rank(typed, KEY).is_some(), "{typed}");
        }
        for typed in ["ims1", "xeguxo", "sol", "zzz"] {
            assert_eq!(rank(typed, KEY).is_some(), typed == "ims1", "{typed}");
        }
    }

    #[test]
    fn a_beginning_ranks_before_a_middle_and_both_before_a_typo() {
        let ranks = ["imss", "seguro", "guro", "segruo"].map(|typed| rank(typed, KEY));
        assert!(ranks.is_sorted(), "{ranks:?}");
        assert!(ranks.iter().all(Option::is_some));
    }

    #[test]
    fn every_word_must_be_found_and_nothing_typed_matches_all() {
        assert_eq!(rank("seguro popular", KEY), None);
        assert_eq!(rank("   ", KEY), Some(Rank(0)));
    }

    #[test]
    fn a_typo_while_still_typing_matches_the_words_beginning() {
        assert!(rank("instituo", KEY).is_some());
        assert!(rank("mexixa", KEY).is_some());
    }
}
