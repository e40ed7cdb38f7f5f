//! Runs the commands of `benches/hooks`, and reads the values that they print.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};

/// The built program.
pub struct Hooks<'m> {
    env: &'m Env,
    program: PathBuf,
    /// The folder for its temporary files.
    folder: PathBuf,
}

impl<'m> Hooks<'m> {
    /// Builds the program with this profile of cargo.
    pub fn build(env: &'m Env, profile: &str, folder: PathBuf) -> Outcome<Self> {
        Ok(Self { env, program: super::program(env, "hooks", profile)?, folder })
    }

    /// Runs a command.
    ///
    /// # Errors
    /// If it fails, or prints something else than numbers with their names.
    pub fn run(&self, words: &[&str]) -> Outcome<Printed> {
        let mut program = self.env.program(&self.program.to_string_lossy()).args(words);
        // The folder for temporary files may be in memory. The user that runs PostgreSQL may not read this one.
        if !words.contains(&"postgres") {
            program = program.env("TMPDIR", &self.folder);
        }
        Printed::parse(&program.output()?)
    }
}

/// The values that a command printed, by name.
#[derive(Debug)]
pub struct Printed(BTreeMap<String, f64>);

impl Printed {
    fn parse(text: &str) -> Outcome<Self> {
        text.lines().filter_map(|line| line.split_once('\t')).map(value).collect::<Outcome<_>>().map(Self)
    }

    /// Returns a value.
    ///
    /// # Errors
    /// If it was not printed.
    pub fn get(&self, name: &str) -> Outcome<f64> {
        self.0.get(name).copied().ok_or_else(|| Failure::new(format!("The benchmark did not print {name}")))
    }
}

fn value((name, value): (&str, &str)) -> Outcome<(String, f64)> {
    let parsed = value.trim().parse().or_fail(|| format!("{name} is not a number: {value}"))?;
    Ok((name.to_owned(), parsed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_name() {
        let printed = Printed::parse("per_second\t1200\nrepeated\t0\nready\n").unwrap();
        assert_eq!(printed.get("per_second").unwrap(), 1_200.0);
        assert!(printed.get("ready").is_err());
        assert!(Printed::parse("per_second\tmany\n").is_err());
    }
}
