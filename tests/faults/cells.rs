//! Two cells: HAProxy in front of them with the configuration of packaging/haproxy-cells.cfg, and the split of a cell as
//! docs/how-to/cells.md describes it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::StoreSettings;
use link_store::test_support::{Backend, TestDatabase};
use link_test_support::{picture, wait};
use rstest::rstest;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::process::{Linchpin, lasting_port, text};

const SHARED_API: &str = "api.linchpin.example";
const SHARED_WIDGET: &str = "widget.linchpin.example";
/// The flags of each cell.
pub const FLAGS: &[&str] = &[
    "--api-url",
    "http://api.linchpin.example",
    "--allowed-hosts",
    "widget.linchpin.example,api.c1.linchpin.example,api.c2.linchpin.example",
];
/// `printf demo | sha256sum`, and the same of acme and lark.
const DEMO_CODE: &str = "2a97516c35";
const ACME_CODE: &str = "822b33ad87";
const LARK_CODE: &str = "c8916e65e4";

/// Runs a command that must succeed, and returns its output.
pub fn linchpin(service: &Linchpin, arguments: &[&str]) -> String {
    let output = command(service, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the command line of a command about the data folder of a service.
pub fn command(service: &Linchpin, arguments: &[&str]) -> Command {
    let mut line = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    line.args(arguments).arg("--data-dir").arg(service.data_dir());
    // Only commands without a running service need the database.
    if let (StoreSettings::Postgres { address, .. }, "backup" | "restore" | "import-tenant") =
        (service.database().settings(), arguments[0])
    {
        line.env("LINCHPIN_DATABASE_URL", address.expose_secret());
    }
    line
}

/// Creates a tenant, and returns the value of `Authorization` of its sandbox key, and its sandbox link template.
pub fn create_tenant(service: &Linchpin, id: &str, name: &str) -> (String, String) {
    let tenant = linchpin(service, &["tenant", "create", id, "--name", name, "--json"]);
    let tenant: Value = serde_json::from_str(&tenant).unwrap();
    let part = |at: &str| text(tenant.pointer(at).unwrap());
    assert_eq!(part("/sandbox/baseUrl"), format!("http://{SHARED_API}/sandbox/v1"));
    let pair = format!("{}:{}", part("/sandbox/apiKey"), part("/sandbox/apiSecret"));
    (format!("Basic {}", STANDARD.encode(pair)), part("/sandbox/linkTemplateId"))
}

/// Where a response is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    Cell,
    Proxy,
}

/// Returns the status of the response to a GET, and its sender. Only a cell writes an id of the request.
fn respond(address: &str, host: &str, path: &str, authorization: &str) -> (u16, Sender) {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: {authorization}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap).take_while(|it| !it.is_empty());
    let first = lines.next().unwrap_or_default();
    let status = first.split(' ').nth(1).and_then(|it| it.parse().ok());
    let has_id = lines.any(|it| it.to_ascii_lowercase().starts_with("x-request-id:"));
    let sender = if has_id { Sender::Cell } else { Sender::Proxy };
    (status.unwrap_or_else(|| panic!("no status: {first:?}")), sender)
}

/// Returns the status of the response to a GET.
fn status(address: &str, host: &str, path: &str, authorization: &str) -> u16 {
    respond(address, host, path, authorization).0
}

/// HAProxy in front of two cells. It ends when it is dropped.
struct Proxy {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Proxy {
    /// Starts the documented configuration with other addresses and without TLS.
    fn start(cells: [&str; 2], map: &str) -> Self {
        let program =
            find_haproxy().unwrap_or_else(|| panic!("HAProxy is not installed: run `cargo xtask test`"));
        let folder = tempfile::tempdir().unwrap();
        let map_path = folder.path().join("tenants.map");
        std::fs::write(&map_path, map).unwrap();
        let [address, plain] = [lasting_port(), lasting_port()].map(|port| format!("127.0.0.1:{port}"));
        let configuration = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/haproxy-cells.cfg");
        let mut configuration = std::fs::read_to_string(configuration).unwrap();
        for (documented, here) in [
            (":443 ssl crt /etc/haproxy/linchpin.pem alpn h2,http/1.1", address.as_str()),
            ("bind :80\n", &format!("bind {plain}\n")),
            ("/etc/haproxy/tenants.map", &map_path.display().to_string()),
            ("10.0.1.1:8787", cells[0]),
            ("10.0.2.1:8787", cells[1]),
            ("/dev/log", "127.0.0.1:9"),
        ] {
            assert!(configuration.contains(documented), "{documented}");
            configuration = configuration.replace(documented, here);
        }
        let file = folder.path().join("haproxy.cfg");
        std::fs::write(&file, configuration).unwrap();
        let checked = Command::new(&program).arg("-c").arg("-f").arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success() && !said.contains("[WARNING]"), "{said}");
        let child =
            Command::new(&program).arg("-db").arg("-f").arg(&file).stderr(Stdio::null()).spawn().unwrap();
        let proxy = Self { child, address, _folder: folder };
        wait::blocking::until("HAProxy accepts connections", || TcpStream::connect(&proxy.address).is_ok());
        proxy
    }

    fn status(&self, host: &str, path: &str, authorization: &str) -> u16 {
        status(&self.address, host, path, authorization)
    }

    fn respond(&self, host: &str, path: &str) -> (u16, Sender) {
        respond(&self.address, host, path, "")
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Debian installs HAProxy in a folder that is not on the path of every user.
fn find_haproxy() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders.map(|it| it.join("haproxy")).find(|it| it.is_file())
}

fn address_of(service: &Linchpin) -> String {
    service.client().address("").0
}

#[test]
fn proxy_sends_each_request_to_the_cell_of_its_tenant() {
    let (mut first, second) =
        (Linchpin::start_with(Backend::Sqlite, FLAGS), Linchpin::start_with(Backend::Sqlite, FLAGS));
    let (acme, template) = create_tenant(&second, "acme", "Acme");
    assert_eq!(linchpin(&first, &["cells", "map", "c1"]), format!("{DEMO_CODE} c1\n"));
    let of_second = linchpin(&second, &["cells", "map", "c2"]);
    assert_eq!(of_second, format!("{ACME_CODE} c2\n{DEMO_CODE} c2\n"));
    // Each first start creates the tenant demo. Here it is that of the first cell.
    let map = format!("{DEMO_CODE} c1\n{ACME_CODE} c2\n");
    let cells = [address_of(&first), address_of(&second)];
    let demo = first.client().authorization().to_owned();
    let proxy = Proxy::start([&cells[0], &cells[1]], &map);

    let users = "/sandbox/v1/users";
    assert_eq!(status(&cells[0], SHARED_API, users, &acme), 401, "the first cell does not know the key");
    assert_eq!(proxy.status(SHARED_API, users, &acme), 200);
    assert_eq!(proxy.status(SHARED_API, users, acme.trim_end_matches('=')), 200, "without padding");
    assert_eq!(proxy.status(SHARED_API, users, &demo), 200);
    assert_eq!(proxy.status(SHARED_API, users, second.client().authorization()), 401);
    assert_eq!(proxy.status("api.c2.linchpin.example", users, second.client().authorization()), 200);
    assert_eq!(proxy.status(SHARED_API, users, "Basic !"), 401);

    // Without the built widget, a template that exists gets 503.
    let frame = format!("/sdk/frame/p1/{template}");
    let found = status(&cells[1], SHARED_WIDGET, &frame, "");
    assert_ne!(found, 404);
    assert_eq!(status(&cells[0], SHARED_WIDGET, &frame, ""), 404);
    assert_eq!(proxy.respond(SHARED_WIDGET, &frame), (found, Sender::Cell));
    assert_eq!(proxy.respond(SHARED_WIDGET, &format!("{frame}0")), (404, Sender::Cell));
    let logo = add_logo(&second, &acme, &template);
    assert_eq!(status(&cells[0], SHARED_WIDGET, &logo, ""), 404);
    assert_eq!(proxy.respond(SHARED_WIDGET, &logo), (200, Sender::Cell));
    assert_eq!(proxy.status(SHARED_API, "/health/live", ""), 200);
    for path in ["/health/ready", "/device/token"] {
        assert_eq!(proxy.respond(SHARED_API, path), (404, Sender::Proxy), "{path}");
    }

    first.kill();
    let script = || proxy.respond(SHARED_WIDGET, "/sdk/v2/linchpin.v2.js").1;
    wait::blocking::until("the second cell serves the scripts", || script() == Sender::Cell);
    assert_eq!(proxy.status(SHARED_API, users, &acme), 200);
    assert_eq!(respond(&proxy.address, SHARED_API, users, &demo), (503, Sender::Proxy));
}

/// Gives a link template a logo. Returns the path of the logo.
fn add_logo(service: &Linchpin, authorization: &str, template: &str) -> String {
    let png = STANDARD.encode(picture::logo_png(60, 20, [31, 111, 235]));
    let theme = json!({"theme": {"logoLight": format!("data:image/png;base64,{png}")}});
    let path = format!("/linkTemplates/{template}");
    let (code, changed) = service.client_with(authorization.to_owned()).patch(&path, &theme).unwrap();
    assert_eq!(code, 200, "{changed}");
    let url = text(&changed["theme"]["logoLight"]);
    url[url.find("/sdk/logos/").unwrap()..].to_owned()
}

/// Waits until the data of a tenant are erased.
fn until_erased(service: &Linchpin, tenant: &str) {
    wait::blocking::until_ok("the tenant is erased", || {
        let tenants: Value = serde_json::from_str(&linchpin(service, &["tenant", "list", "--json"])).unwrap();
        let found = tenants.as_array().unwrap().iter().find(|it| it["id"] == tenant).unwrap();
        if found["state"] == "ERASED" { Ok(()) } else { Err(found.to_string()) }
    });
}

/// Copies a file or a folder.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        std::fs::copy(from, to).unwrap();
        return;
    }
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

#[rstest]
fn cell_is_split_with_a_backup(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (mut first, mut second) =
        (Linchpin::start_with(backend, FLAGS), Linchpin::start_with(backend, FLAGS));
    let cells = [address_of(&first), address_of(&second)];
    let demo = first.client();
    let (acme, _) = create_tenant(&first, "acme", "Acme");
    let (code, user) = demo.post("/users", &json!({})).unwrap();
    assert_eq!(code, 201, "{user}");
    let of_demo = format!("/sandbox/v1/users/{}", text(&user["id"]));

    create_tenant(&first, "lark", "Lark");
    // The operator suspended lark before, so it is not resumed.
    for tenant in ["lark", "acme", "demo"] {
        linchpin(&first, &["tenant", "suspend", tenant]);
    }
    assert!(first.terminate().success());
    assert!(second.terminate().success());
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("split.backup");
    let backup = backup.to_str().unwrap();
    linchpin(&first, &["backup", backup, "--portable"]);
    *second.database_mut() = TestDatabase::new(backend);
    std::fs::create_dir_all(second.data_dir()).unwrap();
    for entry in std::fs::read_dir(first.data_dir()).unwrap() {
        let name = entry.unwrap().file_name();
        if name == "keys" || name.to_string_lossy().starts_with("master") {
            copy(&first.data_dir().join(&name), &second.data_dir().join(&name));
        }
    }
    linchpin(&second, &["restore", backup]);
    first.restart();
    second.restart();
    assert_eq!(status(&cells[1], SHARED_API, "/sandbox/v1/users", &acme), 403, "nothing runs in both");
    linchpin(&second, &["tenant", "delete", "demo", "--name", "Demo Company", "--moved"]);
    linchpin(&second, &["tenant", "delete", "lark", "--name", "Lark", "--moved"]);
    linchpin(&first, &["tenant", "delete", "acme", "--name", "Acme", "--moved"]);
    linchpin(&second, &["tenant", "resume", "acme"]);
    linchpin(&first, &["tenant", "resume", "demo"]);

    let maps = linchpin(&first, &["cells", "map", "c1"]) + &linchpin(&second, &["cells", "map", "c2"]);
    assert_eq!(maps, format!("{DEMO_CODE} c1\n{LARK_CODE} c1\n{ACME_CODE} c2\n"));
    until_erased(&first, "acme");
    until_erased(&second, "demo");
    until_erased(&second, "lark");
    assert_eq!(status(&cells[0], SHARED_API, "/sandbox/v1/users", &acme), 401, "the key is erased too");
    let proxy = Proxy::start([&cells[0], &cells[1]], &maps);
    assert_eq!(proxy.status(SHARED_API, "/sandbox/v1/users", &acme), 200);
    assert_eq!(proxy.status(SHARED_API, &of_demo, demo.authorization()), 200);
}
