//! Finds the lines of a Rust source that begin inside a string literal.

/// Returns for each line whether it continues a string literal of the line before: after a `\` at the end of the line,
/// or in a literal with several lines.
pub fn lines_inside_literals(source: &str) -> Vec<bool> {
    let mut lines = Vec::new();
    let mut open = Open::Nothing;
    for line in source.lines() {
        lines.push(matches!(open, Open::Text | Open::Raw(_)));
        open = after(line, open);
    }
    lines
}

/// The literal that is open at the start of a line.
#[derive(Clone, Copy)]
enum Open {
    Nothing,
    /// A string literal with escapes.
    Text,
    /// A raw string literal with this many `#`.
    Raw(usize),
    /// Nested block comments.
    Comments(usize),
}

/// Returns what is open after a line.
fn after(line: &str, mut open: Open) -> Open {
    let mut left = line;
    // Whether a name ends here, so that `r` is its last letter and does not start a raw literal.
    let mut in_name = false;
    while let Some(first) = left.chars().next() {
        let mut length = first.len_utf8();
        match open {
            Open::Text if first == '\\' => length += left[length..].chars().next().map_or(0, char::len_utf8),
            Open::Text if first == '"' => open = Open::Nothing,
            Open::Raw(marks) if first == '"' && left[1..].starts_with(&"#".repeat(marks)) => {
                length += marks;
                open = Open::Nothing;
            }
            Open::Comments(depth) if left.starts_with("*/") => {
                length = 2;
                open = if depth == 1 { Open::Nothing } else { Open::Comments(depth - 1) };
            }
            Open::Comments(depth) if left.starts_with("/*") => {
                length = 2;
                open = Open::Comments(depth + 1);
            }
            Open::Text | Open::Raw(_) | Open::Comments(_) => {}
            Open::Nothing if left.starts_with("//") => return open,
            Open::Nothing if left.starts_with("/*") => {
                length = 2;
                open = Open::Comments(1);
            }
            Open::Nothing if first == '"' => open = Open::Text,
            Open::Nothing if first == '\'' => length = character(left),
            Open::Nothing => {
                let prefix = ["br", "cr", "r"].iter().find(|it| !in_name && left.starts_with(**it));
                let behind = prefix.map_or("", |it| &left[it.len()..]);
                let marks = behind.len() - behind.trim_start_matches('#').len();
                if let Some(prefix) = prefix
                    && behind[marks..].starts_with('"')
                {
                    length = prefix.len() + marks + 1;
                    open = Open::Raw(marks);
                }
            }
        }
        in_name = first.is_alphanumeric() || first == '_';
        left = &left[length..];
    }
    open
}

/// Returns the length of a character literal, or 1 for the `'` of a lifetime.
fn character(text: &str) -> usize {
    let escape = text[1..].strip_prefix('\\').and_then(|it| it.chars().next()).map(|it| 2 + it.len_utf8());
    let plain =
        || text[1..].chars().next().map(|it| 1 + it.len_utf8()).filter(|at| text[*at..].starts_with('\''));
    escape.or_else(plain).and_then(|at| text[at..].find('\'').map(|end| at + end + 1)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines that continue a literal.
    fn found_lines(source: &str) -> Vec<&str> {
        source
            .lines()
            .zip(lines_inside_literals(source))
            .filter(|(_, is_inside)| *is_inside)
            .map(|(line, _)| line)
            .collect()
    }

    #[test]
    fn lines_after_a_backslash_are_continued() {
        let source = "let x = \"one \\\n    two \\\"quoted\\\" \\\\ \\\n    three\";\nlet y = 1;\n";
        assert_eq!(found_lines(source), ["    two \\\"quoted\\\" \\\\ \\", "    three\";"]);
    }

    #[test]
    fn lines_of_raw_literals_are_continued() {
        let source =
            "let x = r#\"one\n\"two\"\nthree\"#;\nlet y = br\"one\ntwo\";\nfor_r\"a\";\nlet z = 1;\n";
        assert_eq!(found_lines(source), ["\"two\"", "three\"#;", "two\";"]);
    }

    #[test]
    fn quotes_in_comments_and_characters_open_no_literal() {
        let source = "// a \" quote\n/* a \" /* in */ \" two\n\" */\nlet x = ('\"', '\\'', b'\"');\nfn f<'a>(x: &'a str) {}\n";
        assert_eq!(found_lines(source), Vec::<&str>::new());
        assert_eq!(found_lines("let x = ('a', \"one\ntwo\");"), ["two\");"]);
        assert_eq!(found_lines("fn f<'a>() { g(\"one\ntwo\"); }"), ["two\"); }"]);
    }
}
