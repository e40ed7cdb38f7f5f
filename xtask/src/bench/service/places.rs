//! The programs, databases and ports of the benchmark.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::process::{Program, is_on_path};
use crate::setup::apt;
use crate::stack::{self, Ports};
use crate::{bench, files, fuzz, release, web};

/// The newest version that runs on the oldest Node that setup accepts.
const PRISM: &str = "5.14.2";
const READY_WITHIN: Duration = Duration::from_secs(60);
const WRK: &str = "install wrk so that `wrk` is on PATH (macOS: brew install wrk; Fedora: dnf install wrk)";

/// The programs and the folder of a benchmark.
pub struct Places<'m> {
    /// The environment of the task.
    pub env: &'m Env,
    /// Databases, logs and lists of paths. Emptied at the start.
    pub folder: PathBuf,
    service: PathBuf,
    peers: PathBuf,
}

impl<'m> Places<'m> {
    /// Builds and installs the missing programs: the released service.
    pub fn prepare(env: &'m Env) -> Outcome<Self> {
        Self::prepare_with(env, release::PROFILE)
    }

    /// Builds them with this profile of cargo.
    pub fn prepare_with(env: &'m Env, profile: &str) -> Outcome<Self> {
        if !is_on_path("wrk", &env.path()) {
            apt::install(env, "wrk", &["wrk"], "10 s", WRK)?;
        }
        println!("bench: building the service ({profile}; usually 10 to 25 min the first time) ...");
        web::build(env)?;
        let service = release::build_with(env, profile)?;
        let peers = bench::program(env, "peers", profile)?;
        Ok(Self { env, folder: bench::folder(env)?, service, peers })
    }

    /// Returns the program that the service is compared with, with these arguments.
    pub fn peers(&self, words: &[&str]) -> Program {
        self.env.program(&self.peers.to_string_lossy()).args(words)
    }

    /// Creates a data folder, with rows that the store inserts.
    pub fn fill(&self, name: &str, users: u64, accounts: u64) -> Outcome<Peers> {
        self.fill_in(name, None, users, accounts)
    }

    /// Creates a data folder, with rows in the PostgreSQL database with this address, if there is one.
    pub fn fill_in(&self, name: &str, database: Option<&str>, users: u64, accounts: u64) -> Outcome<Peers> {
        let data = Peers { folder: self.folder.join(name), database: database.map(str::to_owned) };
        drop(Service::start(self, &data)?);
        let folder = data.folder.to_string_lossy();
        let program = self.peers(&["fill", &folder, &users.to_string(), &accounts.to_string()]);
        data.with_database(program).output()?;
        Ok(data)
    }

    /// Creates a data folder with one of every resource, created over REST and the widget's API.
    pub fn create_peers(&self) -> Outcome<Peers> {
        let data = Peers { folder: self.folder.join("sown"), database: None };
        let service = Service::start(self, &data)?;
        let origin = format!("http://localhost:{}", service.port);
        fuzz::sow(self.env, &self.folder, &origin, &data.keys())?;
        Ok(data)
    }

    /// Starts Prism with the OpenAPI document.
    pub fn prism(&self) -> Outcome<Running> {
        let tool = self.env.tool("prism", PRISM);
        let program = tool.join("node_modules/.bin/prism");
        if !program.is_file() {
            println!("bench: installing Prism {PRISM} (usually 30 s) ...");
            files::make_dir(&tool)?;
            self.env
                .program("npm")
                .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"])
                .arg(&tool)
                .arg(format!("@stoplight/prism-cli@{PRISM}"))
                .output()?;
        }
        let port = Ports::free()?.service;
        let program = self
            .env
            .program(&program.to_string_lossy())
            .args(["mock", "--host", "127.0.0.1", "--port", &port.to_string()])
            .args(["--verboseLevel", "fatal"])
            .arg(self.env.at("docs/openapi.json"));
        self.start("prism", program, port, None)
    }

    /// Removes the service's file from the page cache, so that the next start reads it from the disk, as after a boot.
    /// The kernel keeps a file that was just written in larger pieces, and each piece counts as memory of the process.
    pub fn read_from_disk(&self) -> Outcome {
        self.env.program("sync").arg(&self.service).run()?;
        let file = format!("if={}", self.service.display());
        self.env.program("dd").args([&file, "iflag=nocache", "count=0", "status=none"]).run()
    }

    fn start(&self, name: &str, program: Program, port: u16, path: Option<&str>) -> Outcome<Running> {
        let log = self.folder.join(format!("{name}.log"));
        let file = std::fs::File::create(&log).or_fail(|| format!("Could not write the log of {name}"))?;
        let errors = file.try_clone().or_fail(|| format!("Could not write the log of {name}"))?;
        let mut command = program.into_command();
        command.stdin(Stdio::null()).stdout(file).stderr(errors);
        let child = command.spawn().or_fail(|| format!("Could not start {name}"))?;
        let mut running = Running { port, child };
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            let ready = match path {
                Some(path) => stack::is_ready(port, path),
                None => TcpStream::connect(("127.0.0.1", port)).is_ok(),
            };
            if ready {
                return Ok(running);
            }
            let ended = matches!(running.child.try_wait(), Ok(Some(_)));
            if ended || Instant::now() > deadline {
                let logged = std::fs::read_to_string(&log).unwrap_or_default();
                return Err(Failure::new(format!("{name} did not become ready")).why(logged));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A process that listens on a port. Dropping it stops the process.
pub struct Running {
    /// The port on which it listens.
    pub port: u16,
    child: Child,
}

impl Drop for Running {
    fn drop(&mut self) {
        stack::stop(&mut self.child);
    }
}

/// A data folder, and the address of a PostgreSQL database if the rows are there.
pub struct Peers {
    folder: PathBuf,
    database: Option<String>,
}

impl Peers {
    /// Starts an axum that only returns this body.
    pub fn serve_static(&self, places: &Places<'_>, body: &str) -> Outcome<Running> {
        let file = places.folder.join("static.json");
        files::write(&file, body)?;
        let port = Ports::free()?.service;
        let words = ["static", &port.to_string(), &file.to_string_lossy()];
        places.start("static", places.peers(&words), port, Some("/"))
    }

    /// Starts an axum over the store in this folder, with one commit per request.
    pub fn serve_commits(&self, places: &Places<'_>) -> Outcome<Running> {
        let port = Ports::free()?.service;
        let words = ["commits", &port.to_string(), &self.folder.to_string_lossy()];
        places.start("commits", places.peers(&words), port, None)
    }

    /// Creates a copy that can be written to.
    pub fn copy(&self, places: &Places<'_>, name: &str) -> Outcome<Self> {
        let folder = places.folder.join(name);
        places.env.program("cp").arg("-a").arg(&self.folder).arg(&folder).output()?;
        Ok(Self { folder, database: None })
    }

    /// Creates a copy, with this number of copies of a row of a list.
    pub fn copies(&self, places: &Places<'_>, name: &str, list: &str, rows: u64) -> Outcome<Self> {
        let copy = self.copy(places, name)?;
        places.peers(&["copies", &copy.folder.to_string_lossy(), list, &rows.to_string()]).output()?;
        Ok(copy)
    }

    /// Deletes the folder.
    pub fn remove(self) -> Outcome {
        files::remove_dir(&self.folder)
    }

    /// Creates another tenant of the running service of this folder. Returns the `Authorization` header for its sandbox key.
    pub fn create_tenant(&self, places: &Places<'_>, id: &str) -> Outcome<String> {
        let program = places.env.program(&places.service.to_string_lossy());
        let printed = program
            .args(["tenant", "create", id, "--name", id, "--json", "--data-dir"])
            .arg(&self.folder)
            .output()?;
        authorization(&printed)
    }

    /// Adds the address of the database to the environment of a program.
    fn with_database(&self, program: Program) -> Program {
        match &self.database {
            Some(address) => program.env("LINCHPIN_DATABASE_URL", address),
            None => program,
        }
    }

    fn keys(&self) -> PathBuf {
        self.folder.join("first-keys.json")
    }
}

/// A running service, or the plain one.
pub struct Service {
    /// The port on which it listens.
    pub port: u16,
    /// The file with the first tenant's keys.
    pub keys: PathBuf,
    authorization: String,
    running: Running,
}

impl Service {
    /// Starts the released service, with rate limits that the benchmark does not reach.
    pub fn start(places: &Places<'_>, data: &Peers) -> Outcome<Self> {
        Self::start_with(places, data, &[])
    }

    /// Starts it with more arguments.
    pub fn start_with(places: &Places<'_>, data: &Peers, words: &[&str]) -> Outcome<Self> {
        let rates = ["--rate-per-second", "10000000", "--rate-burst", "10000000"];
        let of_tenants = ["--tenant-rate-per-second", "10000000", "--tenant-rate-burst", "10000000"];
        Self::start_limited(places, data, &[&rates, &of_tenants, words].concat())
    }

    /// Starts it with its usual rate limits.
    pub fn start_limited(places: &Places<'_>, data: &Peers, words: &[&str]) -> Outcome<Self> {
        let port = Ports::free()?.service;
        let program = places
            .env
            .program(&places.service.to_string_lossy())
            .arg("serve")
            .arg("--data-dir")
            .arg(&data.folder)
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .args(["--public-url", &format!("http://localhost:{port}")])
            .args(["--site-host-target", "sites.example"])
            .args(words);
        let running = places.start("service", data.with_database(program), port, Some("/health/ready"))?;
        Self::with_keys(running, data.keys())
    }

    /// Starts the plain service on a database. It has a part of the same interface, and accounts like this one.
    pub fn start_plain(places: &Places<'_>, program: &Path, database: &str, account: &str) -> Outcome<Self> {
        let name = files::name(program);
        let sample = places.folder.join(format!("{name}-account.json"));
        files::write(&sample, account)?;
        let (port, keys) = (Ports::free()?.service, places.folder.join(format!("{name}-keys.json")));
        let words = [&port.to_string(), database, &keys.to_string_lossy(), &sample.to_string_lossy()];
        let command = places.env.program(&program.to_string_lossy()).args(words);
        let running = places.start(name, command, port, None)?;
        Self::with_keys(running, keys)
    }

    fn with_keys(running: Running, keys: PathBuf) -> Outcome<Self> {
        let authorization = authorization(&files::read(&keys)?)?;
        Ok(Self { port: running.port, keys, authorization, running })
    }

    /// Returns the `Authorization` header for the first tenant's sandbox key.
    pub fn authorization(&self) -> &str {
        &self.authorization
    }

    /// Sends a GET request to the sandbox and returns the body.
    ///
    /// # Errors
    /// If the response is not 2xx.
    pub fn get(&self, path: &str) -> Outcome<String> {
        self.ask(&self.authorization, "GET", path, "")
    }

    /// Sends a POST request to the sandbox with this `Authorization` header, and returns the body.
    ///
    /// # Errors
    /// If the response is not 2xx.
    pub fn post(&self, authorization: &str, path: &str, body: &Value) -> Outcome<String> {
        self.ask(authorization, "POST", path, &body.to_string())
    }

    fn ask(&self, authorization: &str, method: &str, path: &str, body: &str) -> Outcome<String> {
        let request = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            write!(
                stream,
                "{method} /sandbox/v1{path} HTTP/1.0\r\nHost: localhost:{}\r\nAuthorization: {authorization}\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                self.port,
                body.len()
            )?;
            let mut response = String::new();
            stream.read_to_string(&mut response)?;
            Ok(response)
        };
        let response = request().or_fail(|| format!("{method} {path} got no response"))?;
        match response.split_once("\r\n\r\n") {
            Some((head, body)) if head.split(' ').nth(1).is_some_and(|it| it.starts_with('2')) => {
                Ok(body.to_owned())
            }
            Some(_) | None => Err(Failure::new(format!("{method} {path} failed")).why(response)),
        }
    }

    /// Returns at least `count` ids of a list, or all of them if there are fewer.
    pub fn ids(&self, list: &str, count: u64) -> Outcome<Vec<String>> {
        let mut ids = Vec::new();
        let mut cursor = String::new();
        while (ids.len() as u64) < count {
            let page = self.get(&format!("{list}?size=150{cursor}"))?;
            let page: Value = serde_json::from_str(&page).or_fail(|| format!("{list} is not JSON"))?;
            let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            ids.extend(items.iter().filter_map(|item| item["id"].as_str()).map(str::to_owned));
            match page["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        if ids.is_empty() { Err(Failure::new(format!("{list} is empty"))) } else { Ok(ids) }
    }

    /// Returns the resident memory of the process in MB.
    pub fn memory(&self) -> Outcome<f64> {
        let status = files::read(Path::new(&format!("/proc/{}/status", self.running.child.id())))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = resident.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kilobytes
            .map(|it| it * 1_024.0 / 1e6)
            .ok_or_else(|| Failure::new("Could not read the memory of the process"))
    }
}

/// Returns the `Authorization` header for the sandbox key of a tenant, as the service writes or prints it.
fn authorization(keys: &str) -> Outcome<String> {
    let keys: Value = serde_json::from_str(keys).or_fail(|| "Could not read the first keys".into())?;
    let word = |name: &str| keys["sandbox"][name].as_str().unwrap_or_default().to_owned();
    Ok(format!("Basic {}", STANDARD.encode(format!("{}:{}", word("apiKey"), word("apiSecret")))))
}
