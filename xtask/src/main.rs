//! The project's only task runner: `cargo xtask <task>`.
//!
//! # Where to start
//! [`task`] lists the tasks; most have a module with the same name. [`env`](mod@env) defines the folders and the
//! environment of child processes. [`setup`] installs everything that the other tasks need.
#![expect(clippy::print_stdout, reason = "a task runner prints to the terminal")]

mod advisories;
mod bench;
mod book;
mod chart;
mod clients;
mod codegen;
mod compat;
mod demo;
mod e2e;
mod env;
mod failure;
mod faults;
mod files;
mod fuzz;
mod image;
mod matrix;
mod packages;
mod process;
mod prometheus;
mod receivers;
mod release;
mod screens;
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
