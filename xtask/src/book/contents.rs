//! The pages of the site. `docs/README.md` lists them: each of its headings is a part, each link to a page is a chapter.

use std::collections::BTreeSet;
use std::path::Path;

use super::markdown::{links, path_of, replace_links, set_languages, title};
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;

/// The page that lists all others.
pub const INDEX: &str = "docs/README.md";
/// The first page of the site.
const START: &str = "README.md";
/// The name of a page that describes its folder.
const README: &str = "README.md";

/// The pages of the site and the files to which they link.
pub struct Contents {
    entries: Vec<Entry>,
    /// The repository's paths of files that are not pages.
    files: BTreeSet<String>,
    /// The place and the broken rule of each fault.
    pub faults: Vec<(String, &'static str)>,
}

/// A line of the sidebar.
enum Entry {
    Part(String),
    Chapter(Chapter),
}

struct Chapter {
    /// The repository's path.
    path: String,
    text: String,
    /// Whether it is below the chapter that lists it.
    is_below: bool,
}

/// Reads the index, the pages that it lists, and the names of the files to which these link.
///
/// # Errors
/// If a file cannot be read. What a page links to and does not exist is among the faults.
pub fn read(root: &Path) -> Outcome<Contents> {
    let mut contents = Contents { entries: Vec::new(), files: BTreeSet::new(), faults: Vec::new() };
    contents.add(root, START, false)?;
    contents.add(root, INDEX, false)?;
    let index = files::read(&root.join(INDEX))?;
    for part in index.split("\n## ").skip(1) {
        contents.entries.push(Entry::Part(part.lines().next().unwrap_or_default().to_owned()));
        for page in pages(INDEX, part) {
            contents.add(root, &page, false)?;
        }
        contents.remove_empty_part();
    }
    contents.find_faults(root)?;
    contents.add_files(root)?;
    Ok(contents)
}

/// Returns the pages to which a text links.
fn pages(from: &str, text: &str) -> Vec<String> {
    links(text).filter_map(|target| path_of(from, target)).filter(|path| path.ends_with(".md")).collect()
}

impl Contents {
    /// Adds a page. If it describes its folder, adds the pages of the folder that it lists.
    fn add(&mut self, root: &Path, path: &str, is_below: bool) -> Outcome {
        if self.has(path) || !root.join(path).is_file() {
            return Ok(());
        }
        let text = files::read(&root.join(path))?;
        let below = path.strip_suffix(README).filter(|folder| !folder.is_empty() && path != INDEX);
        let below = below.map_or_else(Vec::new, |folder| {
            let mut pages = pages(path, &text);
            pages.retain(|page| page.starts_with(folder));
            pages
        });
        self.entries.push(Entry::Chapter(Chapter { path: path.to_owned(), text, is_below }));
        below.iter().try_for_each(|page| self.add(root, page, true))
    }

    fn has(&self, path: &str) -> bool {
        self.chapters().any(|chapter| chapter.path == path)
    }

    fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Part(_) => None,
            Entry::Chapter(chapter) => Some(chapter),
        })
    }

    fn find_faults(&mut self, root: &Path) -> Outcome {
        let mut faults = Vec::new();
        for file in files::walk(&root.join("docs"))? {
            let path = relative(root, &file)?;
            if path.ends_with(".md") && !self.has(&path) {
                faults.push((path, "is a page that docs/README.md does not list"));
            }
        }
        for Chapter { path, text, .. } in self.chapters() {
            for (target, linked) in links(text).filter_map(|target| Some((target, path_of(path, target)?))) {
                let place = format!("{path}: {target}");
                if !root.join(&linked).exists() {
                    faults.push((place, "links to a file that does not exist"));
                } else if linked.ends_with(".md") && !linked.starts_with("docs/") && !self.has(&linked) {
                    faults.push((place, "links to a page that docs/README.md does not list"));
                }
            }
        }
        self.faults = faults;
        Ok(())
    }

    /// Adds the files to which pages link. A folder without a page becomes a page that lists its files.
    fn add_files(&mut self, root: &Path) -> Outcome {
        let linked: BTreeSet<String> = self
            .chapters()
            .flat_map(|chapter| links(&chapter.text).filter_map(|target| path_of(&chapter.path, target)))
            .filter(|path| !path.ends_with(".md"))
            .collect();
        let (folders, files): (Vec<_>, Vec<_>) = linked
            .into_iter()
            .filter(|path| root.join(path).exists())
            .partition(|path| root.join(path).is_dir());
        self.files.extend(files);
        self.entries.push(Entry::Part("Files".into()));
        for folder in folders {
            if self.has(&format!("{folder}/{README}")) {
                continue;
            }
            let mut text = format!("# `{folder}`\n\n");
            for file in files::walk(&root.join(&folder))? {
                let path = relative(root, &file)?;
                let name = path[folder.len() + 1..].to_owned();
                if !name.split('/').any(|part| part.starts_with('.')) {
                    text.push_str(&format!("- [{name}]({name})\n"));
                    self.files.insert(path);
                }
            }
            let path = format!("{folder}/{README}");
            self.entries.push(Entry::Chapter(Chapter { path, text, is_below: false }));
        }
        self.remove_empty_part();
        Ok(())
    }

    /// Removes the last part if all its pages are chapters of earlier ones.
    fn remove_empty_part(&mut self) {
        self.entries.pop_if(|entry| matches!(entry, Entry::Part(_)));
    }

    /// Writes the pages, the files and mdBook's list of pages into a folder. Paths stay, except that `README.md` becomes
    /// `index.md`.
    ///
    /// # Errors
    /// If the contents have faults, or a file cannot be written.
    pub fn write(&self, root: &Path, folder: &Path) -> Outcome {
        if !self.faults.is_empty() {
            let lines: Vec<String> =
                self.faults.iter().map(|(place, rule)| format!("{place} {rule}")).collect();
            return Err(Failure::new("The documentation is not complete").why(lines.join("\n")));
        }
        for Chapter { path, text, .. } in self.chapters() {
            let text = replace_links(text, |target| rename_target(root, path, target));
            files::write(&folder.join(rename(path)), set_languages(&text))?;
        }
        for file in &self.files {
            files::copy(&root.join(file), &folder.join(file))?;
        }
        files::write(&folder.join("SUMMARY.md"), self.summary())
    }

    fn summary(&self) -> String {
        let mut summary = "# Summary\n\n".to_owned();
        let mut has_part = false;
        for entry in &self.entries {
            summary.push_str(&match entry {
                Entry::Part(title) => format!("\n# {title}\n\n"),
                Entry::Chapter(Chapter { path, text, is_below }) => {
                    let indent = if *is_below { "  " } else { "" };
                    // Chapters before the first part are not list items.
                    let item = if has_part { "- " } else { "" };
                    let title = title(text).replace('[', "\\[").replace(']', "\\]");
                    format!("{indent}{item}[{title}]({})\n", rename(path))
                }
            });
            has_part |= matches!(entry, Entry::Part(_));
        }
        summary
    }
}

/// Returns the path of a page in the site's sources. A server returns the page `index.html` for its folder.
fn rename(path: &str) -> String {
    path.strip_suffix(README).map_or_else(|| path.to_owned(), |folder| format!("{folder}index.md"))
}

/// Returns the new target of a link to a `README.md` or a folder, or `None` if it stays.
fn rename_target(root: &Path, from: &str, target: &str) -> Option<String> {
    let path = path_of(from, target)?;
    let (file, fragment) = target.split_at(target.find('#').unwrap_or(target.len()));
    if root.join(path).is_dir() {
        return Some(format!("{}/index.md{fragment}", file.trim_end_matches('/')));
    }
    (rename(file) != file).then(|| format!("{}{fragment}", rename(file)))
}

fn relative(root: &Path, file: &Path) -> Outcome<String> {
    let path = file.strip_prefix(root).or_fail(|| "A file is outside the checkout".into())?;
    Ok(path.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a small project: an index, one guide, a folder of decisions with one page, and a folder of samples.
    fn project() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("README.md", "# Project\n\n[docs](docs/README.md#guides)\n"),
            (
                INDEX,
                "# Docs\n\n## Guides\n\n[a](a.md)\n\n## Why\n\n[d](adr/README.md)\n\n## More\n\n[a](a.md)\n",
            ),
            ("docs/a.md", "# A [b]\n\n[files](samples) [all](adr) [unit](../unit.service)\n"),
            ("docs/adr/README.md", "# Decisions\n\n- [1](0001-x.md)\n- [a](../a.md)\n"),
            ("docs/adr/0001-x.md", "# 1. X\n"),
            ("docs/samples/one.pdf", "%PDF"),
            ("docs/samples/.hidden", ""),
            ("unit.service", "[Unit]"),
        ] {
            files::write(&root.path().join(path), text).unwrap();
        }
        root
    }

    #[test]
    fn summary_has_the_parts_and_pages_of_the_index() {
        let root = project();
        let contents = read(root.path()).unwrap();
        assert_eq!(contents.faults, Vec::new());
        assert_eq!(
            contents.summary(),
            "# Summary\n\n[Project](index.md)\n[Docs](docs/index.md)\n\n# Guides\n\n- [A \\[b\\]](docs/a.md)\n\n# Why\n\n\
             - [Decisions](docs/adr/index.md)\n  - [1. X](docs/adr/0001-x.md)\n\n# Files\n\n\
             - [`docs/samples`](docs/samples/index.md)\n"
        );
    }

    #[test]
    fn folders_and_readmes_are_linked_as_index_pages() {
        let (root, out) = (project(), tempfile::tempdir().unwrap());
        read(root.path()).unwrap().write(root.path(), out.path()).unwrap();
        let read = |path: &str| files::read(&out.path().join(path)).unwrap();
        assert_eq!(read("index.md"), "# Project\n\n[docs](docs/index.md#guides)\n");
        assert_eq!(
            read("docs/a.md"),
            "# A [b]\n\n[files](samples/index.md) [all](adr/index.md) [unit](../unit.service)\n"
        );
        assert_eq!(read("docs/samples/index.md"), "# `docs/samples`\n\n- [one.pdf](one.pdf)\n");
        assert_eq!(read("unit.service"), "[Unit]");
        assert!(!out.path().join("docs/samples/.hidden").exists());
    }

    #[test]
    fn unlisted_pages_and_broken_links_are_faults() {
        let root = project();
        files::write(&root.path().join("docs/b.md"), "# B\n").unwrap();
        files::write(&root.path().join("OTHER.md"), "# Other\n").unwrap();
        files::write(&root.path().join("docs/a.md"), "# A\n\n[o](../OTHER.md) [n](n.md) [u](../../u)\n")
            .unwrap();
        let contents = read(root.path()).unwrap();
        let places: Vec<&str> = contents.faults.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, ["docs/b.md", "docs/a.md: ../OTHER.md", "docs/a.md: n.md", "docs/a.md: ../../u"]);
        assert!(contents.write(root.path(), root.path()).is_err());
    }
}
