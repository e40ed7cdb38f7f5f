//! Finds and replaces the targets of links in Markdown.
//!
//! Our own: a parser such as pulldown-cmark is one more dependency of every task, and these 100 lines only need to know
//! links and code (ADR 286).

use std::ops::Range;

/// The first characters of the lines around a block of code.
const FENCE: &str = "```";

/// Returns the title of a page: its first heading. Empty if it has none.
pub fn title(page: &str) -> &str {
    page.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim()
}

/// Returns the targets of the links and images on a page, without those in code, in order.
pub fn links(page: &str) -> impl Iterator<Item = &str> {
    targets(page).into_iter().filter_map(|target| page.get(target))
}

/// Replaces the targets for which `replace` returns another one.
pub fn replace_links(page: &str, replace: impl Fn(&str) -> Option<String>) -> String {
    let mut replaced = String::with_capacity(page.len());
    let mut end = 0;
    for target in targets(page) {
        if let Some(new) = replace(&page[target.clone()]) {
            replaced.push_str(&page[end..target.start]);
            replaced.push_str(&new);
            end = target.end;
        }
    }
    replaced.push_str(&page[end..]);
    replaced
}

/// Gives the language `text` to blocks of code without a language, which the site's script would guess, and to requests
/// without a version, which it would color as one header.
pub fn set_languages(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    let mut is_code = false;
    let mut lines = page.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let language = line.trim().strip_prefix(FENCE);
        let is_request = language == Some("http") && !lines.peek().is_some_and(|it| it.starts_with("HTTP/"));
        if !is_code && (language == Some("") || is_request) {
            let indent = line.split(FENCE).next().unwrap_or_default();
            text.extend([indent, FENCE, "text\n"]);
        } else {
            text.push_str(line);
        }
        is_code ^= language.is_some();
    }
    text
}

/// Returns the repository's path of a link's target on the page with the path `from`, without its fragment. Returns `None`
/// for other servers and for the same page.
pub fn path_of(from: &str, target: &str) -> Option<String> {
    let path = target.split('#').next().unwrap_or_default();
    if path.is_empty() || is_external(target) { None } else { Some(join(from, path)) }
}

/// Returns whether a target begins with a scheme, or names a server.
pub fn is_external(target: &str) -> bool {
    let scheme = target.split([':', '/', '#', '?']).next().unwrap_or_default();
    target.starts_with("//") || (!scheme.is_empty() && target[scheme.len()..].starts_with(':'))
}

/// Returns the path of a relative target on the page `from`. Both have `/` between folders.
pub fn join(from: &str, target: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/').filter(|part| !matches!(*part, "" | ".")) {
        // A path that leaves the repository keeps its dots, so no file has it.
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

fn targets(page: &str) -> Vec<Range<usize>> {
    let text = blank_code(page);
    let mut found = Vec::new();
    for at in 2..text.len() {
        if &text[at - 2..at] == b"](" {
            let length = text[at..].iter().take_while(|byte| !matches!(byte, b')' | b' ' | b'\n')).count();
            found.push(at..at + length);
        }
    }
    found
}

/// Returns the bytes of a page with code as blanks, so that positions stay.
fn blank_code(page: &str) -> Vec<u8> {
    let mut text = page.as_bytes().to_vec();
    let (mut at, mut is_code) = (0, false);
    for line in page.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with(FENCE);
        if is_fence || is_code {
            text[at..at + line.len()].fill(b'\n');
        }
        is_code ^= is_fence;
        at += line.len();
    }
    let mut at = 0;
    while at < text.len() {
        let run = ticks(&text[at..]);
        let inside = at + run;
        let length = if run == 0 { None } else { span(&text[inside..], run) };
        let end = length.map_or(at + run.max(1), |length| inside + length + run);
        if length.is_some() {
            text[at..end].fill(b' ');
        }
        at = end;
    }
    text
}

/// Returns the length of a code span's content, which the next run of as many backticks in the same paragraph ends.
fn span(text: &[u8], run: usize) -> Option<usize> {
    let mut at = 0;
    while at < text.len() && !text[at..].starts_with(b"\n\n") {
        match ticks(&text[at..]) {
            found if found == run => return Some(at),
            found => at += found.max(1),
        }
    }
    None
}

fn ticks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| **byte == b'`').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A `page`\n\n[one](a.md), [`two`](../b/c.md#x) ![three](d.png)\n`[no](code.md)` ``[a`b](no.md)``\n\
        ```\n[no](block.md)\n```\nan odd ` tick [four](https://e.example/)\n\n[five\nlines](#f) `\n";

    #[test]
    fn links_in_code_are_not_found() {
        let found: Vec<&str> = links(PAGE).collect();
        assert_eq!(found, ["a.md", "../b/c.md#x", "d.png", "https://e.example/", "#f"]);
        assert_eq!(title(PAGE), "A `page`");
    }

    #[test]
    fn only_targets_are_replaced() {
        let replaced = replace_links(PAGE, |target| (target == "d.png").then(|| "e.png".to_owned()));
        assert_eq!(replaced, PAGE.replace("d.png", "e.png"));
    }

    #[test]
    fn blocks_without_a_language_become_text() {
        let page = "```\na\n```\n  ```\n  b\n  ```\n```json\n{}\n```\n```http\nGET /a\n```\n```http\nHTTP/1.1 200\n```\n";
        let expected = "```text\na\n```\n  ```text\n  b\n  ```\n```json\n{}\n```\n```text\nGET /a\n```\n\
            ```http\nHTTP/1.1 200\n```\n";
        assert_eq!(set_languages(page), expected);
    }

    #[test]
    fn targets_are_resolved_from_their_page() {
        assert_eq!(path_of("docs/how-to/a.md", "../b.md#x").as_deref(), Some("docs/b.md"));
        assert_eq!(path_of("README.md", "docs/samples/").as_deref(), Some("docs/samples"));
        assert_eq!(path_of("README.md", "../x").as_deref(), Some("../x"));
        for other in ["#x", "https://e.example/a.md", "mailto:a@e.example", "//e.example/a"] {
            assert_eq!(path_of("README.md", other), None, "{other}");
        }
    }
}
