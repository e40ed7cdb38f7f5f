//! The placeholders `${name}` of the texts that a tenant writes.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words as they are.
    Text(&'a str),
    /// The name of a placeholder.
    Placeholder(&'a str),
}

/// Splits a text at its placeholders. After an unclosed `${`, the rest of the text is the name.
pub fn split_placeholders(text: &str) -> impl Iterator<Item = Piece<'_>> {
    text.split("${")
        .enumerate()
        .flat_map(|(index, part)| {
            if index == 0 {
                return [Some(Piece::Text(part)), None];
            }
            match part.split_once('}') {
                Some((name, rest)) => [Some(Piece::Placeholder(name)), Some(Piece::Text(rest))],
                None => [Some(Piece::Placeholder(part)), None],
            }
        })
        .flatten()
}

/// Returns the names of placeholders that `is_known` refuses, each shortened to 64 characters.
pub fn find_unknown_placeholders(
    text: &str,
    is_known: impl Fn(&str) -> bool,
) -> impl Iterator<Item = String> {
    let names = split_placeholders(text).filter_map(|piece| match piece {
        Piece::Placeholder(name) => Some(name),
        Piece::Text(_) => None,
    });
    names.filter(move |name| !is_known(name)).map(|name| name.chars().take(64).collect())
}
