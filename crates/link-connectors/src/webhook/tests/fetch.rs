//! Tests of requests to the OpenID providers of tenants.

use link_domain::console::single_sign_on::port::{
    FETCH_TIMEOUT, FetchError, FetchRequest, FetchedResponse, MAX_FETCHED, ProviderClient as _,
};
use link_domain::notifications::webhook_sender::SendError;
use link_types::Sensitive;
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

fn get(url: &str) -> FetchRequest {
    FetchRequest { url: url.to_owned(), headers: Vec::new(), body: None }
}

/// Starts a server that sends these bytes, and closes the connection or not. Returns its URL and the request.
async fn serve(sent: Vec<u8>, closes: bool) -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/token", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 4_096];
        let read = stream.read(&mut request).await.unwrap();
        // The client may close the connection before it has read everything.
        drop(stream.write_all(&sent).await);
        if !closes {
            tokio::time::sleep(FETCH_TIMEOUT * 2).await;
        }
        String::from_utf8(request[..read].to_vec()).unwrap()
    });
    (url, served)
}

async fn fetch(request: &FetchRequest) -> Result<FetchedResponse, FetchError> {
    local().fetch(request).await
}

#[tokio::test]
async fn form_is_posted_and_the_whole_response_is_read() {
    let body = "x".repeat(100_000);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let (url, served) = serve(format!("{head}{body}").into_bytes(), true).await;
    let request = FetchRequest {
        headers: vec![("authorization".to_owned(), Sensitive::new("Basic abc"))],
        body: Some(Sensitive::new("code=1&grant_type=authorization_code")),
        ..get(&url)
    };
    let fetched = fetch(&request).await.unwrap();
    assert_eq!((fetched.status, fetched.content_type.as_deref()), (200, Some("application/json")));
    assert_eq!(fetched.body, body.as_bytes());
    let sent = served.await.unwrap();
    assert!(
        sent.starts_with("POST /token HTTP/1.1\r\n") && sent.contains("authorization: Basic abc\r\n"),
        "{sent}"
    );
    assert!(sent.ends_with("\r\n\r\ncode=1&grant_type=authorization_code"), "{sent}");
    assert!(!format!("{request:?}{fetched:?}").contains("abc"), "tokens are not printed");
}

#[tokio::test]
async fn response_without_a_length_ends_with_its_connection() {
    let (url, _served) = serve(b"HTTP/1.1 404 Not Found\r\n\r\nno".to_vec(), true).await;
    let fetched = fetch(&get(&url)).await.unwrap();
    assert_eq!((fetched.status, fetched.body.as_slice()), (404, b"no".as_slice()));
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let (url, _served) = serve(
        b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n".to_vec(),
        true,
    )
    .await;
    assert_eq!(fetch(&get(&url)).await.unwrap().status, 302);
}

#[rstest]
#[case::announced(format!("content-length: {}\r\n\r\n", MAX_FETCHED + 1))]
#[case::endless("\r\n".to_owned())]
#[tokio::test]
async fn large_response_is_not_read_to_its_end(#[case] head: String) {
    let mut sent = format!("HTTP/1.1 200 OK\r\n{head}").into_bytes();
    sent.resize(sent.len() + MAX_FETCHED + 1, b'x');
    let (url, _served) = serve(sent, false).await;
    assert_eq!(fetch(&get(&url)).await, Err(FetchError::TooLarge));
}

#[rstest]
#[case::without_a_head(b"".as_slice())]
#[case::within_the_body(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx".as_slice())]
#[tokio::test(start_paused = true)]
async fn response_that_never_ends_is_given_up(#[case] sent: &[u8]) {
    let (url, _served) = serve(sent.to_vec(), false).await;
    assert_eq!(fetch(&get(&url)).await, Err(FetchError::TimedOut));
}

#[rstest]
#[case::interrupted(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx".as_slice())]
#[case::another_protocol(b"SSH-2.0-OpenSSH_9.2\r\n".as_slice())]
#[tokio::test]
async fn broken_response_is_an_error(#[case] sent: &[u8]) {
    let (url, _served) = serve(sent.to_vec(), true).await;
    assert_eq!(fetch(&get(&url)).await, Err(FetchError::Send(SendError::Broken)));
}

#[rstest]
#[case("https://127.0.0.1/", SendError::NetworkRefused)]
#[case("https://169.254.169.254/", SendError::NetworkRefused)]
#[case("https://inside.example/", SendError::Unresolved)]
#[case("https://mixed.example/", SendError::Unresolved)]
#[case("http://public.example/", SendError::PlainRefused)]
#[case("ftp://public.example/", SendError::AddressRefused)]
#[tokio::test(start_paused = true)]
async fn provider_in_an_internal_network_gets_no_packet(#[case] url: &str, #[case] expected: SendError) {
    let connector = FakeConnector::refusing();
    let client =
        HttpSender::with(AllowedNetworks::default(), RootCertStore::empty(), names(), connector.clone());
    assert_eq!(client.fetch(&get(url)).await, Err(FetchError::Send(expected)));
    assert_eq!(connector.list_connected(), []);
}

#[tokio::test]
async fn header_with_a_line_break_is_not_sent() {
    let (url, _served) = serve(Vec::new(), true).await;
    let headers = vec![("authorization".to_owned(), Sensitive::new("Basic a\r\nhost: b"))];
    let refused = fetch(&FetchRequest { headers, ..get(&url) }).await;
    assert_eq!(refused, Err(FetchError::Send(SendError::AddressRefused)));
}

/// Starts a name server that answers every question for TXT records with two strings of one record.
async fn texts_server() -> std::net::SocketAddr {
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move {
        let mut packet = [0; 512];
        while let Ok((_, asker)) = socket.recv_from(&mut packet).await {
            let end = 12 + packet[12..].iter().position(|it| *it == 0).unwrap() + 5;
            let is_txt = packet[end - 3] == 16;
            let mut response = packet[..2].to_vec();
            response.extend([0x81, 0x80, 0, 1, 0, u8::from(is_txt), 0, 0, 0, 0]);
            response.extend(&packet[12..end]);
            if is_txt {
                response.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 12]);
                response.extend(b"\x06proof=\x04abcd");
            }
            socket.send_to(&response, asker).await.unwrap();
        }
    });
    address
}

#[tokio::test]
async fn strings_of_a_record_are_one_text() {
    let resolver = DnsResolver::asking(texts_server().await);
    assert_eq!(resolver.find_texts("_proof.shop.example").await.unwrap(), ["proof=abcd"]);
}
