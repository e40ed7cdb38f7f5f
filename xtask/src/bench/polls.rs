//! `bench polls`: memory and latency of the service while widgets wait with long polls.
//!
//! Two services with the same data take turns in each round: one without polls, one with them.

use super::attended::Attended;
use super::service::figures::{self, Figure, Goal, median};
use super::service::load::Load;
use super::service::places::{Places, Service};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};

/// Each figure is the median of this number of rounds.
const ROUNDS: usize = 5;
/// The number of accounts that are read.
const ACCOUNTS: u64 = 1_000;

/// Connections in addition to those of the widgets.
const OTHER_CONNECTIONS: u32 = 100;

/// Opens this number of widgets that wait at a service that was built with this profile, and prints every figure with its
/// goal.
///
/// # Errors
/// If `polls` is not a number, or if a program fails.
pub fn run(env: &Env, polls: &str, profile: &str) -> Outcome {
    let count: u32 = polls.parse().or_fail(|| format!("`{polls}` is not a number of polls"))?;
    let places = Places::prepare_with(env, profile)?;
    let data = places.fill("quiet", ACCOUNTS, ACCOUNTS)?;
    let copy = data.copy(&places, "polled")?;
    let quiet = Service::start(&places, &data)?;
    let connections = (count + OTHER_CONNECTIONS).to_string();
    let polled =
        Service::start_with(&places, &copy, &["--long-polls", polls, "--max-connections", &connections])?;
    let before = polled.memory()?;
    println!("bench: opening {polls} widgets ...");
    let mut widgets = Widgets::open(&places, &polled, polls)?;
    let waiting = polled.memory()?;

    let read = |service: &Service, name: &str| -> Outcome<Load<'_>> {
        let ids = service.ids("/accounts", ACCOUNTS)?;
        let paths: Vec<String> = ids.iter().map(|id| format!("/sandbox/v1/accounts/{id}")).collect();
        Load::get(&places, name, &paths, service.authorization())
    };
    let loads = [(read(&quiet, "quiet")?, quiet.port), (read(&polled, "polled")?, polled.port)];
    let mut p99 = [const { Vec::new() }; 2];
    for round in 1..=ROUNDS {
        println!("bench: reads without and with polls, round {round} of {ROUNDS} ...");
        for (times, (load, port)) in p99.iter_mut().zip(&loads) {
            times.push(load.run(*port, 8)?.p99_ms);
        }
    }
    let early = widgets.close()?;
    let [alone, beside] = p99.each_ref().map(|times| median(times));
    let ratios: Vec<f64> = p99[0].iter().zip(&p99[1]).map(|(alone, beside)| beside / alone).collect();
    figures::print(&[
        Figure::plain("memory before the polls, MB", format!("{before:.1}")),
        Figure::with(&format!("memory with {count} polls, MB"), waiting, Goal::AtMost(150.0)),
        Figure::plain("GET without polls, p99, ms", format!("{alone:.2}")),
        Figure::plain("GET with polls, p99, ms", format!("{beside:.2}")),
        Figure::with("GET with polls / without polls, p99", median(&ratios), Goal::AtMost(1.2)),
        Figure::with("polls that returned early", early, Goal::AtMost(0.0)),
    ]);
    Ok(())
}

/// The program whose widgets wait. Dropping it stops the program.
struct Widgets(Attended);

impl Widgets {
    /// Returns when all widgets wait.
    fn open(places: &Places<'_>, service: &Service, count: &str) -> Outcome<Self> {
        let port = service.port.to_string();
        let program =
            places.peers(&["polls", &port, count]).env("BENCH_AUTHORIZATION", service.authorization());
        let mut program = Attended::start("the program whose widgets wait", program)?;
        let line = program.line()?;
        if line == "open" {
            Ok(Self(program))
        } else {
            Err(Failure::new("The widgets could not be opened").why(line))
        }
    }

    /// Closes the widgets, and returns how many polls returned before their time.
    fn close(&mut self) -> Outcome<f64> {
        self.0.end()?;
        let line = self.0.line()?;
        let early = line.strip_prefix("early\t").and_then(|it| it.parse().ok());
        early.ok_or_else(|| Failure::new("The widgets did not print a number").why(line))
    }
}
