//! A receiver that answers 200 after a time. It parses no more of HTTP than it needs, so that it costs little.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A running receiver.
#[derive(Clone)]
pub struct Sink {
    pub port: u16,
    state: Arc<State>,
}

struct State {
    delay: Duration,
    received: Mutex<Received>,
    changed: Notify,
}

/// Received deliveries.
#[derive(Default)]
pub struct Received {
    /// The number of requests for each path and event.
    pub deliveries: HashMap<(String, String), u32>,
    /// When the first and the last request arrived.
    pub span: Option<(Instant, Instant)>,
    /// When each body arrived first, if the paths begin with `/timed`.
    pub bodies: Vec<(Instant, Vec<u8>)>,
}

impl Sink {
    /// Starts a receiver on a free port.
    pub async fn start(delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State { delay, received: Mutex::default(), changed: Notify::new() });
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).unwrap();
                let state = Arc::clone(&shared);
                // The sender may close a connection at any time.
                tokio::spawn(async move { drop(serve(stream, &state).await) });
            }
        });
        Self { port, state }
    }

    /// Waits until this number of different deliveries arrived. Returns the seconds from the first to the last.
    pub async fn until(&self, count: usize) -> f64 {
        loop {
            let changed = self.state.changed.notified();
            let span = self.read(|received| received.span.filter(|_| received.deliveries.len() >= count));
            if let Some((first, last)) = span {
                return (last - first).as_secs_f64();
            }
            drop(tokio::time::timeout(Duration::from_millis(50), changed).await);
        }
    }

    /// Reads what arrived.
    pub fn read<T>(&self, read: impl FnOnce(&mut Received) -> T) -> T {
        read(&mut self.state.received.lock().unwrap())
    }
}

async fn serve(mut stream: TcpStream, state: &State) -> std::io::Result<()> {
    let mut buffer = Vec::with_capacity(8_192);
    loop {
        let (head, length) = loop {
            if let Some(end) = buffer.windows(4).position(|it| it == b"\r\n\r\n") {
                let head = std::str::from_utf8(&buffer[..end]).unwrap_or_default();
                let length = field(head, "content-length:").and_then(|it| it.parse().ok()).unwrap_or(0);
                break (end + 4, length);
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        while buffer.len() < head + length {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        note(state, &buffer[..head], &buffer[head..head + length]);
        buffer.drain(..head + length);
        if !state.delay.is_zero() {
            tokio::time::sleep(state.delay).await;
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await?;
    }
}

fn note(state: &State, head: &[u8], body: &[u8]) {
    let head = std::str::from_utf8(head).unwrap_or_default();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let event = field(head, "webhook-id:").unwrap_or_default().to_owned();
    let now = Instant::now();
    let mut received = state.received.lock().unwrap();
    if path.starts_with("/timed") {
        received.bodies.push((now, body.to_vec()));
    }
    *received.deliveries.entry((path, event)).or_default() += 1;
    let (first, _) = received.span.unwrap_or((now, now));
    received.span = Some((first, now));
}

fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = head.lines();
    let line = lines.find(|it| it.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name)))?;
    line.get(name.len()..).map(str::trim)
}
