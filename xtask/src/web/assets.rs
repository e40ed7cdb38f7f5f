//! Renames the frame's files to names with hashes, and writes these names, or a file itself, into its page.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::stamp::Inputs;

/// The mark of the element with which Trunk finds the program.
const TRUNK: &str = "<link data-trunk ";

/// Markup that a browser, or the service when it computes hashes, would take for another element, and characters that a
/// browser changes.
const MARKUP: [&str; 7] = ["<script", "</script", "<style", "</style", "<!--", "\0", "\r"];

/// The output folder, and the page that refers to its files.
pub struct Assets {
    /// The path below which the service serves the files.
    address: &'static str,
    dir: PathBuf,
    page: String,
    written: Vec<PathBuf>,
}

impl Assets {
    /// Creates the empty folder, with the source of the page.
    pub fn new(dir: PathBuf, page: String, address: &'static str) -> Outcome<Self> {
        files::remove_dir(&dir)?;
        files::make_dir(&dir)?;
        // Before files are inserted, whose text may look like a comment.
        let page = without_comments(&page);
        let page = page.lines().filter(|line| !line.contains(TRUNK)).collect::<Vec<_>>().join("\n");
        Ok(Self { address, dir, page, written: Vec::new() })
    }

    /// Copies a file to `name-<hash>.<extension>` and replaces `__PLACE__` in the page with its path.
    ///
    /// # Errors
    /// If the page does not contain the placeholder.
    pub fn add(&mut self, place: &str, built: &Path) -> Outcome {
        let marker = self.marker(place, built)?;
        let name = add_hash(files::name(built), &content_hash(built)?);
        let path = self.dir.join(&name);
        files::copy(built, &path)?;
        self.page = self.page.replace(&marker, &format!("{}{name}", self.address));
        self.written.push(path);
        Ok(())
    }

    /// Replaces `__PLACE__` in the page with the element that `start` begins, for example `style`, and the file as its content.
    ///
    /// # Errors
    /// If the page does not contain the placeholder, or if the content would end the element.
    pub fn inline(&mut self, place: &str, start: &str, built: &Path) -> Outcome {
        let marker = self.marker(place, built)?;
        let content = files::read(built)?;
        let lower = content.to_ascii_lowercase();
        if let Some(markup) = MARKUP.iter().find(|markup| lower.contains(**markup)) {
            return Err(Failure::new(format!("{} cannot be part of a page", files::name(built)))
                .why(format!("it contains {markup:?}")));
        }
        let name = start.split(' ').next().unwrap_or(start);
        self.page = self.page.replace(&marker, &format!("<{start}>{}</{name}>", content.trim_end()));
        Ok(())
    }

    fn marker(&self, place: &str, built: &Path) -> Outcome<String> {
        let marker = format!("__{place}__");
        if self.page.contains(&marker) {
            return Ok(marker);
        }
        let name = files::name(built);
        Err(Failure::new(format!("index.html has no placeholder for {name}"))
            .advice(format!("write {marker} where it belongs")))
    }

    /// Writes the page and returns every written file.
    ///
    /// # Errors
    /// If the page still contains a placeholder.
    pub fn finish(mut self) -> Outcome<Vec<PathBuf>> {
        if let Some(place) = placeholder(&self.page) {
            return Err(Failure::new(format!(
                "index.html has a placeholder for a file that is not built: {place}"
            ))
            .advice("remove it, or add the file in xtask/src/web"));
        }
        let page = self.dir.join("index.html");
        files::write(&page, &self.page)?;
        self.written.push(page);
        Ok(self.written)
    }
}

/// Returns a hash of the content only, so that the names do not depend on the folder of the build.
fn content_hash(built: &Path) -> Outcome<String> {
    let bytes = std::fs::read(built).or_fail(|| format!("Could not read {}", built.display()))?;
    Ok(Inputs::default().bytes(&bytes).fingerprint()[..8].to_owned())
}

fn add_hash(name: &str, hash: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
        None => format!("{name}-{hash}"),
    }
}

/// Returns the first placeholder: upper-case letters after `__`.
fn placeholder(page: &str) -> Option<&str> {
    page.match_indices("__")
        .map(|(at, _)| &page[at..])
        .find(|rest| rest[2..].starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|rest| rest.split(|c: char| !c.is_ascii_uppercase() && c != '_').next().unwrap_or(rest))
}

fn without_comments(page: &str) -> String {
    let mut kept = String::with_capacity(page.len());
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_built(dir: &Path, name: &str, content: &str) -> PathBuf {
        let path = dir.join("built").join(name);
        files::write(&path, content).unwrap();
        path
    }

    #[test]
    fn file_name_contains_the_hash_and_is_in_the_page() {
        let dir = tempfile::tempdir().unwrap();
        let page =
            "<!-- why -->\n  <link data-trunk rel=\"rust\">\n  <link href=\"__STYLES__\">\n".to_owned();
        let mut assets = Assets::new(dir.path().join("dist"), page, "/sdk/assets/").unwrap();
        assets.add("STYLES", &write_built(dir.path(), "styles.css", "a{}")).unwrap();
        let written = assets.finish().unwrap();
        let name = files::name(&written[0]).to_owned();
        assert!(name.starts_with("styles-") && name.ends_with(".css"), "{name}");
        assert_eq!(files::read(&written[1]).unwrap(), format!("<link href=\"/sdk/assets/{name}\">"));
    }

    #[test]
    fn content_is_inserted_unless_it_would_end_its_element() {
        let dir = tempfile::tempdir().unwrap();
        let page = "<!-- why -->\n__STYLES__\n__BOOT__".to_owned();
        let mut assets = Assets::new(dir.path().join("dist"), page, "/sdk/assets/").unwrap();
        assets.inline("STYLES", "style", &write_built(dir.path(), "a.css", "a{}\n")).unwrap();
        let module = "script type=\"module\"";
        let refused =
            assets.inline("BOOT", module, &write_built(dir.path(), "boot.js", "x='</SCRIPT>'")).unwrap_err();
        assert!(refused.to_string().contains("boot.js cannot be part of a page"), "{refused}");
        assets.inline("BOOT", module, &write_built(dir.path(), "boot.js", "`\n  $1`")).unwrap();
        let page = files::read(&assets.finish().unwrap()[0]).unwrap();
        assert_eq!(page, "<style>a{}</style>\n<script type=\"module\">`\n  $1`</script>");
    }

    #[test]
    fn unused_and_missing_placeholders_are_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let mut assets =
            Assets::new(dir.path().join("dist"), "<link href=\"__WASM__\">".into(), "/").unwrap();
        let refused = assets.add("GLUE", &write_built(dir.path(), "glue.js", "")).unwrap_err();
        assert!(refused.to_string().contains("__GLUE__"));
        assert!(assets.finish().unwrap_err().to_string().contains("__WASM__"));
    }
}
