//! How deep a JSON text is nested, found before anything recurses into it.

/// The deepest nesting any body may have.
pub const MAX_DEPTH: usize = 64;

/// Whether arrays and objects are nested deeper than [`MAX_DEPTH`]. A text that is no JSON may give either answer.
pub fn is_too_deep(json: &[u8]) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in json {
        if in_text {
            (in_text, escaped) = match byte {
                _ if escaped => (true, false),
                b'\\' => (true, true),
                b'"' => (false, false),
                _ => (true, false),
            };
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::the_deepest_allowed("[".repeat(64) + &"]".repeat(64), false)]
    #[case::one_deeper("[".repeat(65) + &"]".repeat(65), true)]
    #[case::objects(r#"{"a":"#.repeat(65) + "1" + &"}".repeat(65), true)]
    #[case::side_by_side("[".to_owned() + &"[],".repeat(100) + "1]", false)]
    #[case::brackets_in_a_text(format!(r#"{{"a": "{}"}}"#, "[".repeat(100)), false)]
    #[case::after_an_escaped_quote(format!(r#"["\"{}"]"#, "[".repeat(100)), false)]
    #[case::after_an_escaped_backslash(format!(r#"["\\", {}]"#, "[".repeat(100)), true)]
    fn depth_counts_what_is_nested(#[case] json: String, #[case] too_deep: bool) {
        assert_eq!(is_too_deep(json.as_bytes()), too_deep);
    }
}
