//! The list of tasks, and which function runs each.

use std::sync::Arc;

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::faults::Volume;
use crate::faults::nodes::Part;
use crate::setup::Purpose;
use crate::suite::tally::Tally;
use crate::{
    advisories, bench, book, codegen, compat, demo, e2e, faults, fuzz, image, matrix, packages, receivers,
    release, screens, setup, suite, symbols, tidy, web,
};

const TASKS: &str = "\
usage: cargo xtask <task>

  setup                 install every missing tool; quick if nothing is missing
  receivers             run the webhook receivers of the guide, in six languages, with the vectors of tests/contract
  release               build dist/: the released program with the widget inside (linchpin), its tarball for operators, the
                        npm and Python packages, a collection for Bruno, the site of the documentation, the bill of materials
                        and SHA256SUMS
  packages [arguments]  install the npm tarballs in a project and in the examples, and test them, with the arguments of
                        `playwright test`
  packages build        write the npm tarballs to dist/
  packages python       install the wheel in a new environment, and test it
  image                 make a container image with the program from Debian packages: dist/linchpin-image.tar
  demo [--port 8788] [--service-port 8787] [--no-open]
                        run a demo tenant's page with the widget
  dev [the same]        run the same page, build the widget again after each change (Trunk), and reload the page
  test [quick|word ...] run all tests and checks, only the quick ones (format, lints, most native tests), or only
                        the stages whose name contains one of the words
  book                  make a site with a search of the pages that docs/README.md lists, and check its links
  codegen [--check]     generate the committed files (texts, openapi.json, types.ts), or check that they are current
  compat [--move \"reason\"]
                        check that docs/openapi.json does not break programs that use the interface, or accept what it
                        breaks and make it the new baseline
  texts                 generate only the texts, which takes a second
  frame | bridge        build what the service serves to browsers: www/frame/dist, www/sdk/dist
  console               build the developer portal: crates/link-console/dist
  frame compare         compare the frames that Trunk builds, for development and a release, with those built without it
  frame tools | finish  give Trunk its wasm-bindgen; make the frame of what Trunk has built: `trunk build` and
                        `trunk serve` run both
  e2e [arguments]       run the browser tests, with the arguments of `playwright test`
  screens [language ...]
                        run axe on every screen of the widget, and make contact sheets of them in every language
  screens guides        take the pictures of the guides, docs/images
  screens pages         run the stories of the portal and the hosted pages, and make contact sheets of their pages
  matrix [arguments]    run the widget on host pages of many kinds, and in Chromium, Firefox and WebKitGTK
  faults                run the kill tests with many rounds, and every fault at every step of the widget
  faults syncs          sync 100,000 accounts on two nodes of the released program, one of which is killed
  faults nodes [fault ...]
                        run three nodes on a PostgreSQL cluster that fails over, and kill, stop and disconnect its parts;
                        needs root and Debian
  faults nodes upgrade [revision]
                        upgrade these nodes one after the other under load, from the program of a revision (the newest
                        release, if absent), and back
  fuzz                  run Schemathesis against the API with 10,000 cases
  tidy                  check the house rules
  bench size [--update \"reason\"]
                        compare the widget's size with its limits and the committed figure
  bench open [rounds] [--debug]
                        measure the time from open() to the first screen in Chromium, next to Preact, React and MX;
                        --debug uses the service of the tests instead of the released one
  bench interaction [rounds] [--cycles count] [--providers count] [--debug]
                        measure how soon the widget shows the result of a press or key in Chromium, next to React, the
                        memory of its frame with 5,000 providers, and the growth of a page that opens it 1,000 times
  bench service [rows]  compare the service with a bare axum, Prism and one commit per request; lists of 1,000 and
                        1,000,000 rows
  bench lists <rows> [list]
                        run only the list part of `bench service`
  bench growth [users]  measure how payloads, exports, erasures and housekeeping grow from 1,000 data points to ten of
                        each of 1,000,000 users, and what erasures cost others; needs 15 GB in the folder for
                        temporary files
  bench polls [count] [dist|release]
                        measure the service while 10,000 widgets wait with long polls
  bench webhooks [deliveries] [rounds] [dist|release]
                        measure how fast and how soon the service sends webhooks, next to hyper alone and a minimal
                        durable sender
  bench peers [rounds] [dist|release]
                        compare writes, reads and webhooks with a service as most teams would write it, on SQLite and
                        on PostgreSQL
  bench cells           simulate 10,000 tenants on 8 cells: placement, moves, and a tenant that grows
  bench ocr [choices]   measure how well 1,000 generated documents are read, and how
                        much a high confidence means
  symbols <build> <offset>...
                        print the functions at the offsets of a wasm trap, as the UI events report them
  advisories            check dependencies for known vulnerabilities; needs the network
";

/// Runs the task that the arguments name.
///
/// # Errors
/// If the task fails, or does not exist with these arguments.
pub fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut env = Env::find()?;
    let mut tally = Tally::default();
    match words.as_slice() {
        [] | ["help" | "-h" | "--help"] => {
            print!("{TASKS}");
            Ok(())
        }
        ["setup"] => setup::run(&mut env, Purpose::Suite),
        ["receivers"] => {
            setup::run(&mut env, Purpose::Suite)?;
            receivers::run(&env, &mut tally)
        }
        ["release"] => with_build_tools(env, |env| release::run(env).map(drop)),
        ["packages", "build"] => with_build_tools(env, packages::write),
        ["packages", "python"] => with_all_tools(env, |env| packages::python::test(env, &mut tally)),
        ["packages", arguments @ ..] => with_all_tools(env, |env| packages::test(env, arguments, &mut tally)),
        ["image"] => image::run(&mut env),
        ["demo", flags @ ..] => demo::run(env, &demo::flags(flags)?, demo::Mode::Demo),
        ["dev", flags @ ..] => demo::run(env, &demo::flags(flags)?, demo::Mode::Dev),
        ["test", words @ ..] => suite::run(env, words),
        ["book"] => with_build_tools(env, |env| book::build(env).map(drop)),
        ["codegen"] => with_build_tools(env, |env| codegen::run(env, codegen::Mode::Write)),
        ["codegen", "--check"] => with_build_tools(env, |env| codegen::run(env, codegen::Mode::Check)),
        ["compat"] => compat::check(&env),
        ["compat", "--move", reason] => compat::move_baseline(&env, reason),
        ["texts"] => codegen::texts(&env, codegen::Mode::Write),
        ["frame"] => with_build_tools(env, web::frame),
        // `dev` has run the setup.
        ["frame", "finish"] if std::env::var_os(demo::XTASK).is_some() => {
            env.claim = Some(Arc::new(setup::target::claim(&env)?));
            web::finish_for_trunk(&env)
        }
        ["frame", "finish"] => with_build_tools(env, web::finish_for_trunk),
        ["frame", "tools"] => setup::cargo_tools::give_bindgen_to_trunk(&mut env),
        ["frame", "compare"] => {
            setup::run(&mut env, Purpose::Build)?;
            setup::cargo_tools::ensure_trunk(&mut env)?;
            // The hook of Trunk claims it.
            env.claim = None;
            web::compare(&env)
        }
        ["console"] => with_build_tools(env, web::console),
        ["console", "finish"] => with_build_tools(env, web::finish_console_for_trunk),
        ["bridge"] => with_build_tools(env, web::bridge),
        ["e2e", arguments @ ..] => with_all_tools(env, |env| e2e::run(env, arguments, &mut tally)),
        ["screens", "pages"] => with_all_tools(env, |env| screens::pages(env, &mut tally)),
        ["screens", "guides"] => with_all_tools(env, |env| screens::guides(env, &mut tally)),
        ["screens", locales @ ..] => with_all_tools(env, |env| screens::run(env, locales, &mut tally)),
        ["matrix", arguments @ ..] => {
            setup::run(&mut env, Purpose::Matrix)?;
            matrix::run(&env, arguments, &mut tally)
        }
        ["faults"] => with_all_tools(env, |env| {
            faults::run(env, Volume::Full, &mut tally)?;
            e2e::whole_table(env, &mut tally)
        }),
        ["faults", "syncs"] => with_all_tools(env, |env| faults::syncs(env, &mut tally)),
        ["faults", "nodes", words @ ..] => {
            let part = match words {
                ["upgrade"] => Part::Upgrade(None),
                ["upgrade", revision] => Part::Upgrade(Some(revision)),
                filters => Part::Faults(filters),
            };
            setup::run(&mut env, Purpose::Test)?;
            faults::nodes::run(&mut env, part)
        }
        ["fuzz"] => with_all_tools(env, |env| fuzz::run(env, fuzz::Volume::Full, &mut tally)),
        ["tidy"] => tidy::run(&env),
        ["symbols", build, offsets @ ..] => symbols::run(&env, build, offsets),
        ["bench"] => {
            println!(
                "benches: size, open, interaction, service, lists, growth, polls, webhooks, peers, cells, ocr"
            );
            Ok(())
        }
        ["bench", "size"] => with_all_tools(env, bench::size::run),
        ["bench", "open", words @ ..] => {
            let choices = bench::open::choices(words)?;
            with_all_tools(env, |env| bench::open::run(env, &choices))
        }
        ["bench", "interaction", words @ ..] => {
            let choices = bench::interaction::choices(words)?;
            with_all_tools(env, |env| bench::interaction::run(env, &choices))
        }
        ["bench", "ocr", choices @ ..] => with_all_tools(env, |env| bench::ocr(env, choices)),
        ["bench", "cells"] => with_build_tools(env, bench::cells),
        ["bench", "webhooks", choices @ ..] => {
            let choices = bench::webhooks::choices(choices)?;
            with_all_tools(env, |env| bench::webhooks::run(env, &choices))
        }
        ["bench", "peers", choices @ ..] => {
            let choices = bench::peers::choices(choices)?;
            with_all_tools(env, |env| bench::peers::run(env, &choices))
        }
        ["bench", "service"] => with_all_tools(env, |env| bench::service::run(env, "1000000")),
        ["bench", "growth"] => with_all_tools(env, |env| bench::growth::run(env, "1000000")),
        ["bench", "growth", users] => with_all_tools(env, |env| bench::growth::run(env, users)),
        ["bench", "polls"] => with_all_tools(env, |env| bench::polls::run(env, "10000", release::PROFILE)),
        ["bench", "polls", count] => {
            with_all_tools(env, |env| bench::polls::run(env, count, release::PROFILE))
        }
        ["bench", "polls", count, profile @ ("dist" | "release")] => {
            with_all_tools(env, |env| bench::polls::run(env, count, profile))
        }
        ["bench", "lists", rows] => with_all_tools(env, |env| bench::service::lists(env, rows, None)),
        ["bench", "lists", rows, list] => {
            with_all_tools(env, |env| bench::service::lists(env, rows, Some(list)))
        }
        ["bench", "service", rows] => with_all_tools(env, |env| bench::service::run(env, rows)),
        ["bench", "size", "--update", reason] => with_all_tools(env, |env| bench::size::update(env, reason)),
        ["advisories"] => with_all_tools(env, advisories::run),
        [unknown, ..] => Err(Failure::new(format!("There is no task `{unknown}` with these arguments"))
            .advice(TASKS.trim_end())),
    }
}

/// Runs a task after the setup of the build tools.
fn with_build_tools(mut env: Env, task: impl FnOnce(&Env) -> Outcome) -> Outcome {
    setup::run(&mut env, Purpose::Build)?;
    task(&env)
}

/// Runs a task after the setup of all tools.
fn with_all_tools(mut env: Env, task: impl FnOnce(&Env) -> Outcome) -> Outcome {
    setup::run(&mut env, Purpose::Test)?;
    task(&env)
}
