//! The database: PostgreSQL members that Patroni manages, etcd, HAProxy and PgBouncer.

use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::network::{ETCD, MEMBERS, Machine, POOLER, PROXY};
use crate::process::{Folders, signal, until_ok, write};

/// The port of HAProxy.
const PROXY_PORT: u16 = 5000;
/// The port of PgBouncer.
const POOLER_PORT: u16 = 6432;
/// The port of Patroni's interface.
const PATRONI_PORT: u16 = 8008;
/// How often each member is asked whether it is the primary.
const WATCH_PAUSE: Duration = Duration::from_millis(50);

/// A time at which a member became the primary.
#[derive(Clone, Copy, Debug)]
pub struct Promotion {
    /// The member.
    pub member: Machine,
    /// When Patroni first reported it.
    pub at: Instant,
}

/// The running cluster.
pub struct Cluster {
    folders: Folders,
    bin: String,
    etcd: Child,
    pooler: Child,
    promotions: Arc<Mutex<Vec<Promotion>>>,
    agent: ureq::Agent,
}

impl Cluster {
    /// Starts everything, and creates the database `linchpin`. `bin` is the folder of PostgreSQL's programs.
    pub fn start(folders: &Folders, bin: &str) -> Self {
        let etcd = start_etcd(folders);
        MEMBERS.iter().for_each(|member| start_member(folders, *member, bin));
        start_proxy(folders);
        let pooler = start_pooler(folders);
        let promotions = Arc::new(Mutex::new(Vec::new()));
        for member in MEMBERS {
            let promotions = Arc::clone(&promotions);
            std::thread::spawn(move || watch(member, &promotions));
        }
        let cluster =
            Self { folders: folders.clone(), bin: bin.to_owned(), etcd, pooler, promotions, agent: agent(2) };
        let leader = cluster.until_whole();
        let address = format!("host={} user=postgres dbname=postgres connect_timeout=5", leader.control());
        let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
        client.batch_execute("CREATE ROLE linchpin LOGIN").unwrap();
        client.batch_execute("CREATE DATABASE linchpin OWNER linchpin").unwrap();
        cluster
    }

    /// Waits until there is a primary, a synchronous standby and another standby, and returns the primary.
    pub fn until_whole(&self) -> Machine {
        until_ok("the cluster is whole", || {
            let state = self.members()?;
            let members = state["members"].as_array().cloned().unwrap_or_default();
            let count = |role: &str| {
                let runs = |it: &&Value| {
                    it["role"] == role && (it["state"] == "running" || it["state"] == "streaming")
                };
                members.iter().filter(runs).count()
            };
            if (count("leader"), count("sync_standby"), count("replica")) != (1, 1, 1) {
                return Err(state.to_string());
            }
            let leader = members.iter().find(|it| it["role"] == "leader").map(|it| it["name"].clone());
            let leader = MEMBERS.into_iter().find(|it| leader == Some(json!(it.name)));
            // The member itself must report it too.
            leader.filter(|it| is_primary(&self.agent, *it)).ok_or_else(|| state.to_string())
        })
    }

    fn members(&self) -> Result<Value, String> {
        let mut responses = MEMBERS.iter().filter_map(|member| get(&self.agent, *member, "/cluster"));
        responses.next_back().ok_or_else(|| "no member responds".to_owned())
    }

    /// Returns the first promotion after a time, of another member than this one if there is one.
    pub fn promotion_after(&self, fault: Instant, other_than: Option<Machine>) -> Promotion {
        until_ok("a member is promoted", || {
            let promotions = self.promotions.lock().unwrap();
            let found = promotions.iter().find(|it| it.at > fault && Some(it.member) != other_than);
            found.copied().ok_or_else(|| format!("{promotions:?}"))
        })
    }

    /// Hands the primary's part to the synchronous standby.
    pub fn switch_over(&self, from: Machine) {
        let url = format!("http://{}:{PATRONI_PORT}/switchover", from.control());
        let mut response = agent(60)
            .post(url)
            .header("content-type", "application/json")
            .send(json!({"leader": from.name}).to_string())
            .unwrap();
        let text = response.body_mut().read_to_string().unwrap_or_default();
        assert!(response.status().is_success(), "switchover: {text}");
    }

    /// Sets whether a primary that can reach all members continues without etcd.
    pub fn set_failsafe(&self, leader: Machine, is_on: bool) {
        let url = format!("http://{}:{PATRONI_PORT}/config", leader.control());
        let change = json!({"failsafe_mode": is_on}).to_string();
        let response = self.agent.patch(url).header("content-type", "application/json").send(change).unwrap();
        assert!(response.status().is_success(), "config");
    }

    /// Waits until every member knows the members that the primary asks without etcd.
    pub fn until_failsafe_is_agreed(&self) {
        until_ok("every member knows the failsafe mode", || {
            let lacks = MEMBERS.iter().find(|it| get_status(&self.agent, **it, "/failsafe") != Some(200));
            lacks.map_or(Ok(()), |it| Err(format!("{} does not", it.name)))
        });
    }

    /// Starts the programs of a member again after they were killed.
    pub fn start_again(&self, member: Machine) {
        start_member(&self.folders, member, &self.bin);
    }

    /// Kills etcd.
    pub fn lose_etcd(&mut self) {
        signal(&self.etcd, "KILL");
        self.etcd.wait().unwrap();
    }

    /// Starts etcd again with its data.
    pub fn bring_etcd_back(&mut self) {
        self.etcd = start_etcd(&self.folders);
    }

    /// Kills PgBouncer and starts it again.
    pub fn restart_pooler(&mut self) {
        signal(&self.pooler, "KILL");
        self.pooler.wait().unwrap();
        self.pooler = start_pooler(&self.folders);
    }

    /// Waits until no member reports that it is the primary.
    pub fn until_leaderless(&self) {
        until_ok("no member is the primary", || {
            let leader = MEMBERS.iter().find(|it| is_primary(&self.agent, **it));
            leader.map_or(Ok(()), |it| Err(format!("{} is", it.name)))
        });
    }

    /// Waits until a member accepts no writes.
    pub fn until_demoted(&self, member: Machine) {
        until_ok("the old primary is demoted", || {
            let found = get_status(&self.agent, member, "/primary");
            if found == Some(200) { Err("it is the primary".to_owned()) } else { Ok(()) }
        });
    }
}

/// Returns the address of the database for each node: all members, HAProxy, and PgBouncer.
pub fn addresses() -> [String; 3] {
    let hosts = MEMBERS.map(Machine::data).join(",");
    let address = |at: String| format!("postgres://linchpin@{at}/linchpin?sslmode=disable");
    [
        address(hosts),
        address(format!("{}:{PROXY_PORT}", PROXY.data())),
        address(format!("{}:{POOLER_PORT}", POOLER.data())),
    ]
}

/// The names of the ways to the database, in the order of [`addresses`].
pub const ROUTES: [&str; 3] = ["several hosts", "HAProxy", "PgBouncer"];

fn agent(seconds: u64) -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    config.timeout_global(Some(Duration::from_secs(seconds))).max_idle_connections(0).build().into()
}

fn get(agent: &ureq::Agent, member: Machine, path: &str) -> Option<Value> {
    let url = format!("http://{}:{PATRONI_PORT}{path}", member.control());
    let text = agent.get(url).call().ok()?.body_mut().read_to_string().ok()?;
    serde_json::from_str(&text).ok()
}

fn get_status(agent: &ureq::Agent, member: Machine, path: &str) -> Option<u16> {
    let url = format!("http://{}:{PATRONI_PORT}{path}", member.control());
    Some(agent.get(url).call().ok()?.status().as_u16())
}

fn is_primary(agent: &ureq::Agent, member: Machine) -> bool {
    get_status(agent, member, "/primary") == Some(200)
}

fn watch(member: Machine, promotions: &Mutex<Vec<Promotion>>) {
    let agent = agent(1);
    let was_primary = AtomicBool::new(false);
    loop {
        let is_now = is_primary(&agent, member);
        if is_now && !was_primary.swap(is_now, Ordering::Relaxed) {
            promotions.lock().unwrap().push(Promotion { member, at: Instant::now() });
        }
        was_primary.store(is_now, Ordering::Relaxed);
        std::thread::sleep(WATCH_PAUSE);
    }
}

fn start_etcd(folders: &Folders) -> Child {
    let (client, peer) = (format!("http://{}:2379", ETCD.data()), format!("http://{}:2380", ETCD.data()));
    let mut command = ETCD.command("etcd");
    command.args(["--name", "etcd", "--data-dir"]).arg(folders.data.join("etcd"));
    command.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
    command.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
    command.args(["--initial-cluster", &format!("etcd={peer}")]);
    // See `start_member`.
    command.arg("--enable-v2=true");
    folders.start("etcd", command)
}

fn start_member(folders: &Folders, member: Machine, bin: &str) {
    let name = member.name;
    let folder = folders.give_to_postgres(name);
    let user = |name: &str| json!({"username": name, "password": "in a test only"});
    let rules = ["local all all trust", "host all all all trust", "host replication all all trust"];
    let settings = json!({
        "scope": "linchpin",
        "name": name,
        "restapi": {
            "listen": format!("0.0.0.0:{PATRONI_PORT}"),
            "connect_address": format!("{}:{PATRONI_PORT}", member.data()),
        },
        // Before https://github.com/patroni/patroni/pull/2689, a primary that was stopped takes the lease of a new one over
        // version 3 of etcd's API: what the new one has committed is lost, also with a synchronous standby.
        "etcd": {"hosts": [format!("{}:2379", ETCD.data())]},
        "bootstrap": {
            "dcs": {
                "ttl": 20, "loop_wait": 2, "retry_timeout": 3,
                "maximum_lag_on_failover": 1_048_576, "synchronous_mode": true,
                "postgresql": {"use_pg_rewind": true, "parameters": {
                    "max_connections": 120, "shared_buffers": "64MB", "wal_keep_size": "256MB",
                }},
            },
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
        },
        "postgresql": {
            "listen": "0.0.0.0:5432",
            "connect_address": format!("{}:5432", member.data()),
            "data_dir": folder.join("data"),
            "bin_dir": bin,
            "pgpass": folder.join("pgpass"),
            "authentication": {"superuser": user("postgres"), "replication": user("replicator"), "rewind": user("rewinder")},
            "pg_hba": rules,
            "parameters": {"unix_socket_directories": folder},
        },
    });
    let file = folders.data.join(format!("{name}.yml"));
    write(&file, &settings.to_string());
    let mut command = member.command_of_postgres("patroni");
    command.arg(file);
    drop(folders.start(name, command));
}

fn start_proxy(folders: &Folders) {
    let members: String = MEMBERS
        .iter()
        .map(|it| format!("  server {} {}:5432 maxconn 100 check port {PATRONI_PORT}\n", it.name, it.data()))
        .collect();
    let settings = format!(
        "global\n  maxconn 300\ndefaults\n  mode tcp\n  retries 1\n  option redispatch 1\n  timeout connect 4s\n  timeout check 1s\n  timeout \
         client 30m\n  timeout server 30m\nlisten primary\n  bind {}:{PROXY_PORT}\n  option httpchk OPTIONS /primary\n  \
         http-check expect status 200\n  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions\n{members}",
        PROXY.data(),
    );
    let file = folders.data.join("haproxy.cfg");
    write(&file, &settings);
    let mut command = PROXY.command("haproxy");
    command.arg("-db").arg("-f").arg(file);
    drop(folders.start("haproxy", command));
}

fn start_pooler(folders: &Folders) -> Child {
    let settings = format!(
        "[databases]\nlinchpin = host={} port={PROXY_PORT} dbname=linchpin\n[pgbouncer]\nlisten_addr = {}\n\
         listen_port = {POOLER_PORT}\nunix_socket_dir =\nauth_type = any\npool_mode = session\nmax_client_conn = 100\n\
         default_pool_size = 40\nserver_connect_timeout = 3\nserver_login_retry = 1\n",
        PROXY.data(),
        POOLER.data(),
    );
    // With `auth_type = any`, the address names the user of the server.
    let settings = settings.replace("dbname=linchpin", "dbname=linchpin user=linchpin");
    let file = folders.data.join("pgbouncer.ini");
    write(&file, &settings);
    let mut command = POOLER.command_of_postgres("pgbouncer");
    command.arg(file);
    folders.start("pgbouncer", command)
}
