//! Checks the links of a folder of HTML pages.
//!
//! Our own: mdbook-linkcheck checks the Markdown, not the ids of the built pages (ADR 286).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::markdown::{is_external, join};
use crate::failure::{Failure, Outcome};
use crate::files;

/// An element that begins: its name and attributes.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
}

/// The ids and links of a page.
#[derive(Default)]
struct Page {
    ids: BTreeSet<String>,
    /// The targets, and whether the browser loads them with the page.
    links: Vec<(String, bool)>,
}

/// Checks that each internal link leads to a file and an id, and that pages load nothing from another server. Returns the
/// numbers of pages and internal links.
///
/// # Errors
/// If a link does not. The failure lists all of them.
pub fn check(site: &Path) -> Outcome<(usize, usize)> {
    let mut pages = BTreeMap::new();
    let mut paths = BTreeSet::new();
    for file in files::walk(site)? {
        let path = file.strip_prefix(site).unwrap_or(&file).to_string_lossy().into_owned();
        if files::has_extension(&file, "html") {
            pages.insert(path.clone(), read(&files::read(&file)?));
        }
        paths.insert(path);
    }
    let (mut broken, mut count) = (Vec::new(), 0);
    for (path, page) in &pages {
        for (target, is_loaded) in &page.links {
            let fault = if is_external(target) {
                is_loaded.then_some("is loaded from another server")
            } else {
                count += 1;
                find_fault(path, target, &pages, &paths)
            };
            broken.extend(fault.map(|fault| format!("{path}: {target} {fault}")));
        }
    }
    // mdBook writes a picture twice: it shows the second one large.
    broken.dedup();
    if broken.is_empty() {
        return Ok((pages.len(), count));
    }
    Err(Failure::new(format!("{} links of the site are broken", broken.len())).why(broken.join("\n")))
}

fn find_fault(
    from: &str,
    target: &str,
    pages: &BTreeMap<String, Page>,
    paths: &BTreeSet<String>,
) -> Option<&'static str> {
    let (file, id) = target.split_once('#').unwrap_or((target, ""));
    // The page for missing addresses names the site's top in this way.
    if file == "/" {
        return None;
    }
    let path = if file.is_empty() { from.to_owned() } else { join(from, file) };
    if !paths.contains(&path) {
        return Some("leads to a file that does not exist");
    }
    let has_id = |page: &Page| id.is_empty() || page.ids.contains(id);
    pages.get(&path).is_some_and(|page| !has_id(page)).then_some("leads to an id that does not exist")
}

fn read(html: &str) -> Page {
    let mut page = Page::default();
    for Tag { name, attributes } in tags(html) {
        for (attribute, value) in attributes {
            match attribute {
                "id" => {
                    page.ids.insert(value.to_owned());
                }
                "src" => page.links.push((value.to_owned(), true)),
                "href" => page.links.push((value.to_owned(), name == "link")),
                _ => {}
            }
        }
    }
    page
}

/// Returns the elements of a page, without comments and scripts.
fn tags(html: &str) -> Vec<Tag<'_>> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else if rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let (tag, after) = read_tag(rest);
            rest = after;
            if tag.name == "script" {
                rest = rest.split_once("</script>").map_or("", |(_, after)| after);
            }
            found.push(tag);
        }
    }
    found
}

/// Reads an element after its `<`, and returns what follows.
fn read_tag(text: &str) -> (Tag<'_>, &str) {
    let is_end = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '>' | '/');
    let (name, mut rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == '/');
        if rest.is_empty() || rest.starts_with('>') {
            return (Tag { name, attributes }, rest.get(1..).unwrap_or_default());
        }
        let end = rest.find(|letter: char| is_end(letter) || letter == '=').unwrap_or(rest.len()).max(1);
        let (attribute, after) = rest.split_at(end);
        let value = after.strip_prefix("=\"").and_then(|value| value.split_once('"'));
        let (value, after) = value.unwrap_or(("", after));
        attributes.push((attribute, value));
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_pages(pages: &[(&str, &str)]) -> Outcome<(usize, usize)> {
        let site = tempfile::tempdir().unwrap();
        for (path, html) in pages {
            files::write(&site.path().join(path), html).unwrap();
        }
        check(site.path())
    }

    #[test]
    fn links_to_files_and_ids_pass() {
        let index = "<!-- <a href=\"no\"> --><script>\"<a href='no'>\"</script><h1 id=\"top\" hidden>1 < 2</h1>\
            <a href=\"a/b.html#x\">b</a><a href=\"#top\">top</a><a href=\"https://e.example/\">e</a>";
        let pages =
            [("index.html", index), ("a/b.html", "<img src=\"../c.png\"/><p id=\"x\">"), ("c.png", "")];
        assert_eq!(check_pages(&pages).unwrap(), (2, 3));
    }

    #[test]
    fn each_broken_link_is_a_fault() {
        for (html, fault) in [
            ("<a class=\"x > y\" href=\"b.html\">", "b.html leads to a file that does not exist"),
            ("<a href=\"#x\">", "#x leads to an id that does not exist"),
            ("<img src=\"https://e.example/a.png\">", "a.png is loaded from another server"),
            ("<link rel=\"stylesheet\" href=\"//e.example/a.css\">", "a.css is loaded from another server"),
        ] {
            let failure = check_pages(&[("index.html", html)]).unwrap_err().to_string();
            assert!(failure.contains(fault), "{html}: {failure}");
        }
    }
}
