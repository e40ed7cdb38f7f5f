//! The tasks by name.

use crate::failure::{Failure, Outcome};
use crate::machine::Machine;
use crate::{codegen, setup, web};

const TASKS: &str = "\
usage: cargo xtask <task>

  setup                 install every tool that is missing; quick when nothing is
  codegen [--check]     generate what is committed (texts, openapi.json, types.ts), or check that nothing drifted
  texts                 the texts alone, in a second, while writing them
  frame | bridge        build what the service serves to browsers: www/frame/dist, www/sdk/dist
";

/// Runs the task that the arguments name.
pub fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut machine = Machine::find()?;
    match words.as_slice() {
        [] | ["help" | "-h" | "--help"] => {
            print!("{TASKS}");
            Ok(())
        }
        ["setup"] => setup::run(&mut machine),
        ["codegen"] => prepared(machine, |machine| codegen::run(machine, codegen::Mode::Write)),
        ["codegen", "--check"] => prepared(machine, |machine| codegen::run(machine, codegen::Mode::Check)),
        ["texts"] => codegen::texts(&machine, codegen::Mode::Write),
        ["frame"] => prepared(machine, |machine| web::frame(machine)),
        ["bridge"] => prepared(machine, |machine| web::bridge(machine)),
        [unknown, ..] => Err(Failure::new(format!("there is no task `{unknown}` with these arguments"))
            .advice(TASKS.trim_end())),
    }
}

fn prepared(mut machine: Machine, task: impl FnOnce(&Machine) -> Outcome) -> Outcome {
    setup::run(&mut machine)?;
    task(&machine)
}
