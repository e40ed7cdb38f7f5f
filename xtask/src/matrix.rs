//! `matrix`: opens the widget on many kinds of host pages, and runs its main flows in three browser engines.

use std::path::PathBuf;

use crate::e2e;
use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::packages;
use crate::setup::browser;
use crate::stack;
use crate::stamp::{Inputs, Stamp};
use crate::suite::tally::Tally;

const FOLDER: &str = "tests/matrix";

/// Runs all cases, or those that the arguments of `playwright test` choose, and prints a table of their results. Without
/// arguments, it first builds the release and links accounts with it.
pub fn run(env: &Env, arguments: &[&str], tally: &mut Tally) -> Outcome {
    if arguments.is_empty() {
        e2e::with_release(env, tally)?;
    }
    let pages = pages(env)?;
    let examples = packages::examples(env, &packages::build(env)?)?;
    playwright(env, arguments, &[("LINCHPIN_PAGES", pages), ("LINCHPIN_EXAMPLES", examples)], tally)
}

/// Links accounts in Firefox: with a code, on the provider's page, in a link site in a frame, and in the tenant's pages of the
/// React example and of the quickstart. Also uses the portal with the keyboard alone, and a person's own page.
pub fn smoke_in_firefox(env: &Env, tally: &mut Tally) -> Outcome {
    let examples = packages::examples(env, &packages::build(env)?)?;
    let files = ["--project=firefox", "smoke", "redirect", "react", "quickstart", "embedded", "portal"];
    playwright(env, &files, &[("LINCHPIN_EXAMPLES", examples)], tally)
}

fn playwright(env: &Env, arguments: &[&str], variables: &[(&str, PathBuf)], tally: &mut Tally) -> Outcome {
    let mut variables = variables.to_vec();
    variables.extend(browser::firefox(env).map(|path| ("LINCHPIN_FIREFOX", path)));
    variables.extend(browser::browser(env).map(|path| ("LINCHPIN_WHOLE_CHROMIUM", path.into())));
    variables.extend(browser::mini_browser().map(|path| ("LINCHPIN_WEBKIT", path)));
    let config = format!("{FOLDER}/playwright.config.ts");
    let arguments: Vec<&str> = ["--config", &config].into_iter().chain(arguments.iter().copied()).collect();
    e2e::playwright(env, &stack::debug_service(env), &arguments, &variables, tally)
}

/// Builds the host pages if one of their files has changed, and returns their folder.
fn pages(env: &Env) -> Outcome<PathBuf> {
    let folder = env.cache.join("matrix").join(env.checkout());
    let inputs = Inputs::default()
        .path(&env.at(&format!("{FOLDER}/pages")), |path| !is_built(path))?
        .path(&env.at(&format!("{FOLDER}/build.mjs")), |_| true)?
        .path(&env.at(&format!("{FOLDER}/package-lock.json")), |_| true)?;
    let stamp = Stamp::new(env.stamp("host-pages"), inputs);
    if stamp.is_current() && folder.join("next/index.html").is_file() {
        return Ok(folder);
    }
    println!("matrix: building the host pages (usually 15 s) ...");
    files::remove_dir(&folder)?;
    env.program("node").arg(format!("{FOLDER}/build.mjs")).arg(&folder).output()?;
    stamp.set()?;
    Ok(folder)
}

/// Returns whether Next wrote the file when it built its page.
fn is_built(path: &std::path::Path) -> bool {
    path.components().any(|part| matches!(part.as_os_str().to_str(), Some(".next" | "out")))
}
