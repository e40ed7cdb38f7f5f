//! Search keys: what the widget compares a typed text with. Its brain folds what is typed in the same way.

/// Lower case, without accents, one space between words.
pub(super) fn fold(text: &str) -> String {
    let folded: String = text.chars().filter_map(fold_letter).flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fold_letter(letter: char) -> Option<char> {
    Some(match letter {
        'À'..='Å' | 'à'..='å' | 'Ā'..='ą' => 'a',
        'Ç' | 'ç' | 'Ć'..='č' => 'c',
        'È'..='Ë' | 'è'..='ë' | 'Ē'..='ě' => 'e',
        'Ì'..='Ï' | 'ì'..='ï' | 'Ĩ'..='ı' => 'i',
        'Ñ' | 'ñ' | 'Ń'..='ň' => 'n',
        'Ò'..='Ö' | 'ò'..='ö' | 'Ø' | 'ø' | 'Ō'..='ő' => 'o',
        'Ù'..='Ü' | 'ù'..='ü' | 'Ũ'..='ų' => 'u',
        'Ý' | 'ý' | 'ÿ' => 'y',
        '\u{300}'..='\u{36f}' => return None,
        '-' | '.' | ',' | '(' | ')' | '/' => ' ',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_punctuation_vanish() {
        assert_eq!(
            fold("IMSS — Instituto  Mexicáno (del) Seguro-Social"),
            "imss — instituto mexicano del seguro social"
        );
    }
}
