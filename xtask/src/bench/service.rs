//! `bench service`: compares the released service with an axum that only returns static JSON, with Prism, and with an
//! axum that makes one commit per request.
//!
//! The service runs with authentication, limits, log and encryption. All programs take turns in one run, so that the
//! ratios are comparable between machines. The table shows which goals are missed; the task does not fail.

pub mod figures;
mod lists;
pub mod load;
pub mod places;
mod sites;

use std::time::Instant;

use self::figures::{Figure, Goal, median};
use self::load::{Load, Loaded};
use self::places::{Peers, Places, Service};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};

/// Each figure is the median of this number of rounds.
const ROUNDS: usize = 5;
/// The number of rows in the small databases.
const FEW: u64 = 1_000;
/// The number of concurrent writers.
const WRITERS: u32 = 64;

/// Runs the benchmark with this number of rows in the large databases, and prints every figure with its goal.
///
/// # Errors
/// If `rows` is not a number above 1,000, or if a program fails.
pub fn run(env: &Env, rows: &str) -> Outcome {
    let rows = many(rows)?;
    let places = Places::prepare(env)?;
    println!("bench: creating {rows} users ...");
    let small = places.fill("small", FEW, FEW)?;
    let large = places.fill("large", rows, 0)?;

    figures::print(&reads(&places, &small)?);
    figures::print(&writes(&places, &small)?);
    figures::print(&idle(&places, &small)?);
    figures::print(&sites::measure(&places, &small)?);
    figures::print(&[readiness(&places, &large, rows)?]);
    lists::measure(&places, rows, None)
}

/// Measures a page of every list, or of one list.
pub fn lists(env: &Env, rows: &str, list: Option<&str>) -> Outcome {
    let rows = many(rows)?;
    lists::measure(&Places::prepare(env)?, rows, list)
}

fn many(rows: &str) -> Outcome<u64> {
    let rows: u64 = rows.parse().or_fail(|| format!("`{rows}` is not a number of rows"))?;
    if rows > FEW { Ok(rows) } else { Err(Failure::new(format!("The number of rows must be above {FEW}"))) }
}

/// Measures GET by id and a page of a list, and compares them with bare axum and Prism.
fn reads(places: &Places, small: &Peers) -> Outcome<Vec<Figure>> {
    let service = Service::start(places, small)?;
    let ids = service.ids("/accounts", FEW)?;
    let example = service.get(&format!("/accounts/{}", ids[0]))?;
    let bare = small.serve_static(places, &example)?;
    let prism = places.prism()?;

    let paths: Vec<String> = ids.iter().map(|id| format!("/sandbox/v1/accounts/{id}")).collect();
    let by_id = Load::get(places, "ids", &paths, service.authorization())?;
    let page =
        Load::get(places, "page", &["/sandbox/v1/accounts?size=50".to_owned()], service.authorization())?;
    // Prism serves the paths of the document, which do not include the base path of the environment.
    let mocked: Vec<String> = ids.iter().map(|id| format!("/accounts/{id}")).collect();
    let mocked = Load::get(places, "mocked", &mocked, service.authorization())?;

    let mut rates = [const { Vec::new() }; 4];
    for round in 1..=ROUNDS {
        println!("bench: reads, round {round} of {ROUNDS} ...");
        let runs =
            [(&by_id, bare.port), (&by_id, service.port), (&page, service.port), (&mocked, prism.port)];
        for (rates, (load, port)) in rates.iter_mut().zip(runs) {
            rates.push(load.run(port, 32)?.per_second);
        }
    }
    let [bare, by_id, page, prism] = rates.map(|rates| median(&rates));
    Ok(vec![
        Figure::plain("axum alone, static JSON", format!("{bare:.0}/s")),
        Figure::plain("GET by id (an account)", format!("{by_id:.0}/s")),
        Figure::plain("page of 50 accounts", format!("{page:.0}/s")),
        Figure::plain("Prism, the same account", format!("{prism:.0}/s")),
        Figure::with("GET by id / axum alone", by_id / bare, Goal::AtLeast(0.33)),
        Figure::with("GET by id / Prism", by_id / prism, Goal::AtLeast(20.0)),
        Figure::with("page of 50 / GET by id", page / by_id, Goal::AtLeast(0.15)),
    ])
}

/// Measures durable POSTs, and compares them with an axum over the same store that makes one commit per request.
fn writes(places: &Places, small: &Peers) -> Outcome<Vec<Figure>> {
    let service = Service::start(places, &small.copy(places, "written")?)?;
    let single = small.copy(places, "single")?.serve_commits(places)?;
    let load = Load::post(places, service.authorization());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        println!("bench: writes, round {round} of {ROUNDS} ...");
        ours.push(load.run_at(service.port, WRITERS, "/sandbox/v1/users")?);
        theirs.push(load.run_at(single.port, WRITERS, "/")?);
    }
    let rate = |runs: &[Loaded]| median(&runs.iter().map(|run| run.per_second).collect::<Vec<_>>());
    let p99 = |runs: &[Loaded]| median(&runs.iter().map(|run| run.p99_ms).collect::<Vec<_>>());
    let shown = |runs: &[Loaded]| format!("{:.0}/s, p99 {:.1} ms", rate(runs), p99(runs));
    let ratio = rate(&ours) / rate(&theirs);
    Ok(vec![
        Figure::plain("POST /users, 64 clients", shown(&ours)),
        Figure::plain("axum, one commit per request", shown(&theirs)),
        Figure::with("durable POSTs / one commit per request", ratio, Goal::AtLeast(5.0)),
        Figure::with("p99 of durable POSTs, ms", p99(&ours), Goal::AtMost(25.0)),
    ])
}

/// Measures the memory of an idle service. Most of it are pages of the program's file.
fn idle(places: &Places, small: &Peers) -> Outcome<Vec<Figure>> {
    let (mut started, mut used) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        places.read_from_disk()?;
        let service = Service::start(places, small)?;
        started.push(service.memory()?);
        service.get("/users?size=1")?;
        used.push(service.memory()?);
    }
    Ok(vec![
        Figure::with("memory after the start, MB", median(&started), Goal::AtMost(27.0)),
        Figure::with("memory after a request, MB", median(&used), Goal::AtMost(27.0)),
    ])
}

/// Measures the time from the start of the process to its first 200, on the large database.
fn readiness(places: &Places, large: &Peers, rows: u64) -> Outcome<Figure> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let service = Service::start(places, large)?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        drop(service);
    }
    Ok(Figure::with(&format!("ready with {rows} users, ms"), median(&times), Goal::AtMost(100.0)))
}
