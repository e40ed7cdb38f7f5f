//! The only task runner: `cargo xtask <task>`.
//!
//! # Where to start
//! [`task`] lists the tasks; each is a module of its name. [`machine`] says where things lie and what children see,
//! [`setup`] brings a bare machine to where every other task works.
#![expect(clippy::print_stdout, reason = "a task runner speaks to a terminal")]

mod advisories;
mod bench;
mod clients;
mod codegen;
mod demo;
mod e2e;
mod env;
mod failure;
mod faults;
mod files;
mod fuzz;
mod process;
mod release;
mod setup;
mod stack;
mod stamp;
mod suite;
mod symbols;
mod task;
mod tidy;
mod web;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match task::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
