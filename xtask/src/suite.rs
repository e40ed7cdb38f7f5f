//! `test`: every check that a change must pass, in stages.

mod in_memory;
mod stages;
pub mod tally;

use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::setup;

use tally::Tally;

/// The result of one stage.
struct Stage {
    name: &'static str,
    took: Duration,
    tally: Tally,
}

/// The stages that have run.
pub struct Report {
    started: Instant,
    stages: Vec<Stage>,
}

/// Runs all stages, or `quick` for [`stages::QUICK`], or only those whose name contains one of the words. If a stage
/// fails, exits with status 1 after the summary.
///
/// # Errors
/// If no stage's name contains one of the words.
pub fn run(mut env: Env, words: &[&str]) -> Outcome {
    let is_quick = words == ["quick"];
    let (stages, words) = if is_quick { (stages::QUICK, &[][..]) } else { (stages::ALL, words) };
    if let Some(word) = words.iter().find(|word| !stages.iter().any(|(name, _)| name.contains(**word))) {
        let message = format!("No stage of the tests has {word:?} in its name; `quick` takes no other words");
        return Err(Failure::new(message));
    }
    let mut report = Report { started: Instant::now(), stages: Vec::new() };
    env.repeats_failed_tests = true;
    let purpose = if is_quick { setup::Purpose::Test } else { setup::Purpose::Suite };
    report.stage("setup", |_| setup::run(&mut env, purpose));
    // Without the tools, every other stage would fail for the same reason.
    if report.total().failed == 0 {
        let chosen: Vec<_> = stages.iter().filter(|(name, _)| is_chosen(name, words)).collect();
        std::thread::scope(|scope| {
            let (env, chosen) = (&env, &chosen);
            let (sender, results) = mpsc::channel();
            scope.spawn(move || {
                for (name, stage) in chosen.iter().filter(|(name, _)| stages::EARLY.contains(name)) {
                    drop(sender.send(Stage::run(name, |tally| stage(env, tally))));
                }
            });
            for (name, stage) in chosen {
                if stages::EARLY.contains(name) {
                    println!("\n==> {name} (began with the first stage)");
                    report.stages.extend(results.recv());
                } else {
                    report.stage(name, |tally| stage(env, tally));
                }
            }
        });
    }
    report.finish()
}

fn is_chosen(stage: &str, words: &[&str]) -> bool {
    words.is_empty() || words.iter().any(|word| stage.contains(word))
}

impl Stage {
    fn run(name: &'static str, work: impl FnOnce(&mut Tally) -> Outcome) -> Self {
        let started = Instant::now();
        let mut tally = Tally::default();
        match work(&mut tally) {
            // A stage that does not count tests counts as one test.
            Ok(()) if tally.is_empty() => tally.passed = 1,
            Ok(()) => {}
            Err(failure) => {
                println!("{name}: {failure}");
                tally.failed = tally.failed.max(1);
            }
        }
        Self { name, took: started.elapsed(), tally }
    }
}

impl Report {
    fn stage(&mut self, name: &'static str, work: impl FnOnce(&mut Tally) -> Outcome) {
        println!("\n==> {name}");
        self.stages.push(Stage::run(name, work));
    }

    fn total(&self) -> Tally {
        self.stages.iter().fold(Tally::default(), |mut sum, stage| {
            sum.passed += stage.tally.passed;
            sum.failed += stage.tally.failed;
            sum.skipped += stage.tally.skipped;
            sum
        })
    }

    fn finish(self) -> Outcome {
        println!("\n{:>8}  {:>6}  {:>6}  stage", "minutes", "passed", "failed");
        let minutes = |time: Duration| time.as_secs_f64() / 60.0;
        for Stage { name, took, tally } in &self.stages {
            println!("{:>8.1}  {:>6}  {:>6}  {name}", minutes(*took), tally.passed, tally.failed);
        }
        println!("{:>8.1}  in all", minutes(self.started.elapsed()));
        let tallies = || self.stages.iter().map(|stage| &stage.tally);
        print_list("passed only in the second run", tallies().flat_map(|tally| &tally.unstable));
        print_list("failed tests", tallies().flat_map(|tally| &tally.failures));
        tallies().flat_map(|tally| &tally.reasons).for_each(|line| println!("{line}"));
        let total = self.total();
        match total.skipped {
            0 => println!("\n{} passed, {} failed", total.passed, total.failed),
            skipped => println!("\n{} passed, {} failed, {skipped} skipped", total.passed, total.failed),
        }
        // A returned failure would be printed below the totals, which readers expect in the last line.
        if total.failed == 0 { Ok(()) } else { std::process::exit(1) }
    }
}

fn print_list<'a>(title: &str, names: impl Iterator<Item = &'a String>) {
    let mut names = names.peekable();
    if names.peek().is_some() {
        println!("\n{title}");
        names.for_each(|name| println!("  {name}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stage_is_in_a_job_of_ci() {
        let jobs = include_str!("../../.github/workflows/ci.yml").lines();
        let words: Vec<&str> = jobs
            .filter_map(|line| line.trim().strip_prefix("stages:"))
            .flat_map(|line| line.split('\'').enumerate())
            // The shell reads what is between quotation marks as one word.
            .flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
            .collect();
        let names = || stages::ALL.iter().map(|(name, _)| *name);
        let forgotten: Vec<_> = names().filter(|name| words.is_empty() || !is_chosen(name, &words)).collect();
        assert!(forgotten.is_empty(), "no job runs {forgotten:?}");
        let unknown: Vec<_> =
            words.iter().filter(|word| !names().any(|name| name.contains(**word))).collect();
        assert!(unknown.is_empty(), "no stage is named {unknown:?}");
    }
}
