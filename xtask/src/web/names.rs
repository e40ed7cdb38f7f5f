//! Shortens the names of imports and exports between the wasm and its glue, which contain hashes that do not compress.
//!
//! Our own: saves 2 KB of wasm and 1.8 KB of glue (ADR 40).

use std::collections::HashMap;

use serde_json::Value;

use super::split::rename_imports;
use crate::failure::{Failure, OrFail, Outcome};

/// The short names that wasm-opt chose, by long name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Names {
    modules: HashMap<String, String>,
    imports: HashMap<String, String>,
    exports: HashMap<String, String>,
}

impl Names {
    /// Parses the output of `wasm-opt --minify-imports-and-exports-and-modules`.
    pub fn read(printed: &str) -> Outcome<Self> {
        let map: Value =
            serde_json::from_str(printed).or_fail(|| "wasm-opt did not print a map of names".into())?;
        let rows = |name: &str| map[name].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut names = Self::default();
        for row in rows("imports") {
            names.modules.insert(text(&row[0]), "a".into());
            names.imports.insert(text(&row[1]), text(&row[2]));
        }
        for row in rows("exports") {
            names.exports.insert(text(&row[0]), text(&row[1]));
        }
        Ok(names)
    }

    /// Returns the deferred chunk with short names for its imports from the first part.
    pub fn shorten_imports(&self, chunk: &[u8]) -> Outcome<Vec<u8>> {
        rename_imports(chunk, &self.exports)
    }

    /// Returns the glue with short names for the keys of its imports object and the members of `wasm`.
    ///
    /// # Errors
    /// If the glue does not contain every import of the wasm.
    pub fn shorten(&self, glue: &str) -> Outcome<String> {
        let mut short = String::with_capacity(glue.len());
        let mut found = 0;
        let mut rest = glue;
        while let Some(start) = rest.find(is_name) {
            let (between, tail) = rest.split_at(start);
            short.push_str(between);
            let end = tail.find(|c| !is_name(c)).unwrap_or(tail.len());
            let (word, after) = tail.split_at(end);
            let exported = short.ends_with("wasm.").then(|| self.exports.get(word)).flatten();
            let imported = after.starts_with(':').then(|| self.imports.get(word)).flatten();
            found += usize::from(exported.is_none() && imported.is_some());
            short.push_str(exported.or(imported).map_or(word, String::as_str));
            rest = after;
        }
        short.push_str(rest);
        if found != self.imports.len() {
            return Err(Failure::new("The glue does not contain every import of the wasm")
                .why(format!("{found} of {} imports found", self.imports.len())));
        }
        for (long, short_name) in &self.modules {
            short = short.replace(&format!("\"{long}\""), &format!("\"{short_name}\""));
        }
        Ok(short)
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = r#"{
 "imports": [["./w_bg.js", "__wbg_error_12", "a"], ["./w_bg.js", "__wbg_error_123", "$b"]],
 "exports": [["memory", "c"], ["__wbindgen_free", "d"]]
}"#;

    #[test]
    fn imports_and_exports_get_short_names() {
        let glue = "import0 = { __wbg_error_12: f, __wbg_error_123: g }; wasm.__wbindgen_free(wasm.memory); \
            memory; x = { \"./w_bg.js\": import0 };";
        let short = Names::read(PRINTED).unwrap().shorten(glue).unwrap();
        assert_eq!(short, "import0 = { a: f, $b: g }; wasm.d(wasm.c); memory; x = { \"a\": import0 };");
    }

    #[test]
    fn missing_import_in_the_glue_is_rejected() {
        assert!(Names::read(PRINTED).unwrap().shorten("{ __wbg_error_12: f }").is_err());
        assert!(Names::read("no map").is_err());
    }
}
