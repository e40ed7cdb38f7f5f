//! Search keys of providers. The widget normalizes the typed text in the same way and compares it with them.

/// Normalizes a text: lower case, no accents, one space between words.
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
    fn search_key_ignores_accents_case_and_punctuation() {
        assert_eq!(
            fold("IMSS — Instituto  Mexicáno (del) Seguro-Social"),
            "imss — instituto mexicano del seguro social"
        );
    }
}
