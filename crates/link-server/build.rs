//! Fails an optimized build without the widget's files, because the binary would respond with 503 for its own scripts.

use std::path::Path;

/// Files that the widget's build writes last. See `cargo xtask frame` and `cargo xtask bridge`.
const WIDGET_FILES: [&str; 2] = ["../../www/frame/dist/index.html", "../../www/sdk/dist/v2/linchpin.v2.js"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A debug build reads the files from the checkout at run time.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return;
    }
    for file in WIDGET_FILES {
        println!("cargo::rerun-if-changed={file}");
        if !Path::new(file).is_file() {
            println!(
                "cargo::error=the widget's files are not built ({file} is missing), and a release embeds them. \
                 Run `cargo xtask release`, or `cargo xtask frame` and `cargo xtask bridge` before this build."
            );
        }
    }
}
