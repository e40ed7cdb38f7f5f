//! Finds providers by name: ignores case and accents, and tolerates small typos.
//!
//! Our own: `strsim` measures the distance to whole words, and a person types the beginning of one.

/// How well a provider matches; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u32);

/// Longest compared part of a word, in bytes.
const MAX_WORD_BYTES: usize = 32;

/// Ranks a provider's search key against the typed text, both folded. Returns `None` unless every typed word is found.
pub(crate) fn rank(typed: &str, key: &str) -> Option<Rank> {
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
    // Byte by byte, because the standard library's substring search adds kilobytes to the wasm.
    if key.as_bytes().windows(word.len()).any(|part| part == word.as_bytes()) {
        return Some(2);
    }
    let bound = allowed_typos(word);
    if bound == 0 {
        return None;
    }
    let nearest = key.split(' ').filter_map(|other| prefix_distance(word, other, bound)).min()?;
    Some(10 * u32::from(nearest))
}

/// Returns the number of typos allowed in a word. Short words must be exact: a typo in them would match everything.
fn allowed_typos(word: &str) -> u8 {
    match word.len() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Returns the fewest insertions, deletions, changes and swaps that turn `word` into a prefix of `other`, or `None` if they are
/// more than `bound`. Counts bytes: folded keys are almost always ASCII.
fn prefix_distance(word: &str, other: &str, bound: u8) -> Option<u8> {
    let word = word.as_bytes().get(..MAX_WORD_BYTES).unwrap_or(word.as_bytes());
    let other = other.as_bytes().get(..MAX_WORD_BYTES).unwrap_or(other.as_bytes());
    let mut before = [0; MAX_WORD_BYTES + 1];
    let mut last: [u8; MAX_WORD_BYTES + 1] = core::array::from_fn(|at| at as u8);
    for (i, typed) in word.iter().enumerate() {
        let mut row = [0; MAX_WORD_BYTES + 1];
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
        // No later row has a smaller minimum. Almost all words end here, after two or three letters.
        if last[..=other.len()].iter().all(|distance| *distance > bound) {
            return None;
        }
    }
    last[..=other.len()].iter().copied().min().filter(|nearest| *nearest <= bound)
}

/// Folds a text as the service folds search keys: lower case, no accents, one space between words. Lists the Latin
/// letters of our markets, because the standard library's case tables add kilobytes to the wasm.
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

    fn rank(typed: &str, key: &str) -> Option<Rank> {
        super::rank(&fold(typed), key)
    }

    #[test]
    fn search_ignores_case_accents_and_spaces() {
        assert_eq!(fold("  Instituto  MÉXICANO\u{301} "), "instituto mexicano");
        assert!(rank("  MÉXICANO   imss", KEY).is_some());
    }

    #[test]
    fn search_tolerates_typo_in_long_word() {
        for typed in ["segruo", "seguo", "segguro", "instituot", "mexicnao socail"] {
            assert!(rank(typed, KEY).is_some(), "{typed}");
        }
        for typed in ["ims1", "xeguxo", "sol", "zzz"] {
            assert_eq!(rank(typed, KEY).is_some(), typed == "ims1", "{typed}");
        }
    }

    #[test]
    fn prefix_ranks_before_substring_before_typo() {
        let ranks = ["imss", "seguro", "guro", "segruo"].map(|typed| rank(typed, KEY));
        assert!(ranks.is_sorted(), "{ranks:?}");
        assert!(ranks.iter().all(Option::is_some));
    }

    #[test]
    fn search_requires_every_word() {
        assert_eq!(rank("seguro popular", KEY), None);
        assert_eq!(rank("   ", KEY), Some(Rank(0)));
    }

    #[test]
    fn search_tolerates_typo_in_word_prefix() {
        assert!(rank("instituo", KEY).is_some());
        assert!(rank("mexixa", KEY).is_some());
    }
}
