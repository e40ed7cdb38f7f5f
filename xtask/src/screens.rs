//! `screens`: runs axe on every screen of the widget, and joins their pictures into contact sheets.

use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::e2e;
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::setup::browser;
use crate::stack::{self, Ports};
use crate::suite::tally::{Tally, run_counted};

/// The preview builds the widget before it listens.
const READY_WITHIN: Duration = Duration::from_secs(600);

/// Runs the tour through the screens in these languages, by default in all of them.
pub fn run(env: &Env, locales: &[&str], tally: &mut Tally) -> Outcome {
    let locales = if locales.is_empty() { all_locales(env)? } else { locales.join(" ") };
    let folder = env.target().join("screens");
    files::remove_dir(&folder)?;
    files::make_dir(&folder)?;
    let chromium = browser::headless(env)
        .ok_or_else(|| Failure::new("Found no Chromium").advice("run `cargo xtask setup`"))?;
    let preview = Preview::start(env)?;
    let tests = env
        .npm_bin("playwright")
        .args(["test", "--config", "tests/screens/config.ts"])
        .env("LINCHPIN_PREVIEW_URL", format!("http://127.0.0.1:{}", preview.port))
        .env("LINCHPIN_SCREENS", &folder)
        .env("LINCHPIN_LOCALES", locales)
        .env("LINCHPIN_CHROMIUM", &chromium);
    let tests = if env.repeats_failed_tests { tests.arg("--retries=1") } else { tests };
    run_counted(tests, tally)?;
    env.program("node").arg("tests/screens/sheet.mjs").arg(&folder).arg(&chromium).run()
}

/// The stories that take pictures of the portal, the link sites and the person's own page.
const STORIES: &[&str] = &[
    "console",
    "developers",
    "device",
    "embedded-site",
    "insights",
    "inviting",
    "link-site",
    "mailed-link",
    "own-page",
    "people",
    "site-files",
    "sites",
    "sso",
    "template-preview",
    "templates",
];

/// Runs the stories of the portal and the hosted pages, and joins the pictures of their pages into contact sheets.
pub fn pages(env: &Env, tally: &mut Tally) -> Outcome {
    let folder = env.target().join("screens").join("pages");
    files::remove_dir(&folder)?;
    files::make_dir(&folder)?;
    let stories: Vec<String> = STORIES.iter().map(|name| format!("tests/e2e/{name}.spec.ts")).collect();
    let arguments: Vec<&str> = stories.iter().map(String::as_str).chain(["--project=chromium"]).collect();
    let variables = [("LINCHPIN_PICTURES", folder.clone())];
    e2e::playwright(env, &stack::debug_service(env), &arguments, &variables, tally)?;
    let chromium = browser::headless(env)
        .ok_or_else(|| Failure::new("Found no Chromium").advice("run `cargo xtask setup`"))?;
    env.program("node").arg("tests/screens/pages.mjs").arg(&folder).arg(&chromium).run()
}

/// Takes the pictures of the guides, `docs/images`.
pub fn guides(env: &Env, tally: &mut Tally) -> Outcome {
    let arguments = ["tests/e2e/guide-pictures.spec.ts", "--project=chromium"];
    let variables = [("LINCHPIN_GUIDE_PICTURES", env.at("docs/images"))];
    e2e::playwright(env, &stack::debug_service(env), &arguments, &variables, tally)
}

fn all_locales(env: &Env) -> Outcome<String> {
    let files = files::walk(&env.at("www/frame/locales"))?;
    let mut names: Vec<&str> =
        files.iter().filter_map(|file| files::name(file).strip_suffix(".ftl")).collect();
    names.sort_unstable();
    Ok(names.join(" "))
}

/// The running preview. Dropping it stops it.
struct Preview {
    child: Child,
    port: u16,
}

impl Preview {
    fn start(env: &Env) -> Outcome<Self> {
        let port = Ports::free()?.service;
        println!("screens: building the preview (usually 20 s, 2 min the first time) ...");
        let command = env
            .program("node")
            .args(["www/frame/preview/serve.mjs", &port.to_string(), "--once"])
            .env("CARGO_TARGET_DIR", env.wasm_target());
        let child = command.into_command().spawn().or_fail(|| "Could not start the preview".into())?;
        let mut preview = Self { child, port };
        let deadline = Instant::now() + READY_WITHIN;
        while Instant::now() < deadline {
            if stack::is_ready(port, "/") {
                return Ok(preview);
            }
            if let Ok(Some(status)) = preview.child.try_wait() {
                return Err(Failure::new("The preview exited").why(status));
            }
            thread::sleep(Duration::from_millis(200));
        }
        Err(Failure::new(format!("The preview was not ready within {} s", READY_WITHIN.as_secs())))
    }
}

impl Drop for Preview {
    fn drop(&mut self) {
        stack::stop(&mut self.child);
    }
}
