//! A program that prints lines while it works, and ends after a line on its standard input.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::failure::{Failure, OrFail, Outcome};
use crate::process::Program;
use crate::stack;

/// The running program. Dropping it stops it.
pub struct Attended {
    name: &'static str,
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Attended {
    /// Starts it. Failures call it by this name.
    pub fn start(name: &'static str, program: Program) -> Outcome<Self> {
        let mut command = program.into_command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let missing = || Failure::new(format!("{name} has no input and output"));
        let mut program = command.spawn().or_fail(|| format!("Could not start {name}"))?;
        let input = program.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(program.stdout.take().ok_or_else(missing)?);
        Ok(Self { name, program, input, output })
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// If the program has ended.
    pub fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line);
        match read.or_fail(|| format!("Could not read what {} printed", self.name))? {
            0 => Err(Failure::new(format!("{} ended", self.name))),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    /// Lets it end.
    pub fn end(&mut self) -> Outcome {
        self.input.write_all(b"\n").or_fail(|| format!("Could not end {}", self.name))
    }
}

impl Drop for Attended {
    fn drop(&mut self) {
        stack::stop(&mut self.program);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_until_the_program_ends() {
        let script = "echo open; read -r line; echo closed";
        let mut program = Attended::start("the script", Program::new("sh").args(["-c", script])).unwrap();
        assert_eq!(program.line().unwrap(), "open");
        program.end().unwrap();
        assert_eq!(program.line().unwrap(), "closed");
        assert!(program.line().unwrap_err().to_string().contains("the script ended"));
    }
}
