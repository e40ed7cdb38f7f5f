//! Other systems than Linux, which provide no layer.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::confinement::{Confinement, FileWall};
use super::entered::{Entered, Means};
use super::layer::Layer;
use crate::tesseract::Tesseract;

/// Returns the program that starts a child, with its arguments, and what will block the child's access to files.
pub(crate) fn command(
    program: &Path,
    arguments: &[String],
    _: &Tesseract,
) -> (FileWall, PathBuf, Vec<OsString>) {
    (FileWall::Landlock, program.to_owned(), arguments.iter().map(OsString::from).collect())
}

/// Reports that no layer is available.
pub(crate) fn enter(_: Confinement, _: Option<&Tesseract>) -> Entered {
    let by = Err(format!("not available on {}", std::env::consts::OS));
    Entered { means: Layer::ALL.map(|layer| Means { layer, by: by.clone() }).to_vec() }
}
