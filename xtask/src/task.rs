//! The tasks by name.

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::faults::Volume;
use crate::setup::Purpose;
use crate::suite::tally::Tally;
use crate::{advisories, bench, codegen, demo, e2e, faults, fuzz, release, setup, suite, symbols, tidy, web};

const TASKS: &str = "\
usage: cargo xtask <task>

  setup                 install every tool that is missing; quick when nothing is
  release               the program as it is released, with the widget inside: dist/linchpin
  demo [--port 8788] [--service-port 8787] [--no-open]
                        a tenant's page with the widget, ready to click through
  test [word]           the whole check, or the stages whose name contains the word
  codegen [--check]     generate what is committed (texts, openapi.json, types.ts), or check that nothing drifted
  texts                 the texts alone, in a second, while writing them
  frame | bridge        build what the service serves to browsers: www/frame/dist, www/sdk/dist
  e2e [arguments]       the browser tests, as `playwright test` takes them
  faults                the kill tests, at volume, and every fault at every step of the widget
  fuzz                  Schemathesis against the API, at volume (10,000 cases)
  tidy                  the house rules
  bench size [--update \"reason\"]
                        the widget's weight, against its limits and the figure checked in
  bench store [rows]    the store's reads, pages, writes and claims on both databases
  bench service [rows]  the service beside a bare axum, Prism and a commit a request; lists of 1,000 and 1,000,000 rows
  bench lists <rows> [list]
                        of those figures the lists' alone
  bench ocr [choices]   how well documents are read, over 200 drawn ones
  symbols <build> <place>...
                        the functions at the places of a trap, as `linchpin`'s UI events tell them
  advisories            known vulnerabilities of dependencies; needs the network
";

/// Runs the task that the arguments name.
pub fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut env = Env::find()?;
    let mut tally = Tally::default();
    match words.as_slice() {
        [] | ["help" | "-h" | "--help"] => {
            print!("{TASKS}");
            Ok(())
        }
        ["setup"] => setup::run(&mut env, Purpose::Test),
        ["release"] => built(env, |env| release::run(env).map(drop)),
        ["demo", flags @ ..] => demo::run(env, &demo::flags(flags)?),
        ["test"] => suite::run(env, None),
        ["test", word] => suite::run(env, Some(word)),
        ["codegen"] => built(env, |env| codegen::run(env, codegen::Mode::Write)),
        ["codegen", "--check"] => built(env, |env| codegen::run(env, codegen::Mode::Check)),
        ["texts"] => codegen::texts(&env, codegen::Mode::Write),
        ["frame"] => built(env, web::frame),
        ["bridge"] => built(env, web::bridge),
        ["e2e", arguments @ ..] => prepared(env, |env| e2e::run(env, arguments, &mut tally)),
        ["faults"] => prepared(env, |env| {
            faults::run(env, Volume::Full, &mut tally)?;
            e2e::whole_table(env, &mut tally)
        }),
        ["fuzz"] => prepared(env, |env| fuzz::run(env, fuzz::Volume::Full, &mut tally)),
        ["tidy"] => tidy::run(&env),
        ["symbols", build, offsets @ ..] => symbols::run(&env, build, offsets),
        ["bench"] => {
            println!("benches: size, store, service, lists, ocr");
            Ok(())
        }
        ["bench", "size"] => prepared(env, bench::size::run),
        ["bench", "ocr", choices @ ..] => prepared(env, |env| bench::ocr(env, choices)),
        ["bench", "store"] => prepared(env, |env| bench::store(env, "100000")),
        ["bench", "store", rows] => prepared(env, |env| bench::store(env, rows)),
        ["bench", "service"] => prepared(env, |env| bench::service::run(env, "1000000")),
        ["bench", "lists", rows] => prepared(env, |env| bench::service::lists(env, rows, None)),
        ["bench", "lists", rows, list] => prepared(env, |env| bench::service::lists(env, rows, Some(list))),
        ["bench", "service", rows] => prepared(env, |env| bench::service::run(env, rows)),
        ["bench", "size", "--update", reason] => prepared(env, |env| bench::size::update(env, reason)),
        ["advisories"] => prepared(env, advisories::run),
        [unknown, ..] => Err(Failure::new(format!("there is no task `{unknown}` with these arguments"))
            .advice(TASKS.trim_end())),
    }
}

/// Runs a task that needs no more than a build does.
fn built(mut env: Env, task: impl FnOnce(&Env) -> Outcome) -> Outcome {
    setup::run(&mut env, Purpose::Build)?;
    task(&env)
}

fn prepared(mut env: Env, task: impl FnOnce(&Env) -> Outcome) -> Outcome {
    setup::run(&mut env, Purpose::Test)?;
    task(&env)
}
