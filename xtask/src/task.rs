//! The tasks by name.

use crate::failure::{Failure, Outcome};
use crate::faults::Volume;
use crate::machine::Machine;
use crate::setup::Purpose;
use crate::suite::Tally;
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
    let mut machine = Machine::find()?;
    let mut tally = Tally::default();
    match words.as_slice() {
        [] | ["help" | "-h" | "--help"] => {
            print!("{TASKS}");
            Ok(())
        }
        ["setup"] => setup::run(&mut machine, Purpose::Test),
        ["release"] => built(machine, |machine| release::run(machine).map(drop)),
        ["demo", flags @ ..] => demo::run(machine, &demo::flags(flags)?),
        ["test"] => suite::run(machine, None),
        ["test", word] => suite::run(machine, Some(word)),
        ["codegen"] => built(machine, |machine| codegen::run(machine, codegen::Mode::Write)),
        ["codegen", "--check"] => built(machine, |machine| codegen::run(machine, codegen::Mode::Check)),
        ["texts"] => codegen::texts(&machine, codegen::Mode::Write),
        ["frame"] => built(machine, web::frame),
        ["bridge"] => built(machine, web::bridge),
        ["e2e", arguments @ ..] => prepared(machine, |machine| e2e::run(machine, arguments, &mut tally)),
        ["faults"] => prepared(machine, |machine| {
            faults::run(machine, Volume::Full, &mut tally)?;
            e2e::whole_table(machine, &mut tally)
        }),
        ["fuzz"] => prepared(machine, |machine| fuzz::run(machine, fuzz::Volume::Full, &mut tally)),
        ["tidy"] => tidy::run(&machine),
        ["symbols", build, offsets @ ..] => symbols::run(&machine, build, offsets),
        ["bench"] => {
            println!("benches: size, store, service, lists, ocr");
            Ok(())
        }
        ["bench", "size"] => prepared(machine, bench::size::run),
        ["bench", "ocr", choices @ ..] => prepared(machine, |machine| bench::ocr(machine, choices)),
        ["bench", "store"] => prepared(machine, |machine| bench::store(machine, "100000")),
        ["bench", "store", rows] => prepared(machine, |machine| bench::store(machine, rows)),
        ["bench", "service"] => prepared(machine, |machine| bench::service::run(machine, "1000000")),
        ["bench", "lists", rows] => prepared(machine, |machine| bench::service::lists(machine, rows, None)),
        ["bench", "lists", rows, list] => {
            prepared(machine, |machine| bench::service::lists(machine, rows, Some(list)))
        }
        ["bench", "service", rows] => prepared(machine, |machine| bench::service::run(machine, rows)),
        ["bench", "size", "--update", reason] => {
            prepared(machine, |machine| bench::size::update(machine, reason))
        }
        ["advisories"] => prepared(machine, advisories::run),
        [unknown, ..] => Err(Failure::new(format!("there is no task `{unknown}` with these arguments"))
            .advice(TASKS.trim_end())),
    }
}

/// Runs a task that needs no more than a build does.
fn built(mut machine: Machine, task: impl FnOnce(&Machine) -> Outcome) -> Outcome {
    setup::run(&mut machine, Purpose::Build)?;
    task(&machine)
}

fn prepared(mut machine: Machine, task: impl FnOnce(&Machine) -> Outcome) -> Outcome {
    setup::run(&mut machine, Purpose::Test)?;
    task(&machine)
}
