//! The nodes of the service, each with another way to the database, and their client.

use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::cluster;
use crate::network::{Machine, NODES, STORE};
use crate::process::{Folders, run, signal, until_ok};

const PORT: u16 = 8787;
const STORE_PORT: u16 = 5000;
const BUCKET: &str = "documents";
/// How long a client waits for a response: longer than the service works on one.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Starts the S3 server and creates its bucket.
pub fn start_store(folders: &Folders, program: &str) {
    let mut command = STORE.command(program);
    command.args(["-H", "0.0.0.0", "-p", &STORE_PORT.to_string()]);
    drop(folders.start("store", command));
    let url = format!("http://{}:{STORE_PORT}/{BUCKET}", STORE.control());
    until_ok("the bucket is created", || ureq::put(&url).send_empty().map_err(|it| it.to_string()));
}

/// A node.
pub struct Node {
    /// The machine that it runs on.
    pub machine: Machine,
    program: PathBuf,
    database: String,
    folders: Folders,
    child: Option<Child>,
}

impl Node {
    /// Starts the nodes one after the other, because the first one creates the keys.
    pub fn start_all(folders: &Folders, program: &Path) -> Vec<Self> {
        let mut nodes = Vec::new();
        for (machine, database) in NODES.into_iter().zip(cluster::addresses()) {
            let (program, folders) = (program.to_owned(), folders.clone());
            let mut node = Self { machine, program, database, folders, child: None };
            node.start();
            node.until_ready();
            nodes.push(node);
        }
        nodes
    }

    /// Starts another program the next time.
    pub fn use_program(&mut self, program: &Path) {
        self.program = program.to_owned();
    }

    /// Starts it (again).
    pub fn start(&mut self) {
        let folder = self.folders.data.join(self.machine.name);
        let mut command = self.machine.command(&self.program.to_string_lossy());
        command.arg("serve").arg("--data-dir").arg(folder);
        command.arg("--keys-dir").arg(self.folders.data.join("keys"));
        command.args(["--listen", &format!("0.0.0.0:{PORT}"), "--webhook-allow", "10.78.0.0/24"]);
        let hosts: Vec<String> = NODES.iter().map(|it| format!("{}:{PORT}", it.control())).collect();
        command.args(["--allowed-hosts", &hosts.join(","), "--resend-seconds", "0.3"]);
        command.args(["--rate-per-second", "100000", "--rate-burst", "100000"]);
        command.args(["--tenant-rate-per-second", "100000", "--tenant-rate-burst", "100000"]);
        command.args([
            "--s3-bucket",
            BUCKET,
            "--s3-endpoint",
            &format!("http://{}:{STORE_PORT}", STORE.data()),
        ]);
        command.args(["--document-sandbox", "best-effort"]);
        command.env("LINCHPIN_S3_ACCESS_KEY_ID", "test").env("LINCHPIN_S3_SECRET_ACCESS_KEY", "test");
        command.env("LINCHPIN_DATABASE_URL", &self.database);
        self.child = Some(self.folders.start(self.machine.name, command));
    }

    /// Waits until it is ready.
    pub fn until_ready(&mut self) {
        let url = format!("http://{}:{PORT}/health/ready", self.machine.control());
        let child = self.child.as_mut().unwrap();
        until_ok(&format!("{} is ready", self.machine.name), || {
            if let Some(status) = child.try_wait().unwrap() {
                return Ok(Err(status));
            }
            ureq::get(&url).call().map(|_| Ok(())).map_err(|error| error.to_string())
        })
        .unwrap_or_else(|status| panic!("{} ended: {status}", self.machine.name));
    }

    /// Sends SIGKILL and waits for the end.
    pub fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Sends SIGTERM and waits for the end.
    pub fn terminate(&mut self) -> ExitStatus {
        let mut child = self.child.take().unwrap();
        signal(&child, "TERM");
        until_ok("the node stops", || child.try_wait().unwrap().ok_or_else(|| "it runs".to_owned()))
    }
}

/// Creates the folder of the keys, which all nodes share.
pub fn create_keys_folder(folders: &Folders) {
    let keys = folders.data.join("keys");
    std::fs::create_dir_all(&keys).unwrap();
    run(std::process::Command::new("chmod").arg("700").arg(&keys));
}

/// A client of one node.
#[derive(Clone)]
pub struct Client {
    base: String,
    authorization: String,
    agent: ureq::Agent,
}

/// The status and the body of a response.
pub type Response = Result<(u16, Value), String>;

impl Client {
    /// Returns a client of each node, with the sandbox keys of the first start.
    pub fn of_all(folders: &Folders) -> Vec<Self> {
        let keys = std::fs::read(folders.data.join(NODES[0].name).join("first-keys.json")).unwrap();
        let keys = serde_json::from_slice::<Value>(&keys).unwrap()["sandbox"].clone();
        let pair = format!("{}:{}", text(&keys["apiKey"]), text(&keys["apiSecret"]));
        let authorization = format!("Basic {}", STANDARD.encode(pair));
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        // A connection per request, as behind a balancer: an idle one says nothing about the node.
        let agent: ureq::Agent = config.timeout_global(Some(TIMEOUT)).max_idle_connections(0).build().into();
        let base = |machine: Machine| format!("http://{}:{PORT}/sandbox/v1", machine.control());
        NODES
            .map(|it| Self { base: base(it), authorization: authorization.clone(), agent: agent.clone() })
            .to_vec()
    }

    /// Returns a client of the same node with the secret of a session.
    pub fn with_session(&self, secret: &str) -> Self {
        Self { authorization: format!("Bearer {secret}"), ..self.clone() }
    }

    /// Sends a request with a JSON body.
    pub fn send(&self, method: &str, path: &str, body: &Value) -> Response {
        self.send_bytes(method, path, &[("content-type", "application/json")], body.to_string().as_bytes())
            .map(|(status, _, body)| (status, body))
    }

    /// Sends a request without a body.
    pub fn call(&self, method: &str, path: &str) -> Response {
        let request = self.request(method, path).body(()).unwrap();
        read(self.agent.run(request)).map(|(status, _, body)| (status, body))
    }

    /// Sends a request with bytes, and returns the header `Location` too.
    pub fn send_bytes(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<(u16, String, Value), String> {
        let request =
            headers.iter().fold(self.request(method, path), |it, (name, value)| it.header(*name, *value));
        read(self.agent.run(request.body(body).unwrap()))
    }

    fn request(&self, method: &str, path: &str) -> ureq::http::request::Builder {
        let request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.base));
        request.header("authorization", &self.authorization)
    }

    /// Returns every item of a list.
    pub fn all(&self, list: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let list = format!("{list}{}size=150", if list.contains('?') { '&' } else { '?' });
        let mut path = list.clone();
        loop {
            let page = until_ok(&format!("{list} is read"), || match self.call("GET", &path)? {
                (200, page) => Ok(page),
                (status, body) => Err(format!("{status} {body}")),
            });
            items.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["nextCursor"].as_str() {
                Some(cursor) => path = format!("{list}&cursor={cursor}"),
                None => return items,
            }
        }
    }
}

fn read(
    response: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<(u16, String, Value), String> {
    let mut response = response.map_err(|error| error.to_string())?;
    let location =
        response.headers().get("location").and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
    let text = response.body_mut().with_config().limit(100_000_000).read_to_string();
    let text = text.map_err(|error| error.to_string())?;
    Ok((response.status().as_u16(), location, serde_json::from_str(&text).unwrap_or(Value::Null)))
}

/// Returns the value of a JSON string.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned()
}
