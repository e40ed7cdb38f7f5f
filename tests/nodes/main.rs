//! Three nodes of the service, and a PostgreSQL cluster that fails over, on one machine.
//!
//! `cargo xtask faults nodes` starts it in its own network, process and mount namespaces, so that all of it ends with it.
//!
//! # Where to start
//! [`scenarios`] lists the faults. Under the [`load`] of each, [`network`], [`cluster`] and [`service`] break and return,
//! then [`checks`] compares what was acknowledged with what is there, and [`report`] has the goals.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

mod checks;
mod cluster;
mod load;
mod network;
mod process;
mod report;
mod scenarios;
mod service;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;

use link_test_support::receiver::Receiver;
use serde_json::json;

use crate::load::{Load, ORIGIN, Record};
use crate::process::{Folders, until_ok};
use crate::report::Figures;
use crate::scenarios::{Programs, SCENARIOS, Stage, UPGRADES};
use crate::service::{Client, Node, text};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, bin, store, data, logs, filters @ ..] = words.as_slice() else {
        eprintln!(
            "usage: nodes <linchpin> <folder of PostgreSQL's programs> <moto_server> <data> <logs> \
             [fault ... | --from <earlier linchpin>]"
        );
        return ExitCode::FAILURE;
    };
    let program = PathBuf::from(program);
    let (first, filters, scenarios) = match filters {
        [flag, earlier] if flag == "--from" => (PathBuf::from(earlier), &[][..], &UPGRADES[..]),
        filters => (program.clone(), filters, &SCENARIOS[..]),
    };
    let folders = Folders { data: PathBuf::from(data), logs: PathBuf::from(logs) };
    network::create();
    service::create_keys_folder(&folders);
    service::start_store(&folders, store);
    println!("nodes: starting the cluster ...");
    let cluster = cluster::Cluster::start(&folders, bin);
    println!("nodes: starting the service ...");
    let nodes = Node::start_all(&folders, &first);
    let clients = Client::of_all(&folders);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let receiver = runtime.block_on(Receiver::start_on(&format!("{}:0", network::CONTROL), &[]));
    let template = set_up_tenant(&clients[0], &receiver);
    let mut stage =
        Stage::new(cluster, nodes, clients.clone(), template.clone(), Programs { first, program });
    let mut figures = Vec::new();
    let mut known = Record::default();
    for (name, cause) in scenarios.iter().copied() {
        if !filters.is_empty() && !filters.iter().any(|it| name.contains(it.as_str())) {
            continue;
        }
        println!("nodes: {name} ...");
        let primary = stage.cluster.until_whole();
        stage.begin(Load::start(&clients, &template, name));
        let times = cause(&mut stage, primary);
        stage.after(&times);
        let record = stage.end();
        stage.cluster.until_whole();
        known.extend(&record);
        let mut findings = checks::check(&clients, &template, &receiver, &known);
        findings.used_twice += record.used_twice;
        let figure = Figures::new(name, times, &record, findings, std::mem::take(&mut stage.faults));
        figure.list_missed().iter().for_each(|it| println!("missed: {it}"));
        figures.push(figure);
    }
    assert!(!figures.is_empty(), "no fault has a name with {filters:?}: {:?}", SCENARIOS.map(|it| it.0));
    let is_met = report::finish(&figures, &folders.logs.join("figures.json"));
    if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Registers a webhook, allows the origin of the tenant's page, and returns the id of the link template.
fn set_up_tenant(client: &Client, receiver: &Receiver) -> String {
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": checks::SECRET});
    let (status, body) = client.send("POST", "/webhooks", &hook).unwrap();
    assert_eq!(status, 201, "{body}");
    let template = until_ok("there is a link template", || {
        let templates = client.all("/linkTemplates");
        templates.first().map(|it| text(&it["id"])).ok_or_else(|| "none".to_owned())
    });
    let allowed = json!({"allowedOrigins": [ORIGIN], "uploadsEnabled": true});
    let (status, body) = client.send("PATCH", &format!("/linkTemplates/{template}"), &allowed).unwrap();
    assert_eq!(status, 200, "{body}");
    template
}
