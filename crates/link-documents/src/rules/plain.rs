//! Text in the form that rules compare: lower case, without accents, punctuation and spaces, tolerating misread
//! letters.

/// Returns the letters and digits of a text, in lower case and without accents.
pub(super) fn plain(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .filter_map(|c| match c {
            'á' | 'à' | 'ä' | 'â' => Some('a'),
            'é' | 'è' | 'ë' | 'ê' => Some('e'),
            'í' | 'ì' | 'ï' | 'î' => Some('i'),
            'ó' | 'ò' | 'ö' | 'ô' => Some('o'),
            'ú' | 'ù' | 'ü' | 'û' => Some('u'),
            'ñ' => Some('n'),
            c if c.is_alphanumeric() => Some(c),
            _ => None,
        })
        .collect()
}

/// Returns whether a word only joins the words of a name.
pub(super) fn is_particle(word: &str) -> bool {
    ["de", "del", "la", "las", "los", "y"].contains(&plain(word).as_str())
}

/// Returns whether two plain texts differ in at most one of seven letters.
pub(super) fn alike(a: &str, b: &str) -> bool {
    count_misread(a, b).is_some()
}

/// Returns the number of different letters, or `None` if it is more than one of seven.
pub(super) fn count_misread(a: &str, b: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let allowed = a.len().max(b.len()) / 7;
    let near = a.len().abs_diff(b.len()) <= allowed;
    near.then(|| distance(&a, &b)).filter(|distance| *distance <= allowed)
}

/// Returns whether more than a quarter of the letters differ: more than a reader misreads.
pub(super) fn far(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    distance(&a, &b) * 4 > a.len().max(b.len())
}

/// Returns the edit distance: the number of letters to insert, delete or replace.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        for (cell, cb) in row.iter_mut().skip(1).zip(b) {
            let above = *cell;
            let here = (corner + usize::from(ca != cb)).min(above + 1).min(left + 1);
            corner = above;
            left = here;
            *cell = here;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_one_misread_letter_are_ignored() {
        assert_eq!(plain("Núm. de Empleado:"), "numdeempleado");
        assert!(alike("totalpercepciones", "totalpercepcioncs"));
        assert!(!alike("rfc", "rfo"));
        assert!(!alike("netpay", "basicpay"));
    }
}
