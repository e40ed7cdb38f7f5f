//! A simulation of 10,000 tenants on 8 cells: which cell a new tenant gets, how many tenants must move until no cell is hot,
//! and a tenant that grows. It is deterministic, and measures nothing of the machine.

mod cluster;
mod loads;

use std::io::Write as _;

use cluster::{Cluster, Placement};
use loads::{Distribution, Random};

const TENANTS: usize = 10_000;
const CELLS: usize = 8;
/// Each figure is the median of this number of orders in which the tenants arrive.
const ROUNDS: u64 = 101;
/// A tenant's load is measured only after this number of further tenants: a new tenant has no load yet.
const DELAY: usize = 100;
/// The share of all load that a tenant of median load grows to, in percent.
const GROWN: [f64; 3] = [5.0, 10.0, 20.0];
/// How far above the average the hottest cell may be, in percent.
const LIMITS: [f64; 3] = [25.0, 10.0, 5.0];

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{TENANTS} tenants, {CELLS} cells, median of {ROUNDS} orders of arrival (one in 20 is above the number in brackets)\n"
    )?;
    writeln!(
        out,
        "| Load of tenants | Largest tenant | Placement | Hottest cell | Moves to +25 % | to +10 % | to +5 % |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for distribution in Distribution::ALL {
        for placement in Placement::ALL {
            let runs: Vec<Run> =
                (0..ROUNDS).map(|seed| Run::simulate(distribution, placement, seed)).collect();
            let largest = median(runs.iter().map(|it| it.largest));
            let hottest: Vec<f64> = runs.iter().map(|it| it.hottest).collect();
            write!(out, "| {distribution} | {largest:.1} % | {placement} | {} |", percent_over(&hottest))?;
            for index in 0..LIMITS.len() {
                let moves: Vec<Option<usize>> = runs.iter().map(|it| it.moves[index]).collect();
                write!(out, " {} |", describe_moves(&moves))?;
            }
            writeln!(out)?;
        }
    }
    writeln!(
        out,
        "\nA tenant of median load grows (log-normal load, two choices, every cell within +10 % before)\n"
    )?;
    writeln!(out, "| Its share of all load | Hottest cell | Moves to +10 % | Hottest cell then |")?;
    writeln!(out, "|---|---|---|---|")?;
    for share in GROWN {
        let grown: Vec<Growth> = (0..ROUNDS).map(|seed| Growth::simulate(share, seed)).collect();
        let [before, after] = [|it: &Growth| it.before, |it: &Growth| it.after]
            .map(|part| percent_over(&grown.iter().map(part).collect::<Vec<_>>()));
        let moves: Vec<Option<usize>> = grown.iter().map(|it| it.is_enough.then_some(it.moves)).collect();
        writeln!(out, "| {share:.0} % | {before} | {} | {after} |", describe_moves(&moves))?;
    }
    Ok(())
}

/// The result of one order of arrival.
struct Run {
    /// The share of the largest tenant, in percent of all load.
    largest: f64,
    /// The load of the hottest cell, as a multiple of the average.
    hottest: f64,
    /// The moves until the hottest cell is within each limit; `None` if no moves achieve that.
    moves: [Option<usize>; LIMITS.len()],
}

impl Run {
    fn simulate(distribution: Distribution, placement: Placement, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let loads = distribution.draw(TENANTS, &mut random);
        let largest = loads.iter().copied().fold(0.0, f64::max) / loads.iter().sum::<f64>() * 100.0;
        let cluster = Cluster::place(&loads, CELLS, DELAY, placement, &mut random);
        let moves = LIMITS.map(|limit| cluster.clone().balance(1.0 + limit / 100.0).ok());
        Self { largest, hottest: cluster.hottest(), moves }
    }
}

/// The result of the growth of one tenant.
struct Growth {
    before: f64,
    /// The moves until every cell is within the limit, or until further moves achieve nothing.
    moves: usize,
    is_enough: bool,
    after: f64,
}

impl Growth {
    fn simulate(share: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let loads = Distribution::LogNormal.draw(TENANTS, &mut random);
        let mut cluster = Cluster::place(&loads, CELLS, DELAY, Placement::TwoChoices, &mut random);
        let (Ok(_) | Err(_)) = cluster.balance(1.1);
        cluster.grow_median(share / 100.0);
        let before = cluster.hottest();
        let balanced = cluster.balance(1.1);
        let is_enough = balanced.is_ok();
        let (Ok(moves) | Err(moves)) = balanced;
        Self { before, moves, is_enough, after: cluster.hottest() }
    }
}

/// Returns the value that a part of the values, in percent, are not above.
fn percentile(values: impl Iterator<Item = f64>, percent: usize) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() * percent / 100).copied().unwrap_or(f64::NAN)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    percentile(values, 50)
}

/// Formats multiples of the average as percent above the average.
fn percent_over(multiples: &[f64]) -> String {
    let over = |percent| (percentile(multiples.iter().copied(), percent) - 1.0) * 100.0;
    format!("+{:.0} % (+{:.0} %)", over(50), over(95))
}

/// Formats numbers of moves. A limit that no moves achieve in some order is reported as such.
fn describe_moves(moves: &[Option<usize>]) -> String {
    let known: Vec<f64> = moves.iter().flatten().map(|it| *it as f64).collect();
    let part = |percent| percentile(known.iter().copied(), percent);
    let shown = format!("{:.0} ({:.0})", part(50), part(95));
    match moves.len() - known.len() {
        0 => shown,
        impossible if known.is_empty() => format!("impossible in {impossible}"),
        impossible => format!("{shown}, impossible in {impossible}"),
    }
}
