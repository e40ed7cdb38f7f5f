//! A connector that sends prepared responses, one per connection, and records the requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use link_types::Sensitive;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;

use super::super::signature::{SignedResponse, SigningKey};
use super::SECRET;

/// A received request.
#[derive(Clone, Debug)]
pub(super) struct ReceivedRequest {
    pub(super) line: String,
    pub(super) headers: String,
    pub(super) body: Vec<u8>,
}

impl ReceivedRequest {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, it)| it)
    }
}

/// A prepared response.
#[derive(Clone)]
pub(super) struct StubResponse {
    pub(super) status: u16,
    pub(super) headers: &'static str,
    pub(super) body: String,
    /// The nonce to sign with. If `None`, the request's nonce.
    pub(super) nonce: Option<String>,
    pub(super) secret: &'static str,
}

impl StubResponse {
    pub(super) fn ok(body: impl Into<String>) -> Self {
        Self { status: 200, headers: "", body: body.into(), nonce: None, secret: SECRET }
    }

    pub(super) fn status(status: u16) -> Self {
        Self { status, ..Self::ok("a proxy's page") }
    }
}

pub(super) struct Stub {
    pub(super) url: String,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Stub {
    /// Starts the stub. A connection without a prepared response is closed immediately.
    pub(super) async fn start(answers: impl IntoIterator<Item = StubResponse>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, mut answers) = (Arc::clone(&asked), answers.into_iter().collect::<VecDeque<_>>());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                serve(stream, answers.pop_front(), &kept).await;
            }
        });
        Self { url, asked }
    }

    /// Accepts requests without responding, and reports each.
    pub(super) async fn hanging() -> (Self, mpsc::UnboundedReceiver<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, receiver) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                receive(&mut stream).await;
                sender.send(()).unwrap();
                open.push(stream);
            }
        });
        (Self { url, asked: Arc::default() }, receiver)
    }

    /// Starts the stub over TLS, with the host name `localhost`.
    pub(super) async fn start_tls(
        acceptor: TlsAcceptor,
        answers: impl IntoIterator<Item = StubResponse>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, mut answers) = (Arc::clone(&asked), answers.into_iter().collect::<VecDeque<_>>());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if let Ok(stream) = acceptor.accept(stream).await {
                    serve(stream, answers.pop_front(), &kept).await;
                }
            }
        });
        Self { url, asked }
    }

    pub(super) fn requests(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: Option<StubResponse>,
    kept: &Mutex<Vec<ReceivedRequest>>,
) {
    let asked = receive(&mut stream).await;
    let nonce = asked.header("linchpin-nonce").unwrap().to_owned();
    kept.lock().unwrap().push(asked);
    let Some(StubResponse { status, headers, body, nonce: other, secret }) = answer else { return };
    let nonce = other.unwrap_or(nonce);
    let signed = SignedResponse { nonce: &nonce, status, body: body.as_bytes() };
    let signature = SigningKey::new(Sensitive::new(secret)).sign_response(signed);
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} -\r\ncontent-length: {length}\r\nconnection: close\r\nlinchpin-signature: {signature}\r\n{headers}\r\n"
    );
    // A client that rejects the response may close the connection early.
    stream.write_all(format!("{head}{body}").as_bytes()).await.ok();
    stream.shutdown().await.ok();
}

async fn receive(stream: &mut (impl AsyncRead + Unpin)) -> ReceivedRequest {
    let mut bytes = Vec::new();
    loop {
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "the request ended early");
        let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { continue };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let (line, headers) = head.split_once("\r\n").unwrap();
        let mut asked =
            ReceivedRequest { line: line.to_owned(), headers: headers.to_owned(), body: Vec::new() };
        let length: usize = asked.header("content-length").map_or(0, |it| it.parse().unwrap());
        while bytes.len() < end + 4 + length {
            stream.read_buf(&mut bytes).await.unwrap();
        }
        asked.body = bytes[end + 4..].to_vec();
        return asked;
    }
}
