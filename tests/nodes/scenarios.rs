//! The faults.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use link_test_support::wait;

use crate::cluster::Cluster;
use crate::load::{Load, Record};
use crate::network::{Machine, NODES, STORE};
use crate::process::until_ok;
use crate::report::Times;
use crate::service::{Client, Node};
use crate::work::Work;

/// How long to wait for writes after a fault, before the figures count without them.
const MAX_OUTAGE: Duration = Duration::from_secs(60);
/// How long etcd stays away in the failsafe mode: longer than the leader's lease.
const LONGER_THAN_LEASE: Duration = Duration::from_secs(30);
/// How long the store stays away.
const STORE_OUTAGE: Duration = Duration::from_secs(15);
/// The number of accounts and documents that a node has in work when it is killed.
const WORK: usize = 3;
/// The writes before a fault count from this long before the load begins.
const WARM_UP: Duration = Duration::from_secs(60);

/// The programs of an upgrade.
pub struct Programs {
    /// The program that all nodes start with.
    pub first: PathBuf,
    /// The program of this checkout.
    pub program: PathBuf,
}

/// The cluster and the nodes that a scenario acts on.
pub struct Stage {
    /// The database.
    pub cluster: Cluster,
    /// The nodes of the service.
    pub nodes: Vec<Node>,
    /// A client of each.
    pub clients: Vec<Client>,
    /// The id of the link template.
    pub template: String,
    /// Faults of the present scenario in addition to its figures.
    pub faults: Vec<String>,
    programs: Programs,
    load: Option<Load>,
}

impl Stage {
    /// Sets the stage.
    pub fn new(
        cluster: Cluster,
        nodes: Vec<Node>,
        clients: Vec<Client>,
        template: String,
        programs: Programs,
    ) -> Self {
        Self { cluster, nodes, clients, template, faults: Vec::new(), programs, load: None }
    }

    /// Begins a load, and waits until every node has acknowledged some writes.
    pub fn begin(&mut self, load: Load) {
        until_ok("every node acknowledges writes", || until_each(&load, Instant::now() - WARM_UP, 3, &[]));
        self.load = Some(load);
    }

    /// Waits until every node has acknowledged further writes since it could work again.
    pub fn after(&mut self, times: &Times) {
        let Some(load) = &self.load else { return };
        let waited =
            wait::blocking::retry_for(MAX_OUTAGE, || until_each(load, times.usable, 5, &times.excused));
        if let Err(missing) = waited {
            self.faults.push(format!("after {MAX_OUTAGE:?}, {missing}"));
        }
    }

    /// Ends the load.
    pub fn end(&mut self) -> Record {
        self.load.take().map(Load::end).unwrap_or_default()
    }
}

/// Succeeds if every node, except for the excused ones, has acknowledged this number of writes since a time.
fn until_each(load: &Load, since: Instant, count: usize, excused: &[usize]) -> Result<(), String> {
    let record = load.record();
    let of_node = |node: usize| record.successes.iter().filter(|it| it.0 == node && it.1 >= since).count();
    match NODES.iter().enumerate().find(|(node, _)| !excused.contains(node) && of_node(*node) < count) {
        Some((_, machine)) => Err(format!("{} acknowledges nothing: {:?}", machine.name, record.errors)),
        None => Ok(()),
    }
}

/// A fault: its name, and the function that causes it and returns when the service could work again.
pub type Scenario = (&'static str, fn(&mut Stage, Machine) -> Times);

/// Every scenario, in the order of a run.
pub const SCENARIOS: [Scenario; 11] = [
    ("switchover", switchover),
    ("SIGKILL of the primary", kill_primary),
    ("SIGSTOP of the primary", stop_primary),
    ("network of the primary cut", cut_primary),
    ("primary and a node cut off", cut_primary_and_node),
    ("PgBouncer restarted", restart_pooler),
    ("etcd lost", lose_etcd),
    ("etcd lost, failsafe mode", lose_etcd_in_failsafe_mode),
    ("S3 store lost", lose_store),
    ("each node killed at work", kill_nodes),
    ("nodes replaced in turn", replace_nodes),
];

/// The scenarios of an upgrade. All nodes start with the program of the earlier revision.
pub const UPGRADES: [Scenario; 2] =
    [("nodes upgraded in turn", upgrade_nodes), ("nodes downgraded in turn", downgrade_nodes)];

fn find_promotion(stage: &Stage, fault: Instant, old: Machine) -> Times {
    let promotion = stage.cluster.promotion_after(fault, Some(old));
    Times { fault, usable: promotion.at, has_new_leader: true, excused: Vec::new() }
}

fn end(fault: Instant) -> Times {
    Times { fault, usable: Instant::now(), has_new_leader: false, excused: Vec::new() }
}

fn switchover(stage: &mut Stage, primary: Machine) -> Times {
    let fault = Instant::now();
    stage.cluster.switch_over(primary);
    find_promotion(stage, fault, primary)
}

fn kill_primary(stage: &mut Stage, primary: Machine) -> Times {
    let fault = Instant::now();
    primary.signal("KILL");
    let times = find_promotion(stage, fault, primary);
    stage.cluster.start_again(primary);
    times
}

fn stop_primary(stage: &mut Stage, primary: Machine) -> Times {
    let fault = Instant::now();
    primary.signal("STOP");
    let times = find_promotion(stage, fault, primary);
    stage.after(&times);
    primary.signal("CONT");
    stage.cluster.until_demoted(primary);
    times
}

fn cut_primary(stage: &mut Stage, primary: Machine) -> Times {
    let fault = Instant::now();
    primary.unplug();
    let times = find_promotion(stage, fault, primary);
    stage.cluster.until_demoted(primary);
    stage.after(&times);
    primary.heal();
    times
}

/// The node on the side of the old primary can only be served again after the cut.
fn cut_primary_and_node(stage: &mut Stage, primary: Machine) -> Times {
    let fault = Instant::now();
    primary.cut();
    NODES[0].cut();
    let times = Times { excused: vec![0], ..find_promotion(stage, fault, primary) };
    stage.cluster.until_demoted(primary);
    stage.after(&times);
    primary.heal();
    NODES[0].heal();
    // The node must come back, too.
    stage.after(&end(fault));
    times
}

fn restart_pooler(stage: &mut Stage, _: Machine) -> Times {
    let fault = Instant::now();
    stage.cluster.restart_pooler();
    end(fault)
}

fn lose_etcd(stage: &mut Stage, _: Machine) -> Times {
    let fault = Instant::now();
    stage.cluster.lose_etcd();
    stage.cluster.until_leaderless();
    let back = Instant::now();
    stage.cluster.bring_etcd_back();
    let promotion = stage.cluster.promotion_after(back, None);
    Times { fault, usable: promotion.at, has_new_leader: true, excused: Vec::new() }
}

/// Without the failsafe mode, the primary would be demoted.
fn lose_etcd_in_failsafe_mode(stage: &mut Stage, primary: Machine) -> Times {
    stage.cluster.set_failsafe(primary, true);
    stage.cluster.until_failsafe_is_agreed();
    let fault = Instant::now();
    stage.cluster.lose_etcd();
    // The fault is that it stays away this long; there is nothing to wait for.
    std::thread::sleep(LONGER_THAN_LEASE);
    let times = end(fault);
    stage.cluster.bring_etcd_back();
    times
}

/// Documents that are read meanwhile are read when the store is back.
fn lose_store(stage: &mut Stage, _: Machine) -> Times {
    let work = Work::give(&stage.clients[0], &stage.template, WORK);
    let fault = Instant::now();
    STORE.unplug();
    std::thread::sleep(STORE_OUTAGE);
    STORE.heal();
    let times = end(fault);
    stage.faults = work.until_done(&stage.clients[1]);
    times
}

/// Whichever worker reads an account or a document, or delivers an event, loses its node in one of the rounds.
fn kill_nodes(stage: &mut Stage, _: Machine) -> Times {
    let fault = Instant::now();
    let mut accounts = Vec::new();
    for number in 0..stage.nodes.len() {
        let other = stage.clients[(number + 1) % stage.nodes.len()].clone();
        let work = Work::give(&other, &stage.template, WORK);
        Work::sync(&other, &accounts);
        stage.nodes[number].kill();
        stage.faults.extend(work.until_done(&other));
        stage.nodes[number].start();
        stage.nodes[number].until_ready();
        accounts = work.accounts;
    }
    end(fault)
}

fn replace_nodes(stage: &mut Stage, _: Machine) -> Times {
    let fault = Instant::now();
    for node in &mut stage.nodes {
        let status = node.terminate();
        assert!(status.success(), "{}: {status}", node.machine.name);
        node.start();
        node.until_ready();
    }
    end(fault)
}

fn upgrade_nodes(stage: &mut Stage, _: Machine) -> Times {
    let program = stage.programs.program.clone();
    change_program(stage, &program)
}

/// The schema stays that of the newer program.
fn downgrade_nodes(stage: &mut Stage, _: Machine) -> Times {
    let program = stage.programs.first.clone();
    change_program(stage, &program)
}

/// Gives each node work before it is replaced, so that nodes of the other build finish some of it.
fn change_program(stage: &mut Stage, program: &Path) -> Times {
    let fault = Instant::now();
    let mut accounts = Vec::new();
    for number in 0..stage.nodes.len() {
        let other = stage.clients[(number + 1) % stage.nodes.len()].clone();
        let work = Work::give(&stage.clients[number], &stage.template, WORK);
        Work::sync(&other, &accounts);
        let node = &mut stage.nodes[number];
        let status = node.terminate();
        assert!(status.success(), "{}: {status}", node.machine.name);
        node.use_program(program);
        node.start();
        node.until_ready();
        stage.faults.extend(work.until_done(&other));
        accounts = work.accounts;
        // Nodes of both builds must work at the same time.
        stage.after(&end(fault));
    }
    end(fault)
}
