//! The slowest tests of a run, from the output of the test runners that print durations: nextest and Playwright.

use std::time::Duration;

/// The number of tests that a run prints.
const SHOWN: usize = 10;

/// The duration of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedTest {
    /// How long it ran. Playwright prints only the first decimal of seconds, minutes or hours.
    pub took: Duration,
    /// The test program or the file, such as `link-server::it` or `tests/e2e/linking.spec.ts`.
    pub suite: String,
    /// The name of the test in its suite.
    pub name: String,
    /// Whether it failed.
    pub failed: bool,
}

impl TimedTest {
    /// Parses the line that nextest or Playwright prints at the end of a test. Returns `None` for other lines.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        of_nextest(line).or_else(|| of_playwright(line))
    }
}

/// Parses `PASS [   1.234s] (  5/100) link-server::it archives::life`. `SLOW [> 60.000s]` is not the end of a test.
fn of_nextest(line: &str) -> Option<TimedTest> {
    let (status, rest) = line.split_once(" [")?;
    let is_status = !status.is_empty() && status.chars().all(|c| c.is_ascii_uppercase() || c == '-');
    let (seconds, rest) = rest.split_once("s] ").filter(|_| is_status)?;
    let took = Duration::try_from_secs_f64(seconds.trim().parse().ok()?).ok()?;
    let (progress, test) = rest.strip_prefix('(')?.split_once(") ")?;
    let (_, all) = progress.split_once('/')?;
    all.parse::<u64>().ok()?;
    let (suite, name) = test.split_once(' ')?;
    let failed = !matches!(status, "PASS" | "LEAK");
    Some(TimedTest { took, suite: suite.to_owned(), name: name.to_owned(), failed })
}

/// Parses `✓   5 tests/e2e/linking.spec.ts:12:5 › a group › a test (1.2s)`.
fn of_playwright(line: &str) -> Option<TimedTest> {
    let failed = line.starts_with('✘');
    let rest = line.strip_prefix(['✓', '✘'])?;
    let (index, rest) = rest.trim_start().split_once(' ')?;
    index.parse::<u64>().ok()?;
    let (place, rest) = rest.split_once(" › ")?;
    let (file, _) = place.split_once(':')?;
    let (name, took) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    Some(TimedTest { took: duration(took)?, suite: file.to_owned(), name: name.to_owned(), failed })
}

/// Parses `12ms`, `1.2s`, `1.5m` and `1.1h`.
fn duration(text: &str) -> Option<Duration> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let count: f64 = text[..text.len() - unit.len()].parse().ok()?;
    Duration::try_from_secs_f64(count * seconds).ok()
}

/// Returns one line for each of the slowest tests, slowest first.
pub fn table(tests: impl IntoIterator<Item = TimedTest>) -> Vec<String> {
    let mut tests: Vec<TimedTest> = tests.into_iter().collect();
    tests.sort_by(|a, b| b.took.cmp(&a.took).then_with(|| (&a.suite, &a.name).cmp(&(&b.suite, &b.name))));
    // nextest repeats the line of a failed test below its summary.
    tests.dedup();
    tests.truncate(SHOWN);
    let widest = tests.iter().map(|test| test.suite.chars().count()).max().unwrap_or_default();
    let line = |test: &TimedTest| {
        format!("{:>8.1}  {:<widest$}  {}", test.took.as_secs_f64(), test.suite, test.name)
    };
    tests.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(millis: u64, suite: &str, name: &str) -> TimedTest {
        TimedTest {
            took: Duration::from_millis(millis),
            suite: suite.into(),
            name: name.into(),
            failed: name.contains("fails") || name.contains("dies"),
        }
    }

    #[test]
    fn durations_of_nextest_are_parsed() {
        for (line, expected) in [
            (
                "        PASS [   1.242s] (   7/1012) link-server::it archives::life::case_1_backend__Postgres",
                test(1242, "link-server::it", "archives::life::case_1_backend__Postgres"),
            ),
            ("        PASS [ 125.006s] (3/7) nx tests::quick", test(125_006, "nx", "tests::quick")),
            ("        FAIL [   0.120s] (2/7) nx tests::fails", test(120, "nx", "tests::fails")),
            ("     SIGABRT [   0.020s] (1/7) nx tests::dies", test(20, "nx", "tests::dies")),
            ("        LEAK [   0.217s] (4/7) nx tests::leaks", test(217, "nx", "tests::leaks")),
        ] {
            assert_eq!(TimedTest::parse(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn durations_of_playwright_are_parsed() {
        let suite = "tests/e2e/a.spec.ts";
        for (line, expected) in [
            ("  ✓  2 tests/e2e/a.spec.ts:2:1 › quick one (3ms)", test(3, suite, "quick one")),
            ("  ✘  3 tests/e2e/a.spec.ts:5:3 › a group › fails (10ms)", test(10, suite, "a group › fails")),
            (
                "  ✓  1 tests/e2e/a.spec.ts:4:3 › a group › takes 1.2 s (really) (1.3s)",
                test(1300, suite, "a group › takes 1.2 s (really)"),
            ),
            ("  ✓  10 tests/e2e/a.spec.ts:4:3 › long (1.5m)", test(90_000, suite, "long")),
        ] {
            assert_eq!(TimedTest::parse(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn lines_that_end_no_test_have_no_duration() {
        for line in [
            "        SLOW [>  1.000s] (────) nx tests::slow",
            "        SLOW [> 60.000s] (  12/1012) nx tests::slow",
            "     Summary [   1.369s] 7 tests run: 5 passed (1 slow, 1 leaky), 2 failed, 0 skipped",
            "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.55s",
            "  3 passed (2.9s)",
            "  1) tests/e2e/a.spec.ts:5:3 › a group › fails ────────",
            "test sqlite ... ok",
            "",
        ] {
            assert_eq!(TimedTest::parse(line), None, "{line}");
        }
    }

    #[test]
    fn table_lists_the_slowest_tests_once_and_in_order() {
        let mut tests: Vec<TimedTest> =
            (1..=12).map(|n| test(n * 1000, "link-server::it", &format!("test_{n}"))).collect();
        tests.push(test(11_500, "e2e", "fails"));
        tests.push(test(11_500, "e2e", "fails"));
        let table = table(tests);
        assert_eq!(table.len(), SHOWN);
        assert_eq!(table[0], "    12.0  link-server::it  test_12");
        assert_eq!(table[1], "    11.5  e2e              fails");
        assert_eq!(table[2], "    11.0  link-server::it  test_11");
    }
}
