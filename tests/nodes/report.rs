//! The table of the figures, their goals, and their file.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::checks::Findings;
use crate::cluster::ROUTES;
use crate::load::Record;
use crate::process::write;

/// The longest time from a leader until every node acknowledges a write.
const MAX_RECOVERY: Duration = Duration::from_secs(3);

/// The times of a scenario.
pub struct Times {
    /// When the fault began.
    pub fault: Instant,
    /// When the service could work again: a leader existed, or the fault was over.
    pub usable: Instant,
    /// Whether `usable` is the time of a promotion.
    pub has_new_leader: bool,
    /// Nodes that were down themselves, for which no goal applies.
    pub excused: Vec<usize>,
}

/// The figures of a scenario.
pub struct Figures {
    name: &'static str,
    leader_after: Option<Duration>,
    /// The time from a usable database to the first success of each node.
    recovery: Vec<Option<Duration>>,
    longest_gap: Duration,
    acknowledged: usize,
    /// The acts that the load did not do, so that nothing was checked.
    untested: Vec<&'static str>,
    errors: BTreeMap<String, usize>,
    findings: Findings,
    excused: Vec<usize>,
    faults: Vec<String>,
}

impl Figures {
    /// Computes the figures.
    pub fn new(
        name: &'static str,
        times: Times,
        record: &Record,
        findings: Findings,
        faults: Vec<String>,
    ) -> Self {
        let of_node = |node: usize| record.successes.iter().filter(move |it| it.0 == node).map(|it| it.1);
        let recovery = (0..ROUTES.len())
            .map(|node| of_node(node).filter(|at| *at >= times.usable).min().map(|at| at - times.usable));
        let gaps = (0..ROUTES.len()).flat_map(|node| {
            let mut at: Vec<Instant> = of_node(node).collect();
            at.sort();
            at.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
        });
        Self {
            name,
            leader_after: times.has_new_leader.then(|| times.usable - times.fault),
            recovery: recovery.collect(),
            longest_gap: gaps.max().unwrap_or_default(),
            acknowledged: record.users.len() + record.erased.len() + record.used.len(),
            untested: [("token was used", record.used.len()), ("user was erased", record.erased.len())]
                .into_iter()
                .filter_map(|(what, count)| (count == 0).then_some(what))
                .collect(),
            errors: record.errors.clone(),
            findings,
            excused: times.excused,
            faults,
        }
    }

    /// Returns the goals that are missed.
    pub fn list_missed(&self) -> Vec<String> {
        let slow = self.recovery.iter().zip(ROUTES).enumerate().filter_map(|(node, (took, route))| {
            let is_met = took.is_some_and(|it| it <= MAX_RECOVERY) || self.excused.contains(&node);
            (!is_met).then(|| format!("{}: first success by {route} after {}", self.name, seconds(*took)))
        });
        let found = self.findings.list_forbidden().into_iter().filter(|it| it.1 > 0);
        let found = found.map(|(what, count)| format!("{}: {count} {what}", self.name));
        let others = self.faults.iter().map(|fault| format!("{}: {fault}", self.name));
        let untested = self.untested.iter().map(|what| format!("{}: no {what}", self.name));
        // A client must be able to tell that it can send the request again.
        let is_allowed =
            |error: &str| ["503", "timeout", "connection"].iter().any(|it| error.starts_with(it));
        let refused = self.errors.iter().filter(|it| !is_allowed(it.0));
        let refused = refused.map(|(error, count)| format!("{}: {count} responses {error}", self.name));
        slow.chain(found).chain(others).chain(untested).chain(refused).collect()
    }

    fn row(&self) -> String {
        let recovery: Vec<String> = self.recovery.iter().map(|it| seconds(*it)).collect();
        let errors: Vec<String> =
            self.errors.iter().map(|(error, count)| format!("{count} × {error}")).collect();
        let forbidden = self.findings.list_forbidden();
        let errors = if errors.is_empty() { "none".to_owned() } else { errors.join(", ") };
        format!(
            "| {} | {} | {} | {} | {} | {errors} | {} | {} | {} | {} | {} |",
            self.name,
            self.leader_after.map_or_else(|| "—".to_owned(), |it| seconds(Some(it))),
            recovery.join(" / "),
            seconds(Some(self.longest_gap)),
            self.acknowledged,
            forbidden[0].1 + forbidden[1].1,
            forbidden[2].1 + forbidden[3].1,
            self.findings.repeated,
            forbidden[4].1,
            forbidden[5].1,
        )
    }

    fn json(&self) -> Value {
        let millis = |it: &Option<Duration>| it.map(|it| it.as_millis() as u64);
        json!({
            "scenario": self.name,
            "leaderAfterMillis": millis(&self.leader_after),
            "firstSuccessMillis": ROUTES.iter().zip(self.recovery.iter().map(millis)).map(|(route, it)| json!({"route": route, "millis": it})).collect::<Vec<_>>(),
            "longestGapMillis": self.longest_gap.as_millis() as u64,
            "acknowledged": self.acknowledged,
            "errors": self.errors,
            "forbidden": self.findings.list_forbidden().into_iter().collect::<BTreeMap<_, _>>(),
            "repeatedDeliveries": self.findings.repeated,
            "missedGoals": self.list_missed(),
        })
    }
}

fn seconds(time: Option<Duration>) -> String {
    time.map_or_else(|| "never".to_owned(), |it| format!("{:.1} s", it.as_secs_f64()))
}

/// Prints the table, writes it as JSON, and returns whether every goal is met.
pub fn finish(figures: &[Figures], file: &Path) -> bool {
    println!(
        "\n| Fault | new leader after | first success after the leader ({}) | longest gap | acknowledged | refused | \
         lost | missing deliveries | repeated | used twice | erased found |\n|---|---|---|---|---|---|---|---|---|---|---|",
        ROUTES.join(" / ")
    );
    figures.iter().for_each(|it| println!("{}", it.row()));
    let all: Vec<Value> = figures.iter().map(Figures::json).collect();
    write(file, &format!("{:#}\n", json!({"scenarios": all})));
    let missed: Vec<String> = figures.iter().flat_map(Figures::list_missed).collect();
    missed.iter().for_each(|it| println!("missed: {it}"));
    println!(
        "\nfaults: {} scenarios, {} goals missed; figures in {}",
        figures.len(),
        missed.len(),
        file.display()
    );
    missed.is_empty()
}
