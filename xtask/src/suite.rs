//! `test`: every check that a change must pass, in stages.

mod in_memory;
mod processor;
mod slowest;
mod space;
mod stages;
pub mod tally;

use std::time::{Duration, Instant};

use crate::env::Env;
use crate::failure::Outcome;
use crate::{release, setup};

use tally::Tally;

/// The result of one stage.
struct Stage {
    name: &'static str,
    took: Duration,
    /// The processor time of its programs. A build in the background counts for the stage in which it ends.
    processor: Option<Duration>,
    tally: Tally,
}

/// The stages that have run.
#[derive(Default)]
pub struct Report {
    stages: Vec<Stage>,
}

/// Runs all stages, or only those whose name contains the word. If a stage fails, exits with status 1 after the
/// summary.
///
/// # Errors
/// If the disk has too little space for the build.
pub fn run(mut env: Env, only: Option<&str>) -> Outcome {
    space::check(&env, only)?;
    let mut report = Report::default();
    report.stage("setup", |_| setup::run(&mut env, setup::Purpose::Suite));
    // Without the tools, every other stage would fail for the same reason.
    if report.total().failed == 0 {
        let chosen: Vec<_> =
            stages::ALL.iter().filter(|(name, _)| only.is_none_or(|word| name.contains(word))).collect();
        let has_release = chosen.iter().any(|(name, _)| *name == stages::RELEASE);
        let mut building: Option<release::Building> = None;
        for (name, stage) in chosen {
            report.stage(name, |tally| {
                if *name == stages::RELEASE
                    && let Some(building) = building.take()
                {
                    building.wait();
                }
                stage(&env, tally)
            });
            // Builds during the later stages, with idle processor time.
            if *name == stages::WIDGET && has_release && report.total().failed == 0 {
                building = release::begin(&env);
            }
        }
        // The report may exit the process, which would leave a running build behind.
        drop(building);
    }
    report.finish()
}

impl Report {
    fn stage(&mut self, name: &'static str, stage: impl FnOnce(&mut Tally) -> Outcome) {
        println!("\n==> {name}");
        let (started, before) = (Instant::now(), processor::of_children());
        let mut tally = Tally::default();
        match stage(&mut tally) {
            // A stage that does not count tests counts as one test.
            Ok(()) if tally.is_empty() => tally.passed = 1,
            Ok(()) => {}
            Err(failure) => {
                println!("{failure}");
                tally.failed = tally.failed.max(1);
            }
        }
        let processor =
            processor::of_children().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.stages.push(Stage { name, took: started.elapsed(), processor, tally });
    }

    fn total(&self) -> Tally {
        self.stages.iter().fold(Tally::default(), |sum, stage| Tally {
            passed: sum.passed + stage.tally.passed,
            failed: sum.failed + stage.tally.failed,
            skipped: sum.skipped + stage.tally.skipped,
            ..Tally::default()
        })
    }

    fn finish(self) -> Outcome {
        println!("\n{:>8}  {:>9}  {:>6}  {:>6}  stage", "minutes", "processor", "passed", "failed");
        for Stage { name, took, processor, tally } in &self.stages {
            let (took, processor) = (minutes(Some(*took)), minutes(*processor));
            println!("{took:>8}  {processor:>9}  {:>6}  {:>6}  {name}", tally.passed, tally.failed);
        }
        let took = minutes(Some(self.stages.iter().map(|stage| stage.took).sum()));
        let processor = minutes(self.stages.iter().map(|stage| stage.processor).sum());
        println!("{took:>8}  {processor:>9}  in all");
        let slowest = slowest::table(self.stages.iter().flat_map(|stage| stage.tally.timed.iter().cloned()));
        if !slowest.is_empty() {
            println!("\n{:>8}  slowest tests", "seconds");
            slowest.iter().for_each(|line| println!("{line}"));
        }
        let mut failures = self.stages.iter().flat_map(|stage| &stage.tally.failures).peekable();
        if failures.peek().is_some() {
            println!("\nfailed tests");
            failures.for_each(|name| println!("  {name}"));
        }
        let total = self.total();
        match total.skipped {
            0 => println!("\n{} passed, {} failed", total.passed, total.failed),
            skipped => println!("\n{} passed, {} failed, {skipped} skipped", total.passed, total.failed),
        }
        // A returned failure would be printed below the totals, which readers expect in the last line.
        if total.failed == 0 { Ok(()) } else { std::process::exit(1) }
    }
}

fn minutes(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".into(), |time| format!("{:.1}", time.as_secs_f64() / 60.0))
}
