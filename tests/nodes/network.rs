//! The machines: network namespaces with an address each.
//!
//! Two networks lead to each of them. The data network can be cut in two, and the control network always works: over it,
//! this program sends requests, and sees both sides of a cut.

use std::process::{Command, Stdio};

/// The address of this program on the control network.
pub const CONTROL: &str = "10.78.0.1";

/// A network namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Machine {
    /// Its name.
    pub name: &'static str,
    number: u8,
}

/// The members of the database cluster.
pub const MEMBERS: [Machine; 3] = [Machine::new("db1", 11), Machine::new("db2", 12), Machine::new("db3", 13)];
/// Patroni's store of the leader's lease.
pub const ETCD: Machine = Machine::new("etcd", 21);
/// HAProxy, which leads to the primary.
pub const PROXY: Machine = Machine::new("proxy", 22);
/// PgBouncer in session mode, which leads to HAProxy.
pub const POOLER: Machine = Machine::new("pooler", 23);
/// The S3 server.
pub const STORE: Machine = Machine::new("store", 24);
/// The nodes of the service.
pub const NODES: [Machine; 3] =
    [Machine::new("node1", 31), Machine::new("node2", 32), Machine::new("node3", 33)];

impl Machine {
    const fn new(name: &'static str, number: u8) -> Self {
        Self { name, number }
    }

    /// Returns its address on the data network.
    pub fn data(self) -> String {
        format!("10.77.0.{}", self.number)
    }

    /// Returns its address on the control network.
    pub fn control(self) -> String {
        format!("10.78.0.{}", self.number)
    }

    /// Returns a command that runs on it.
    pub fn command(self, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", self.name, program]).stdin(Stdio::null());
        command
    }

    /// Returns a command that runs on it as the user `postgres`, because these servers refuse to run as root.
    pub fn command_of_postgres(self, program: &str) -> Command {
        let mut command = self.command("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", program]).current_dir("/");
        command
    }

    /// Sends a signal to each of its processes.
    pub fn signal(self, signal: &str) {
        // A process can start another one meanwhile, so this repeats until all have the signal.
        for _ in 0..3 {
            let pids = Command::new("ip").args(["netns", "pids", self.name]).output().unwrap().stdout;
            let pids = String::from_utf8(pids).unwrap();
            let mut kill = Command::new("kill");
            kill.arg(format!("-{signal}")).args(pids.split_whitespace());
            // Some may have ended.
            drop(kill.stdout(Stdio::null()).stderr(Stdio::null()).status());
        }
    }

    /// Moves it to the other side of a cut through the data network.
    pub fn cut(self) {
        ip(&["link", "set", &self.data_port(), "master", "island"]);
    }

    /// Reverts [`cut`](Self::cut) and [`unplug`](Self::unplug).
    pub fn heal(self) {
        ip(&["link", "set", &self.data_port(), "master", "data", "up"]);
    }

    /// Disconnects it from the data network.
    pub fn unplug(self) {
        ip(&["link", "set", &self.data_port(), "down"]);
    }

    fn data_port(self) -> String {
        format!("d-{}", self.name)
    }

    fn connect(self) {
        let (name, number) = (self.name, self.number);
        ip(&["netns", "add", name]);
        ip(&["-n", name, "link", "set", "lo", "up"]);
        for (network, third) in [("data", 77), ("control", 78)] {
            let port = format!("{}-{name}", &network[..1]);
            ip(&["link", "add", &port, "type", "veth", "peer", "name", network, "netns", name]);
            ip(&["link", "set", &port, "master", network, "up"]);
            ip(&["-n", name, "addr", "add", &format!("10.{third}.0.{number}/24"), "dev", network]);
            ip(&["-n", name, "link", "set", network, "up"]);
        }
    }
}

/// Creates the networks and the machines. They end with this process: it has its own namespaces.
pub fn create() {
    ip(&["link", "set", "lo", "up"]);
    for bridge in ["data", "island", "control"] {
        ip(&["link", "add", bridge, "type", "bridge"]);
        ip(&["link", "set", bridge, "up"]);
    }
    ip(&["addr", "add", &format!("{CONTROL}/24"), "dev", "control"]);
    let all = MEMBERS.into_iter().chain(NODES).chain([ETCD, PROXY, POOLER, STORE]);
    all.for_each(Machine::connect);
}

fn ip(args: &[&str]) {
    let output = Command::new("ip").args(args).output().unwrap();
    assert!(output.status.success(), "ip {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr));
}
