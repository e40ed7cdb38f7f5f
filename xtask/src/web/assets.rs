//! Renames the frame's files to names with hashes, and writes these names into its page.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::stamp::Inputs;

/// The path below which the service serves the files.
const ADDRESS: &str = "/sdk/assets/";

/// The output folder, and the page that refers to its files.
pub struct Assets {
    dir: PathBuf,
    page: String,
    written: Vec<PathBuf>,
}

impl Assets {
    /// Creates the empty folder, with the source of the page.
    pub fn new(dir: PathBuf, page: String) -> Outcome<Self> {
        files::remove_dir(&dir)?;
        files::make_dir(&dir)?;
        Ok(Self { dir, page, written: Vec::new() })
    }

    /// Copies a file to `name-<hash>.<extension>` and replaces `__PLACE__` in the page with its path.
    ///
    /// # Errors
    /// If the page does not contain the placeholder.
    pub fn add(&mut self, place: &str, built: &Path) -> Outcome {
        let marker = format!("__{place}__");
        if !self.page.contains(&marker) {
            return Err(Failure::new(format!(
                "www/frame/index.html has no placeholder for {}",
                files::name(built)
            ))
            .advice(format!("add an element whose href or src is \"{marker}\"")));
        }
        let name = hashed(files::name(built), &content_hash(built)?);
        let path = self.dir.join(&name);
        files::copy(built, &path)?;
        self.page = self.page.replace(&marker, &format!("{ADDRESS}{name}"));
        self.written.push(path);
        Ok(())
    }

    /// Writes the page and returns every written file.
    ///
    /// # Errors
    /// If the page still contains a placeholder.
    pub fn finish(mut self) -> Outcome<Vec<PathBuf>> {
        if let Some(at) = self.page.find("=\"__") {
            let place: String = self.page[at + 2..].chars().take_while(|&c| c != '"').collect();
            return Err(Failure::new(format!(
                "www/frame/index.html has a placeholder for a file that is not built: {place}"
            ))
            .advice("remove it, or add the file in xtask/src/web/frame.rs"));
        }
        let page = self.dir.join("index.html");
        files::write(&page, without_comments(&self.page))?;
        self.written.push(page);
        Ok(self.written)
    }
}

/// Returns a hash of the content only, so that the names do not depend on the folder of the build.
fn content_hash(built: &Path) -> Outcome<String> {
    let bytes = std::fs::read(built).or_fail(|| format!("Could not read {}", built.display()))?;
    Ok(Inputs::default().bytes(&bytes).fingerprint()[..10].to_owned())
}

fn hashed(name: &str, hash: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
        None => format!("{name}-{hash}"),
    }
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

    fn built(dir: &Path, name: &str, content: &str) -> PathBuf {
        let path = dir.join("built").join(name);
        files::write(&path, content).unwrap();
        path
    }

    #[test]
    fn file_name_contains_the_hash_and_is_in_the_page() {
        let dir = tempfile::tempdir().unwrap();
        let page = "<!-- why -->\n  <link href=\"__STYLES__\">\n".to_owned();
        let mut assets = Assets::new(dir.path().join("dist"), page).unwrap();
        assets.add("STYLES", &built(dir.path(), "styles.css", "a{}")).unwrap();
        let written = assets.finish().unwrap();
        let name = files::name(&written[0]).to_owned();
        assert!(name.starts_with("styles-") && name.ends_with(".css"), "{name}");
        assert_eq!(files::read(&written[1]).unwrap(), format!("<link href=\"/sdk/assets/{name}\">"));
    }

    #[test]
    fn unused_and_missing_placeholders_are_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let mut assets = Assets::new(dir.path().join("dist"), "<link href=\"__WASM__\">".into()).unwrap();
        let refused = assets.add("GLUE", &built(dir.path(), "glue.js", "")).unwrap_err();
        assert!(refused.to_string().contains("__GLUE__"));
        assert!(assets.finish().unwrap_err().to_string().contains("__WASM__"));
    }
}
