//! Widgets that wait: one session, one archive and one long poll each.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The longest wait that the service grants.
const MAX_WAIT: Duration = Duration::from_secs(25);
const ORIGIN: &str = "https://tenant.example";
/// The number of sessions that are created at the same time.
const AT_ONCE: usize = 32;

/// Opens `count` widgets that wait for a change of their archive, and prints `open` when all wait. Ends after a line on
/// the standard input, and prints how many polls returned early.
pub async fn wait(port: u16, authorization: &str, count: usize) {
    let tenant: Arc<str> = authorization.into();
    let template = template(&mut Connection::open(port).await, &tenant).await;
    let gate = Arc::new(Semaphore::new(AT_ONCE));
    let (opened, early) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut widgets = JoinSet::new();
    for _ in 0..count {
        let permit = Arc::clone(&gate).acquire_owned().await.unwrap();
        let (tenant, template) = (Arc::clone(&tenant), template.clone());
        let (opened, early) = (Arc::clone(&opened), Arc::clone(&early));
        widgets.spawn(async move {
            let mut connection = Connection::open(port).await;
            let (session, archive) = widget(&mut connection, &tenant, &template).await;
            drop(permit);
            let path = format!("/link/archives/{archive}?after=1000&wait={}", MAX_WAIT.as_millis());
            loop {
                let asked = Instant::now();
                connection.send("GET", &path, &session, None).await;
                opened.fetch_add(1, Ordering::Relaxed);
                let _state = connection.receive(200).await;
                if asked.elapsed() < MAX_WAIT {
                    early.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    while opened.load(Ordering::Relaxed) < count {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    println!("open");
    let line = tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new()));
    line.await.unwrap().unwrap();
    assert!(widgets.try_join_next().is_none(), "a widget failed");
    println!("early\t{}", early.load(Ordering::Relaxed));
}

/// Lets the page of the bench open the first link template, and returns its id.
async fn template(connection: &mut Connection, tenant: &str) -> String {
    let templates = connection.call("GET", "/linkTemplates", tenant, None, 200).await;
    let id = templates["items"][0]["id"].as_str().unwrap().to_owned();
    let origins = json!({"allowedOrigins": [ORIGIN]});
    connection.call("PATCH", &format!("/linkTemplates/{id}"), tenant, Some(&origins), 200).await;
    id
}

/// Opens a session and starts an upload, as the widget does. Returns the session's header and the archive's id.
async fn widget(connection: &mut Connection, tenant: &str, template: &str) -> (String, String) {
    let user = connection.call("POST", "/users", tenant, Some(&json!({})), 201).await;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).unwrap();
    let secret: String = bytes.iter().map(|it| char::from(b'A' + it % 26)).chain(['A'; 11]).collect();
    let exchange = json!({
        "token": user["token"]["accessToken"], "secret": secret, "templateId": template, "hostOrigin": ORIGIN,
    });
    let session = format!("Bearer {secret}");
    connection.call("POST", "/link/sessions", &session, Some(&exchange), 201).await;
    let state = connection.call("GET", "/link/session", &session, None, 200).await;
    let consent = json!({
        "consentTemplateId": state["template"]["consent"]["consentTemplateId"],
        "version": "1.0", "locale": "en", "givenBy": "PERSON", "syncInterval": "MONTHLY", "retention": "FROM_LAST_SYNC",
    });
    let upload = json!({"type": "PAYSLIP", "consent": consent});
    let archive = connection.call("POST", "/link/archives", &session, Some(&upload), 201).await;
    (session, archive["archiveId"].as_str().unwrap().to_owned())
}

/// An HTTP/1.1 connection. It is written out here because a client library needs more memory for each of 10,000.
struct Connection {
    port: u16,
    stream: BufReader<TcpStream>,
}

impl Connection {
    async fn open(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        Self { port, stream: BufReader::with_capacity(1_024, stream) }
    }

    async fn call(
        &mut self,
        method: &str,
        path: &str,
        authorization: &str,
        body: Option<&Value>,
        status: u16,
    ) -> Value {
        self.send(method, path, authorization, body).await;
        self.receive(status).await
    }

    async fn send(&mut self, method: &str, path: &str, authorization: &str, body: Option<&Value>) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} /sandbox/v1{path} HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: {authorization}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
    }

    async fn receive(&mut self, status: u16) -> Value {
        let (mut first, mut length) = (String::new(), 0);
        self.stream.read_line(&mut first).await.unwrap();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await.unwrap();
            match line.trim_end().to_ascii_lowercase().split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await.unwrap();
        assert!(first.contains(&format!(" {status} ")), "{first}{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap_or_default()
    }
}
