//! `bench growth`: how the cost of payloads, exports, erasures and housekeeping grows from 1,000 data points to ten times
//! the number of users, on both databases (ADR 186).
//!
//! `benches/growth` fills both databases and measures them in turns. The lists are in `bench service`.

use super::service::figures::{self, Figure, Goal};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;

/// The seconds of a window of reads, and the number of rounds and pairs of windows.
const SECONDS: &str = "30";
const ROUNDS: &str = "5";

/// Runs the benchmark with this number of users in the large databases, and prints every figure with its goal.
///
/// # Errors
/// If `users` is not a number of at least 1,000, or if the program fails.
pub fn run(env: &Env, users: &str) -> Outcome {
    let count: u64 = users.parse().or_fail(|| format!("`{users}` is not a number of users"))?;
    if count < 1_000 {
        return Err(Failure::new("There must be at least 1,000 users"));
    }
    println!("bench: building the program ...");
    let program = super::program(env, "growth", "release")?;
    let folder = super::folder(env)?;
    for backend in ["sqlite", "postgres"] {
        println!("bench: {backend}, {users} users; this takes about 20 minutes ...");
        let mut run = env.program(&program.to_string_lossy()).args([backend, users, SECONDS, ROUNDS]);
        // The folder for temporary files may be in memory. The user that runs PostgreSQL may not read this one.
        if backend == "sqlite" {
            run = run.env("TMPDIR", &folder);
        }
        let mut lines = Vec::new();
        if !run.watch(|line| lines.push(line.to_owned()))? {
            return Err(Failure::new(format!("The measurement of {backend} failed")));
        }
        let read = lines.iter().filter_map(|line| figure(backend, line).transpose());
        figures::print(&read.collect::<Outcome<Vec<_>>>()?);
    }
    files::remove_dir(&folder)
}

/// Reads a line of the program. `None` if it is not a figure.
fn figure(backend: &str, line: &str) -> Outcome<Option<Figure>> {
    let number = |text: &str| text.parse::<f64>().or_fail(|| format!("`{text}` is not a number"));
    match line.split('\t').collect::<Vec<_>>().as_slice() {
        ["figure", name, small, large, ratio, most] => {
            let name = format!("{backend}, {name}: {small} and {large}; ratio");
            Ok(Some(Figure::with(&name, number(ratio)?, Goal::AtMost(number(most)?))))
        }
        ["plain", name, value] => Ok(Some(Figure::plain(&format!("{backend}, {name}"), (*value).to_owned()))),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_other_lines_are_skipped() {
        let missed = figure("sqlite", "figure\tpayload, ms\t0.1\t0.2\t2.0\t1.3").unwrap().unwrap();
        let shown = format!("{missed:?}");
        assert!(shown.contains("sqlite, payload, ms: 0.1 and 0.2") && shown.contains("MISSED"), "{shown}");
        let met = figure("postgres", "figure\tpayload, ms\t0.1\t0.1\t1.0\t1.3").unwrap().unwrap();
        assert!(format!("{met:?}").ends_with(" met\" }"), "{met:?}");
        assert!(figure("postgres", "plain\tlocks\t{}").unwrap().is_some());
        assert!(figure("postgres", "Postgres: 100 users in 0 s").unwrap().is_none());
        assert!(figure("postgres", "figure\tpayload, ms\tfew\tmany\tnone\t1.3").is_err());
    }

    #[test]
    fn few_users_are_rejected() {
        let env = Env::find().unwrap();
        assert!(run(&env, "999").is_err() && run(&env, "many").is_err());
    }
}
