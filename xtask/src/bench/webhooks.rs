//! `bench webhooks`: how fast the service sends webhooks, and how soon.
//!
//! The service, hyper alone and a minimal durable sender take turns in every round, because only ratios of one run are
//! comparable between machines. The table shows which goals are missed; the task does not fail.

use std::path::PathBuf;

use super::hooks::Hooks;
use super::service::figures::{self, Figure, Goal, median};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::{release, web};

/// The seconds that each rate is measured.
const SECONDS: &str = "10";
const RATES: [&str; 3] = ["50", "200", "1000"];
/// The number of webhooks that are dead while latency is measured next to them.
const DEAD: &str = "1000";

/// The size and the programs of a measurement.
pub struct Choices<'a> {
    /// The number of deliveries of a backlog.
    deliveries: &'a str,
    /// Each figure is the median of this number of rounds.
    rounds: usize,
    /// The cargo profile of the service: `dist` for a released program, `release` for a quick build.
    profile: &'a str,
}

/// Reads the arguments: the number of deliveries, of rounds, and the profile, each optional.
///
/// # Errors
/// If there are others.
pub fn choices<'a>(words: &[&'a str]) -> Outcome<Choices<'a>> {
    let (deliveries, rounds, profile) = match words {
        [] => ("40000", "5", "dist"),
        [deliveries] => (*deliveries, "5", "dist"),
        [deliveries, rounds] => (*deliveries, *rounds, "dist"),
        [deliveries, rounds, profile @ ("dist" | "release")] => (*deliveries, *rounds, *profile),
        _ => return Err(Failure::new("usage: bench webhooks [deliveries] [rounds] [dist|release]")),
    };
    let number = |text: &str| text.parse::<usize>().or_fail(|| format!("`{text}` is not a number"));
    if number(deliveries)? < 1_000 {
        return Err(Failure::new("There must be at least 1,000 deliveries"));
    }
    Ok(Choices { deliveries, rounds: number(rounds)?.max(1), profile })
}

/// Runs the benchmark and prints every figure with its goal.
///
/// # Errors
/// If a program fails.
pub fn run(env: &Env, choices: &Choices<'_>) -> Outcome {
    let bench = Bench::prepare(env, choices)?;
    for backend in ["sqlite", "postgres"] {
        for webhooks in ["10", "100"] {
            figures::print(&bench.throughput(backend, webhooks, "0")?);
        }
        figures::print(&bench.throughput(backend, "10", "50")?);
        figures::print(&bench.latency(backend)?);
    }
    Ok(())
}

struct Bench<'m> {
    choices: &'m Choices<'m>,
    service: PathBuf,
    hooks: Hooks<'m>,
}

impl<'m> Bench<'m> {
    fn prepare(env: &'m Env, choices: &'m Choices<'m>) -> Outcome<Self> {
        let profile = choices.profile;
        println!("bench: building the service ({profile}; usually 10 to 25 min the first time) ...");
        web::build(env)?;
        let service = release::build_with(env, profile)?;
        let hooks = Hooks::build(env, profile, super::folder(env)?)?;
        Ok(Self { choices, service, hooks })
    }

    fn throughput(&self, backend: &str, webhooks: &str, millis: &str) -> Outcome<Vec<Figure>> {
        let service = self.service.to_string_lossy();
        // A receiver that answers late is slow: 64 attempts at a time make 1,280 a second.
        let deliveries = if millis == "0" { self.choices.deliveries } else { "5000" };
        let (mut ours, mut bare, mut durable) = (Vec::new(), Vec::new(), Vec::new());
        let (mut processors, mut repeated) = (Vec::new(), 0.0);
        for round in 1..=self.choices.rounds {
            println!("bench: {backend}, {webhooks} webhooks, {millis} ms, round {round} ...");
            let drained = self.hooks.run(&["drain", backend, &service, deliveries, webhooks, millis])?;
            ours.push(drained.get("per_second")?);
            processors.push(drained.get("processors")?);
            repeated += drained.get("repeated")?;
            bare.push(self.hooks.run(&["bare", deliveries, webhooks, millis])?.get("per_second")?);
            durable.push(self.hooks.run(&["durable", deliveries, webhooks, millis])?.get("per_second")?);
        }
        let ratios = |theirs: &[f64]| {
            median(&ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect::<Vec<_>>())
        };
        let name = |what: &str| format!("{backend}, {webhooks} webhooks, sink of {millis} ms: {what}");
        let mut figures = vec![
            Figure::plain(&name("hyper alone"), format!("{:.0}/s", median(&bare))),
            Figure::plain(&name("minimal durable sender"), format!("{:.0}/s", median(&durable))),
            Figure::plain(&name("processors used"), format!("{:.2}", median(&processors))),
            Figure::plain(&name("/ minimal durable sender"), format!("{:.2}", ratios(&durable))),
            Figure::with(&name("/ hyper alone"), ratios(&bare), Goal::AtLeast(0.7)),
            Figure::with(&name("repeated deliveries"), repeated, Goal::AtMost(0.0)),
        ];
        if millis == "0" {
            let goal = if backend == "sqlite" { 15_000.0 } else { 5_000.0 };
            figures.push(Figure::with(&name("deliveries/s"), median(&ours), Goal::AtLeast(goal)));
            let spread =
                ours.iter().copied().fold(f64::MIN, f64::max) / ours.iter().copied().fold(f64::MAX, f64::min);
            figures.push(Figure::with(&name("best / worst round"), spread, Goal::AtMost(2.0)));
        }
        Ok(figures)
    }

    fn latency(&self, backend: &str) -> Outcome<Vec<Figure>> {
        let service = self.service.to_string_lossy();
        let mut figures = Vec::new();
        let alone = RATES.map(|rate| (rate, "0", 10.0, 20.0));
        for (rate, dead, p95, p99) in alone.into_iter().chain([("200", DEAD, 250.0, 500.0)]) {
            println!("bench: {backend}, commit to first attempt at {rate}/s, {dead} dead webhooks ...");
            let waits = self.hooks.run(&["latency", backend, &service, rate, SECONDS, dead])?;
            let name =
                |what: &str| format!("{backend}, {rate}/s, {dead} dead: commit to attempt, {what}, ms");
            figures.push(Figure::plain(&name("p50"), format!("{:.2}", waits.get("p50")?)));
            figures.push(Figure::with(&name("p95"), waits.get("p95")?, Goal::AtMost(p95)));
            figures.push(Figure::with(&name("p99"), waits.get("p99")?, Goal::AtMost(p99)));
        }
        Ok(figures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_optional() {
        let all = choices(&["100000", "2", "release"]).unwrap();
        assert_eq!((all.deliveries, all.rounds, all.profile), ("100000", 2, "release"));
        let none = choices(&[]).unwrap();
        assert_eq!((none.deliveries, none.rounds, none.profile), ("40000", 5, "dist"));
    }

    #[test]
    fn wrong_arguments_are_rejected() {
        for words in
            [&["few"][..], &["10"], &["2000", "none"], &["2000", "1", "debug"], &["1", "1", "dist", "x"]]
        {
            assert!(choices(words).is_err(), "{words:?}");
        }
    }
}
