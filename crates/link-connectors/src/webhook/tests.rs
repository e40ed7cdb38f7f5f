//! Tests of the sender with fakes, which send no packet, and with a local receiver.

mod connections;
mod fetch;
mod tls;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::delivery::MAX_RESPONSE_BYTES;
use link_domain::notifications::webhook_sender::{AttemptOutcome, OutboundRequest, SendError, WebhookSender};
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::TcpListener;
use tokio_rustls::rustls::RootCertStore;

use super::*;

#[rstest]
#[case::literal("http://127.0.0.1/")]
#[case::short_literal("http://127.1/")]
#[case::decimal("http://2130706433/")]
#[case::octal("http://0177.0.0.1/")]
#[case::hexadecimal("http://0x7f.0.0.1/")]
#[case::unspecified("http://0.0.0.0/")]
#[case::metadata("http://169.254.169.254/latest/meta-data/")]
#[case::loopback_six("http://[::1]/")]
#[case::mapped("http://[::ffff:127.0.0.1]/")]
#[case::nat64("http://[64:ff9b::169.254.169.254]/")]
#[case::six_to_four("http://[2002:a9fe:a9fe::]/")]
#[case::full_width_digits("http://１２７.０.０.１/")]
#[case::localhost("http://localhost:9000/")]
#[case::below_localhost("http://hooks.localhost/")]
#[tokio::test]
async fn no_packet_is_sent_to_a_non_public_address(#[case] url: &str) {
    let connector = FakeConnector::refusing();
    let sender =
        HttpSender::with(AllowedNetworks::default(), RootCertStore::empty(), names(), connector.clone());
    assert_eq!(sender.send(&request(url, false)).await.result, Err(SendError::NetworkRefused));
    assert_eq!(sender.vet(url, false), Err(SendError::NetworkRefused));
    assert_eq!(connector.list_connected(), []);
}

#[rstest]
#[case::internal("https://inside.example/")]
#[case::one_internal_address_among_public_ones("https://mixed.example/")]
#[case::unknown("https://nowhere.example/")]
#[case::never_heard_of("https://absent.example/")]
#[tokio::test(start_paused = true)]
async fn internal_name_fails_like_a_nonexistent_name(#[case] url: &str) {
    let connector = FakeConnector::refusing();
    let sender =
        HttpSender::with(AllowedNetworks::default(), RootCertStore::empty(), names(), connector.clone());
    let outcome = sender.send(&request(url, false)).await;
    assert_eq!(outcome.result, Err(SendError::Unresolved));
    assert_eq!(outcome.took, Duration::from_millis(4_500), "the duration is the same");
    assert_eq!(sender.vet(url, false), Ok(()));
    assert_eq!(connector.list_connected(), []);
}

#[tokio::test]
async fn unresolvable_names_do_not_delay_others() {
    let resolver = Arc::new(DnsResolver::asking(name_server("good.example").await));
    let stuck: Vec<_> = (0..600)
        .map(|number| {
            let resolver = Arc::clone(&resolver);
            tokio::spawn(async move { resolver.resolve(&format!("stuck-{number}.example"), 80).await })
        })
        .collect();
    tokio::task::yield_now().await;
    let began = tokio::time::Instant::now();
    let found = resolver.resolve("good.example", 80).await.unwrap();
    assert_eq!(found, addresses(&["127.0.0.1:80"]));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(stuck.iter().all(|it| !it.is_finished()));
    for stuck in stuck {
        assert!(stuck.await.unwrap().is_err());
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// Starts a name server that knows one local name, and never responds for others.
async fn name_server(known: &'static str) -> SocketAddr {
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let labels: Vec<u8> = known
        .split('.')
        .flat_map(|label| std::iter::once(label.len() as u8).chain(label.bytes()))
        .chain([0])
        .collect();
    tokio::spawn(async move {
        let mut packet = [0; 512];
        while let Ok((length, asker)) = socket.recv_from(&mut packet).await {
            let end = 12 + labels.len() + 4;
            if length < end || !packet[12..].to_ascii_lowercase().starts_with(&labels) {
                continue;
            }
            let is_v4 = packet[end - 3] == 1;
            let mut response = packet[..2].to_vec();
            response.extend([0x81, 0x80, 0, 1, 0, u8::from(is_v4), 0, 0, 0, 0]);
            response.extend(&packet[12..end]);
            if is_v4 {
                response.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
            }
            socket.send_to(&response, asker).await.unwrap();
        }
    });
    address
}

#[rstest]
#[case::plain_http("http://public.example/", SendError::AddressRefused)]
#[case::another_scheme("file:///etc/passwd", SendError::AddressRefused)]
#[case::no_address("public.example", SendError::AddressRefused)]
#[case::unknown_name("https://nowhere.example/", SendError::Unresolved)]
#[tokio::test(start_paused = true)]
async fn production_requires_a_resolvable_https_url(#[case] url: &str, #[case] expected: SendError) {
    let connector = FakeConnector::refusing();
    let sender =
        HttpSender::with(AllowedNetworks::default(), RootCertStore::empty(), names(), connector.clone());
    assert_eq!(sender.send(&request(url, true)).await.result, Err(expected));
    assert_eq!(connector.list_connected(), []);
}

#[tokio::test]
async fn name_is_resolved_once_and_its_addresses_are_tried_in_order() {
    let connector = FakeConnector::refusing();
    let sender =
        HttpSender::with(AllowedNetworks::default(), RootCertStore::empty(), names(), connector.clone());
    let outcome = sender.send(&request("https://public.example/", true)).await;
    assert_eq!(outcome.result, Err(SendError::ConnectFailed));
    assert_eq!(connector.list_connected(), addresses(&["93.184.215.14:443", "[2606:2800::1]:443"]));
}

#[tokio::test(start_paused = true)]
async fn silent_receiver_times_out_after_15_seconds() {
    let (ours, _silent) = duplex(1 << 16);
    let outcome = send_over(FakeConnector::answering(ours)).await;
    assert_eq!(outcome.result, Err(SendError::TimedOut));
    assert_eq!(outcome.took.as_secs(), 15);
}

#[tokio::test(start_paused = true)]
async fn connecting_times_out_after_5_seconds() {
    let outcome = send_over(FakeConnector::hanging()).await;
    assert_eq!(outcome.result, Err(SendError::ConnectFailed));
    assert!(outcome.took <= Duration::from_secs(5));
}

#[tokio::test]
async fn exact_body_and_signature_header_are_sent() {
    let (url, received) = receiver("HTTP/1.1 204 No Content\r\n\r\n".into()).await;
    let outcome = local().send(&request(&format!("{url}/hook?x=1"), false)).await;
    assert!(outcome.is_accepted(), "{outcome:?}");
    let received = received.await.unwrap();
    let text = String::from_utf8(received).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, "{\"id\":\"et-1\",  \"version\":1}");
    assert!(head.starts_with("POST /hook?x=1 HTTP/1.1\r\n"), "{head}");
    let host = url.trim_start_matches("http://");
    for line in ["service-signature: abc", "content-type: application/json", &format!("host: {host}")] {
        assert!(head.to_lowercase().lines().any(|it| it == line), "{line} is not in {head}");
    }
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let response =
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
    let (url, _received) = receiver(response.into()).await;
    let outcome = local().send(&request(&url, false)).await;
    assert_eq!(outcome.result.as_ref().map(|response| response.status), Ok(307));
    assert!(!outcome.is_accepted());
}

#[rstest]
#[case::long("HTTP/1.1 500 Oops\r\ncontent-length: 40000\r\n\r\n", 40_000)]
#[case::without_a_length("HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n", 30_000)]
#[tokio::test]
async fn long_response_is_cut_at_16_kilobytes(#[case] head: &str, #[case] length: usize) {
    let (url, _received) = receiver([head.as_bytes(), &vec![b'x'; length]].concat()).await;
    let response = local().send(&request(&url, false)).await.result.unwrap();
    assert_eq!((response.status, response.body.len()), (500, MAX_RESPONSE_BYTES));
}

#[tokio::test]
async fn interrupted_body_keeps_the_status() {
    let (url, _received) = receiver("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc".into()).await;
    let outcome = local().send(&request(&url, false)).await;
    assert!(outcome.is_accepted(), "{outcome:?}");
    assert_eq!(outcome.result.unwrap().body, "abc");
}

#[tokio::test]
async fn interrupted_head_is_a_broken_connection() {
    let (url, _received) = receiver("HTTP/1.1 200 OK\r\ncontent-le".into()).await;
    assert_eq!(local().send(&request(&url, false)).await.result, Err(SendError::Broken));
}

#[tokio::test(start_paused = true)]
async fn endless_body_is_cut_after_15_seconds() {
    let (ours, mut theirs) = duplex(1 << 16);
    let receiver = tokio::spawn(async move {
        let (mut request, mut buffer) = (Vec::new(), vec![0; 4_096]);
        while !request.ends_with(b"}") {
            let read = theirs.read(&mut buffer).await.unwrap();
            request.extend_from_slice(&buffer[..read]);
        }
        theirs.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc").await.unwrap();
        // The receiver hangs until the sender closes the connection.
        drop(theirs.read(&mut buffer).await);
    });
    let outcome = send_over(FakeConnector::answering(ours)).await;
    receiver.await.unwrap();
    assert!(outcome.is_accepted(), "{outcome:?}");
    assert_eq!((outcome.took.as_secs(), outcome.result.unwrap().body.as_str()), (15, "abc"));
}

#[tokio::test]
async fn closed_port_is_a_failed_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    assert_eq!(local().send(&request(&url, false)).await.result, Err(SendError::ConnectFailed));
}

fn request(url: &str, https_only: bool) -> OutboundRequest {
    OutboundRequest {
        url: url.to_owned(),
        https_only,
        headers: vec![("Service-Signature", "abc".to_owned())],
        body: b"{\"id\":\"et-1\",  \"version\":1}".to_vec(),
    }
}

async fn send_over(connector: FakeConnector) -> AttemptOutcome {
    let allowed = AllowedNetworks::parse(["public.example"]).unwrap();
    let sender = HttpSender::with(allowed, RootCertStore::empty(), names(), connector);
    sender.send(&request("http://public.example/", false)).await
}

fn loopback() -> AllowedNetworks {
    AllowedNetworks::parse(["127.0.0.0/8"]).unwrap()
}

fn local() -> HttpSender {
    HttpSender::with(loopback(), RootCertStore::empty(), DnsResolver::default(), TcpConnector)
}

/// Starts a receiver that accepts one request and sends this response, byte for byte.
async fn receiver(response: Vec<u8>) -> (String, tokio::task::JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let received = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut buffer = vec![0; 4_096];
        let mut request = Vec::new();
        while !request.ends_with(b"}") {
            let read = stream.read(&mut buffer).await.unwrap();
            request.extend_from_slice(&buffer[..read]);
        }
        // The sender may close the connection when it has read enough.
        let _cut_off = stream.write_all(&response).await;
        request
    });
    (url, received)
}

/// Knows the names of the tests. Port 0 is replaced by the requested port.
struct FakeResolver(Vec<(&'static str, Vec<&'static str>)>);

fn names() -> FakeResolver {
    FakeResolver(vec![
        ("inside.example", vec!["10.0.0.7:0"]),
        ("localhost", vec!["127.0.0.1:0"]),
        ("hooks.localhost", vec!["127.0.0.1:0"]),
        ("mixed.example", vec!["93.184.215.14:0", "192.168.1.1:0"]),
        ("public.example", vec!["93.184.215.14:0", "[2606:2800::1]:0"]),
        ("nowhere.example", vec![]),
    ])
}

fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

impl Resolve for FakeResolver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        let found = self.0.iter().find(|(name, _)| *name == host).map(|(_, known)| addresses(known));
        let with_port = |mut address: SocketAddr| {
            address.set_port(port);
            address
        };
        let response = found.map(|known| known.into_iter().map(with_port).collect());
        Box::pin(std::future::ready(response.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))))
    }
}

/// Records the requested connections, and never connects.
#[derive(Clone)]
struct FakeConnector {
    asked: Arc<Mutex<Vec<SocketAddr>>>,
    stream: Arc<Mutex<Option<DuplexStream>>>,
    hangs: bool,
}

impl FakeConnector {
    fn refusing() -> Self {
        Self { asked: Arc::default(), stream: Arc::default(), hangs: false }
    }

    fn hanging() -> Self {
        Self { hangs: true, ..Self::refusing() }
    }

    fn answering(stream: DuplexStream) -> Self {
        Self { stream: Arc::new(Mutex::new(Some(stream))), ..Self::refusing() }
    }

    fn list_connected(&self) -> Vec<SocketAddr> {
        self.asked.lock().unwrap().clone()
    }
}

impl Connect for FakeConnector {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        self.asked.lock().unwrap().push(address);
        let stream = self.stream.lock().unwrap().take();
        Box::pin(async move {
            if self.hangs {
                std::future::pending::<()>().await;
            }
            match stream {
                Some(stream) => Ok(Box::new(stream) as Box<dyn Stream>),
                None => Err(io::ErrorKind::ConnectionRefused.into()),
            }
        })
    }
}
