//! Each bad file is refused with its fault.

use link_connectors::documents::inspection::inspect;

use crate::bad_files::bad_files;

#[test]
fn every_bad_file_is_refused_for_what_is_wrong_with_it() {
    let files = bad_files();
    assert!(files.len() >= 30);
    let wrong: Vec<String> = files
        .iter()
        .map(|file| (file, inspect(&file.bytes)))
        .filter(|(file, found)| *found != Err(file.fault))
        .map(|(file, found)| format!("{}: {found:?} instead of {:?}", file.name, file.fault))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
