//! `book`: makes a site with a search of the documentation, with mdBook.

mod contents;
mod markdown;
mod site;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::release::archive;
use crate::setup::cargo_tools;

/// The settings and styles of the site.
const SETTINGS: &str = "www/book";

/// Searches of the site, each with a page that it must find.
const SEARCHES: [(&str, &str); 3] = [
    ("verify signature", "docs/how-to/verify-webhooks.html"),
    ("erasure ledger", "docs/adr/0262-ledger-of-erasures.html"),
    ("idempotency", "docs/reference/conventions.html"),
];

/// Finds pages that `docs/README.md` does not list and links to files that do not exist: each with the rule that it breaks.
///
/// # Errors
/// If a page cannot be read.
pub fn find_faults(env: &Env) -> Outcome<Vec<(String, &'static str)>> {
    Ok(contents::read(&env.root)?.faults)
}

/// Builds the site, checks its links and its search, and returns its folder. Installs mdBook if it is missing.
///
/// # Errors
/// If `docs/README.md` does not list a page, a link is broken, or a search does not find its page.
pub fn build(env: &Env) -> Outcome<PathBuf> {
    let mdbook = cargo_tools::find_mdbook(env)?;
    let started = Instant::now();
    let folder = env.cache.join("book").join(env.checkout());
    let _alone = files::lock(&folder.with_extension("lock"))?;
    files::remove_dir(&folder)?;
    contents::read(&env.root)?.write(&env.root, &folder.join("src"))?;
    for file in files::walk(&env.at(SETTINGS))? {
        files::copy(&file, &folder.join(files::name(&file)))?;
    }
    let site = folder.join(name());
    env.program(&mdbook.to_string_lossy()).args(["build", "--dest-dir"]).arg(&site).arg(&folder).output()?;
    let (pages, links) = site::check(&site)?;
    check_search(env, &site)?;
    println!(
        "book: {pages} pages, {links} links ({:.0} s): {}",
        started.elapsed().as_secs_f64(),
        site.join("index.html").display()
    );
    Ok(site)
}

/// Builds the site, and packs it into a folder.
///
/// # Errors
/// As [`build`], or if `tar` fails.
pub fn pack(env: &Env, folder: &Path) -> Outcome {
    let site = build(env)?;
    let parent = site.parent().unwrap_or(&site);
    archive::pack_folder(env, parent, &name(), &folder.join(format!("{}.tar.gz", name())))
}

/// Returns the name of the site's folder.
fn name() -> String {
    format!("linchpin-docs-{}", env!("CARGO_PKG_VERSION"))
}

/// Searches the site with its own script and index.
fn check_search(env: &Env, site: &Path) -> Outcome {
    let mut search = env.program("node").arg("xtask/node/search.mjs").arg(site);
    for (words, _) in SEARCHES {
        search = search.arg(words);
    }
    let found = search.output()?;
    for ((words, page), found) in SEARCHES.iter().zip(found.lines()) {
        if !found.split(' ').any(|it| it == *page) {
            return Err(Failure::new(format!("The search for \"{words}\" does not find {page}"))
                .why(format!("It finds {found}")));
        }
    }
    Ok(())
}
