//! Each bad file is refused with its fault.

use link_connectors::documents::inspection::inspect;

use crate::bad_files::bad_files;

#[test]
fn every_bad_file_is_refused_for_what_is_wrong_with_it() {
    let files = bad_files();
    assert!(files.len() >= 30);
    for file in &files {
        let t = std::time::Instant::now();
        let _ = inspect(&file.bytes);
        if t.elapsed().as_millis() > 100 {
            eprintln!("{} {:?}", file.name, t.elapsed());
        }
    }
    let wrong: Vec<String> = files
        .iter()
        .filter(|file| inspect(&file.bytes).map(|_| ()) != Err(file.fault))
        .map(|file| format!("{}: {:?} instead of {:?}", file.name, inspect(&file.bytes), file.fault))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
