//! Counts tests in the output of test runners.

use crate::failure::{Failure, Outcome};
use crate::process::Program;

/// The number of lines that a runner prints about a failed test which are repeated below the totals.
const MAX_LINES_OF_FAILURE: usize = 20;

/// The largest number of characters of a repeated line.
const MAX_LINE: usize = 400;

/// The largest number of repeated lines of a stage.
const MAX_LINES: usize = 100;

/// The number of tests that passed, failed and were skipped.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed or did not run.
    pub failed: u64,
    /// Checks that are not possible on this machine. Each prints a separate line.
    pub skipped: u64,
    /// The names of tests that failed.
    pub failures: Vec<String>,
    /// The names of tests that failed, and passed when they ran again.
    pub unstable: Vec<String>,
    /// The lines that the runners print about them. A log is often read only at its end.
    pub reasons: Vec<String>,
    /// The number of lines that still belong to the current reason.
    wanted: usize,
}

impl Tally {
    /// Returns whether all counts are 0.
    pub fn is_empty(&self) -> bool {
        self.passed + self.failed + self.skipped == 0
    }

    /// Reads one line of output from nextest, cargo test, wasm-bindgen-test or Playwright. Ignores other lines.
    pub fn read(&mut self, line: &str) {
        self.read_reason(line);
        // nextest indents what a failed test printed, such as the result of libtest, and counts the test itself.
        let of_libtest = line.strip_prefix("test result: ");
        let line = line.trim();
        if let Some(name) = unstable_test(line) {
            self.forgive(name);
            return;
        }
        if let Some(name) = find_failed_test(line) {
            // nextest repeats the line of a failed test below its summary, and prints that of libtest, without the program.
            if self.failures.iter().any(|known| known.ends_with(name)) {
                return;
            }
            self.failures.retain(|known| !name.ends_with(known.as_str()));
            self.failures.push(name.to_owned());
            return;
        }
        let words =
            if let Some((_, counts)) = line.split_once(" tests run: ").or(line.split_once(" test run: ")) {
                counts
            } else if let Some((_, counts)) = of_libtest.and_then(|rest| rest.split_once(". ")) {
                counts
            } else if is_playwright(line) {
                line
            } else {
                return;
            };
        for (count, word) in counts(words) {
            match word {
                "passed" => self.passed += count,
                // nextest counts these among the passed tests, too.
                "flaky" if is_playwright(line) => self.passed += count,
                // No test may be skipped silently.
                "failed" | "timed" | "exec" | "ignored" | "interrupted" | "did" => self.failed += count,
                "skipped" if is_playwright(line) => self.failed += count,
                _ => {}
            }
        }
    }

    /// Moves a test from the failed tests to the unstable ones.
    fn forgive(&mut self, name: &str) {
        self.failures.retain(|known| !known.ends_with(name) && !name.ends_with(known.as_str()));
        if !self.unstable.iter().any(|known| known == name) {
            self.unstable.push(name.to_owned());
        }
    }

    /// Adds a second run of the failed tests, which all passed.
    pub fn forgive_all(&mut self) {
        self.passed += std::mem::take(&mut self.failed);
        self.unstable.append(&mut self.failures);
    }

    fn read_reason(&mut self, line: &str) {
        if begins_reason(line.trim()) {
            self.wanted = MAX_LINES_OF_FAILURE;
        } else if line.trim() == "stack backtrace:" {
            self.wanted = 0;
        }
        if self.wanted > 0 && self.reasons.len() < MAX_LINES && !line.trim().is_empty() {
            self.wanted -= 1;
            self.reasons.push(line.chars().take(MAX_LINE).collect());
        }
    }
}

/// Returns whether a runner begins to print the reason of a failure: `1) [firefox] › a.spec.ts:5:3 › fails`, or a panic.
fn begins_reason(line: &str) -> bool {
    let of_playwright = line.split_once(") [").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    of_playwright || (line.starts_with("thread '") && line.contains(" panicked at "))
}

/// Returns the name of the test if a runner reports in this line that it passed when it ran again.
fn unstable_test(line: &str) -> Option<&str> {
    if let Some(test) = line.strip_prefix('✓') {
        return playwright_name(test)?.strip_suffix(RETRY);
    }
    line.strip_prefix("FLAKY ")?.split_once("s] (")?.1.split_once(") ").map(|(_, test)| test)
}

/// Playwright's mark of a second run.
const RETRY: &str = " (retry #1)";

/// Returns the name in a line of Playwright: `3 tests/e2e/a.spec.ts:5:3 › a group › fails (10ms)`.
fn playwright_name(test: &str) -> Option<&str> {
    Some(test.trim_start().split_once(' ')?.1.rsplit_once(" (")?.0)
}

/// Returns the name of the test if a runner reports its failure in this line.
fn find_failed_test(line: &str) -> Option<&str> {
    if let Some(name) = line.strip_prefix("test ") {
        return name.strip_suffix(" ... FAILED");
    }
    if let Some(test) = line.strip_prefix('✘') {
        let name = playwright_name(test)?;
        return Some(name.strip_suffix(RETRY).unwrap_or(name));
    }
    // `FAIL [   0.120s] (2/7) nx tests::fails`, or the name of a signal.
    let (status, rest) = line.split_once(" [")?;
    // `TRY 2 FAIL` is the last run of a test that runs again. The first one fails the test only if the second one does.
    let status = status.strip_prefix("TRY 2 ").unwrap_or(status);
    let is_failure = status.chars().all(|c| c.is_ascii_uppercase() || "-+ ".contains(c))
        && !["PASS", "LEAK", "SLOW"].contains(&status);
    rest.split_once("s] (").filter(|_| is_failure)?.1.split_once(") ").map(|(_, test)| test)
}

/// Returns whether the line is a count such as `12 passed (3.4s)`, `1 failed` or `4 did not run`.
fn is_playwright(line: &str) -> bool {
    let Some((count, rest)) = line.split_once(' ') else { return false };
    let word = rest.split_once(" (").map_or(rest, |(word, _)| word);
    count.parse::<u64>().is_ok()
        && ["passed", "failed", "flaky", "skipped", "did not run", "interrupted"].contains(&word)
}

fn counts(words: &str) -> impl Iterator<Item = (u64, &str)> {
    words.split([',', ';']).filter_map(|piece| {
        let mut words = piece.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?))
    })
}

/// Runs a test runner, prints its output and counts its tests.
///
/// # Errors
/// If the program fails.
pub fn run_counted(program: Program, tally: &mut Tally) -> Outcome {
    let before = tally.failed;
    let ok = program.watch(|line| tally.read(line))?;
    if ok {
        return Ok(());
    }
    // A runner that fails before its first test counts as a failed test.
    if tally.failed == before {
        tally.failed += 1;
    }
    Err(Failure::new("Tests failed, see above"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> (u64, u64) {
        let mut tally = Tally::default();
        lines.iter().for_each(|line| tally.read(line));
        (tally.passed, tally.failed)
    }

    #[test]
    fn output_of_every_runner_is_counted() {
        assert_eq!(
            tally(&["     Summary [   0.5s] 12 tests run: 10 passed (1 slow), 2 failed, 3 skipped"]),
            (10, 2)
        );
        assert_eq!(tally(&["     Summary [   0.5s] 1 test run: 1 passed, 0 skipped"]), (1, 0));
        let all = "     Summary [ 0.5s] 9 tests run: 5 passed (1 slow, 1 flaky, 1 leaky), 2 failed, 1 exec failed, 1 timed out";
        assert_eq!(tally(&[all]), (5, 4));
        assert_eq!(
            tally(&["test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"]),
            (3, 1)
        );
        assert_eq!(tally(&["test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured"]), (3, 2));
        assert_eq!(
            tally(&[
                "    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured",
                "     Summary [   0.5s] 1 test run: 0 passed, 1 failed, 0 skipped",
            ]),
            (0, 1)
        );
        assert_eq!(
            tally(&["  1 failed", "  1 flaky", "  2 skipped", "  3 did not run", "  12 passed (30.1s)"]),
            (13, 6)
        );
    }

    #[test]
    fn failed_tests_of_every_runner_are_named_once() {
        let mut tally = Tally::default();
        for line in [
            "        FAIL [   0.120s] (2/7) nx tests::fails",
            "test tests::fails ... FAILED",
            "        FAIL [   0.120s] (2/7) nx tests::fails",
            "        LEAK [   0.217s] (4/7) nx tests::leaks",
            "        SLOW [>  1.000s] (────) nx tests::slow",
            "test kills::under_load ... FAILED",
            "test kills::idle ... ok",
            "  ✘  3 tests/e2e/a.spec.ts:5:3 › a group › fails (10ms)",
            "  ✓  2 tests/e2e/a.spec.ts:2:1 › quick one (3ms)",
        ] {
            tally.read(line);
        }
        assert_eq!(
            tally.failures,
            ["nx tests::fails", "kills::under_load", "tests/e2e/a.spec.ts:5:3 › a group › fails"]
        );
    }

    #[test]
    fn tests_that_pass_in_the_second_run_are_named() {
        let mut tally = Tally::default();
        for line in [
            "  TRY 1 FAIL [   0.103s] (1/2) nx tests::unstable",
            "    test tests::unstable ... FAILED",
            "  TRY 2 PASS [   0.117s] (1/2) nx tests::unstable",
            "  TRY 1 FAIL [   0.103s] (2/2) nx tests::fails",
            "  TRY 2 FAIL [   0.103s] (2/2) nx tests::fails",
            "    test tests::fails ... FAILED",
            "     Summary [   0.5s] 2 tests run: 1 passed (1 flaky), 1 failed, 0 skipped",
            "   FLAKY 2/2 [   0.117s] (1/2) nx tests::unstable",
            "  TRY 2 FAIL [   0.103s] (2/2) nx tests::fails",
            "  ✘  1 [chromium] › a.spec.ts:5:3 › a group › unstable (10ms)",
            "  ✓  2 [chromium] › a.spec.ts:5:3 › a group › unstable (retry #1) (12ms)",
            "  ✘  3 [chromium] › a.spec.ts:9:3 › fails (10ms)",
            "  ✘  4 [chromium] › a.spec.ts:9:3 › fails (retry #1) (10ms)",
            "  1 failed",
            "  1 flaky",
        ] {
            tally.read(line);
        }
        assert_eq!(tally.failures, ["nx tests::fails", "[chromium] › a.spec.ts:9:3 › fails"]);
        let unstable = ["nx tests::unstable", "[chromium] › a.spec.ts:5:3 › a group › unstable"];
        assert_eq!(tally.unstable, unstable);
        assert_eq!((tally.passed, tally.failed), (2, 2));
        tally.forgive_all();
        assert_eq!((tally.passed, tally.failed, tally.unstable.len()), (4, 0, 4));
    }

    #[test]
    fn reasons_of_failures_are_kept() {
        let mut tally = Tally::default();
        for line in [
            "  ✓  2 quick one (3ms)",
            "  1) [firefox] › a.spec.ts:5:3 › fails ───",
            "",
            "    Error: expected",
        ] {
            tally.read(line);
        }
        (0..MAX_LINES_OF_FAILURE).for_each(|_| tally.read("a line"));
        tally.read("thread 'tests::fails' (7) panicked at src/lib.rs:3:5:");
        tally.read("assertion failed");
        tally.read("stack backtrace:");
        tally.read("   0: __rustc::rust_begin_unwind");
        let kept = &tally.reasons;
        assert_eq!(kept[..2], ["  1) [firefox] › a.spec.ts:5:3 › fails ───", "    Error: expected"]);
        assert_eq!(
            (kept.len(), kept[MAX_LINES_OF_FAILURE + 1].as_str()),
            (MAX_LINES_OF_FAILURE + 2, "assertion failed")
        );
    }

    #[test]
    fn other_lines_are_ignored() {
        assert_eq!(
            tally(&["12 packages passed the check", "running 3 tests", "3 files changed", ""]),
            (0, 0)
        );
    }
}
