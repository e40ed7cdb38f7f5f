//! `bench peers`: the service next to one as most teams would write it (`benches/plain`), on both databases.
//!
//! Both take turns in each round with the same loads over HTTP, because only ratios of one run are comparable between
//! machines. The table shows which goals are missed; the task does not fail.

use std::path::PathBuf;

use super::attended::Attended;
use super::hooks::Hooks;
use super::service::figures::{self, Figure, Goal, median};
use super::service::load::Load;
use super::service::places::{Places, Service};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::release;

/// The number of accounts that are read.
const ACCOUNTS: u64 = 1_000;
const WRITERS: u32 = 64;
const READERS: u32 = 32;
/// The number of events of a round, and of webhooks that each event is delivered to.
const EVENTS: &str = "4000";
const WEBHOOKS: &str = "10";

/// The size and the programs of a run.
#[derive(Debug)]
pub struct Choices<'a> {
    /// Each figure is the median of this number of rounds.
    rounds: usize,
    /// The cargo profile of the service: `dist` for a released program, `release` for a quick build.
    profile: &'a str,
}

/// Reads the arguments: the number of rounds and the profile, each optional.
///
/// # Errors
/// If there are others.
pub fn choices<'a>(words: &[&'a str]) -> Outcome<Choices<'a>> {
    let (rounds, profile) = match words {
        [] => ("5", release::PROFILE),
        [rounds] => (*rounds, release::PROFILE),
        [rounds, profile @ ("dist" | "release")] => (*rounds, *profile),
        _ => return Err(Failure::new("usage: bench peers [rounds] [dist|release]")),
    };
    let rounds: usize = rounds.parse().or_fail(|| format!("`{rounds}` is not a number of rounds"))?;
    Ok(Choices { rounds: rounds.max(1), profile })
}

/// Runs the benchmark and prints every figure with its goal.
///
/// # Errors
/// If a program fails.
pub fn run(env: &Env, choices: &Choices<'_>) -> Outcome {
    let places = Places::prepare_with(env, choices.profile)?;
    println!("bench: building the plain service (usually 3 min the first time) ...");
    let plain = super::plain(env)?;
    let bench = Bench { hooks: Hooks::build(env, choices.profile, places.folder.clone())?, places, plain };
    let file = bench.places.folder.join("plain.db");
    figures::print(&bench.measure(Backend::Sqlite, (None, &file.to_string_lossy()), choices.rounds)?);

    let mut server = Attended::start("the PostgreSQL server", bench.places.peers(&["databases", "2"]))?;
    let (ours, theirs) = (server.line()?, server.line()?);
    figures::print(&bench.measure(Backend::Postgres, (Some(&ours), &theirs), choices.rounds)?);
    server.end()
}

/// The database of both services.
#[derive(Clone, Copy, Debug)]
enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// Returns the smallest ratio of a load's rates that is wanted, if one is.
    fn goal(self, kind: Kind) -> Option<f64> {
        match (self, kind) {
            (Self::Sqlite, Kind::Post) => Some(3.0),
            (Self::Sqlite, Kind::Get | Kind::Page | Kind::Accepted) => None,
            (Self::Sqlite, Kind::Delivered) => Some(1.0),
            (Self::Postgres, Kind::Post | Kind::Get | Kind::Page | Kind::Accepted | Kind::Delivered) => {
                Some(1.0)
            }
        }
    }
}

/// The kinds of rates.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Post,
    Get,
    Page,
    Accepted,
    Delivered,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Post, Self::Get, Self::Page, Self::Accepted, Self::Delivered];

    fn name(self) -> &'static str {
        match self {
            Self::Post => "durable POST /users, 64 clients",
            Self::Get => "GET by id (an account), 32 clients",
            Self::Page => "page of 50 accounts, 32 clients",
            Self::Accepted => "events accepted from 64 clients",
            Self::Delivered => "webhooks, first POST to last delivery",
        }
    }
}

/// The rates of one service in one round, in the order of [`Kind::ALL`], and how many deliveries were repeated.
struct Round {
    rates: [f64; Kind::ALL.len()],
    repeated: f64,
}

/// A running service with its loads.
struct Side<'a> {
    service: Service,
    /// The list whose POST creates an event.
    events: &'static str,
    post: Load<'a>,
    get: Load<'a>,
    page: Load<'a>,
}

struct Bench<'m> {
    places: Places<'m>,
    plain: PathBuf,
    hooks: Hooks<'m>,
}

impl Bench<'_> {
    /// Measures both services, each on its own database. Without an address, ours is in the data folder.
    fn measure(
        &self,
        backend: Backend,
        (ours, theirs): (Option<&str>, &str),
        rounds: usize,
    ) -> Outcome<Vec<Figure>> {
        let (name, places) = (backend.name(), &self.places);
        println!("bench: {name}, creating {ACCOUNTS} accounts ...");
        let data = places.fill_in(name, ours, ACCOUNTS, ACCOUNTS)?;
        let ours = Service::start_with(places, &data, &["--webhook-allow", "127.0.0.0/8"])?;
        let example = ours.ids("/accounts", 1)?.swap_remove(0);
        let example = ours.get(&format!("/accounts/{example}"))?;
        let program = self.plain.join(format!("plain-{name}"));
        let theirs = Service::start_plain(places, &program, theirs, &example)?;
        let sides = [
            self.side(&format!("{name}-ours"), ours, "users")?,
            self.side(&format!("{name}-plain"), theirs, "events")?,
        ];
        let mut runs = [const { Vec::new() }; 2];
        for round in 1..=rounds {
            println!("bench: {name}, round {round} of {rounds} ...");
            for (runs, side) in runs.iter_mut().zip(&sides) {
                runs.push(self.round(side)?);
            }
        }
        Ok(compare(backend, &runs))
    }

    fn side(&self, name: &str, service: Service, events: &'static str) -> Outcome<Side<'_>> {
        let paths = service.ids("/accounts", ACCOUNTS)?;
        let paths: Vec<String> = paths.iter().map(|id| format!("/sandbox/v1/accounts/{id}")).collect();
        let page = ["/sandbox/v1/accounts?size=50".to_owned()];
        let get = |load: &str, paths: &[String]| {
            Load::get(&self.places, &format!("{name}-{load}"), paths, service.authorization())
        };
        let (get, page) = (get("ids", &paths)?, get("page", &page)?);
        Ok(Side { post: Load::post(&self.places, service.authorization()), get, page, service, events })
    }

    fn round(&self, side: &Side<'_>) -> Outcome<Round> {
        let port = side.service.port;
        let post = side.post.run_at(port, WRITERS, "/sandbox/v1/users")?.per_second;
        let (get, page) = (side.get.run(port, READERS)?, side.page.run(port, READERS)?);
        let keys = side.service.keys.to_string_lossy();
        let sent = self.hooks.run(&["accept", EVENTS, WEBHOOKS, &port.to_string(), &keys, side.events])?;
        let (accepted, delivered) = (sent.get("accepted_per_second")?, sent.get("per_second")?);
        let rates = [post, get.per_second, page.per_second, accepted, delivered];
        Ok(Round { rates, repeated: sent.get("repeated")? })
    }
}

/// Returns the rates of both services, and the median of the ratios of each round.
fn compare(backend: Backend, [ours, theirs]: &[Vec<Round>; 2]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (at, kind) in Kind::ALL.into_iter().enumerate() {
        let name = |what: &str| format!("{}, {}{what}", backend.name(), kind.name());
        let rate = |rounds: &[Round]| median(&rounds.iter().map(|it| it.rates[at]).collect::<Vec<_>>());
        let ratios: Vec<f64> =
            ours.iter().zip(theirs).map(|(ours, theirs)| ours.rates[at] / theirs.rates[at]).collect();
        let rates = format!("{:.0}/s, plain {:.0}/s", rate(ours), rate(theirs));
        figures.push(Figure::plain(&name(""), rates));
        let ratio = median(&ratios);
        figures.push(match backend.goal(kind) {
            Some(goal) => Figure::with(&name(": / plain"), ratio, Goal::AtLeast(goal)),
            None => Figure::plain(&name(": / plain"), format!("{ratio:.2}")),
        });
    }
    let repeated = |rounds: &[Round]| rounds.iter().map(|it| it.repeated).sum::<f64>();
    let name = |whose: &str| format!("{}, repeated deliveries{whose}", backend.name());
    figures.push(Figure::with(&name(""), repeated(ours), Goal::AtMost(0.0)));
    figures.push(Figure::plain(&name(" of plain"), format!("{:.0}", repeated(theirs))));
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_optional() {
        let all = choices(&["2", "release"]).unwrap();
        assert_eq!((all.rounds, all.profile), (2, "release"));
        let none = choices(&[]).unwrap();
        assert_eq!((none.rounds, none.profile), (5, "dist"));
    }

    #[test]
    fn wrong_arguments_are_rejected() {
        for words in [&["many"][..], &["2", "debug"], &["2", "dist", "x"]] {
            assert!(choices(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn ratios_are_medians_of_rounds_with_the_goals_of_the_database() {
        let rounds = |rates: [f64; 3]| {
            rates.into_iter().map(|rate| Round { rates: [rate; 5], repeated: 0.0 }).collect::<Vec<_>>()
        };
        // The ratios are 4, 2 and 4; that of the medians would be 2.
        let runs = [rounds([40.0, 20.0, 4.0]), rounds([10.0, 10.0, 1.0])];
        let shown = |backend| compare(backend, &runs).iter().map(|it| format!("{it:?}")).collect::<Vec<_>>();
        let (sqlite, postgres) = (shown(Backend::Sqlite), shown(Backend::Postgres));
        assert_eq!((sqlite.len(), postgres.len()), (12, 12));
        let of = |figures: &[String], part: &str, verdict: &str| {
            figures.iter().any(|it| it.contains(part) && it.contains("4.00") && it.contains(verdict))
        };
        assert!(of(&sqlite, "POST /users, 64 clients: / plain", ">= 3      met"), "{sqlite:?}");
        assert!(of(&sqlite, "last delivery: / plain", ">= 1      met"), "{sqlite:?}");
        assert!(
            of(&postgres, "GET by id (an account), 32 clients: / plain", ">= 1      met"),
            "{postgres:?}"
        );
        assert!(of(&postgres, "last delivery: / plain", ">= 1      met"), "{postgres:?}");
    }
}
