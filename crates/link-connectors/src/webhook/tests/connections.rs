//! Tests of connections that are used for several attempts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use link_domain::notifications::delivery::MAX_RESPONSE_BYTES;
use link_domain::notifications::webhook_sender::{SendError, WebhookSender};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{local, receiver, request};

/// Starts a receiver that answers every request, and closes each connection after `per_connection` requests without
/// saying so. Returns its URL and the number of connections so far.
async fn lasting_receiver(per_connection: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let opened = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            opened.fetch_add(1, Ordering::Relaxed);
            tokio::spawn(async move {
                let mut buffer = vec![0; 4_096];
                for _ in 0..per_connection {
                    let mut request = Vec::new();
                    while !request.ends_with(b"}") {
                        match stream.read(&mut buffer).await {
                            Ok(read @ 1..) => request.extend_from_slice(&buffer[..read]),
                            Ok(0) | Err(_) => return,
                        }
                    }
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
                    stream.write_all(answer).await.unwrap();
                }
            });
        }
    });
    (url, connections)
}

#[tokio::test]
async fn connection_is_used_for_the_next_attempt() {
    let (url, connections) = lasting_receiver(usize::MAX).await;
    let sender = local();
    for _ in 0..5 {
        assert!(sender.send(&request(&url, false)).await.is_accepted());
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn connection_that_the_receiver_closed_is_replaced() {
    let (url, connections) = lasting_receiver(2).await;
    let sender = local();
    for _ in 0..6 {
        let outcome = sender.send(&request(&url, false)).await;
        assert!(outcome.is_accepted(), "{outcome:?}");
    }
    assert_eq!(connections.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn connection_with_an_unread_body_is_closed() {
    let long = ["HTTP/1.1 500 Oops\r\ncontent-length: 40000\r\n\r\n".as_bytes(), &[b'x'; 40_000]].concat();
    let (url, _received) = receiver(long).await;
    let sender = local();
    assert_eq!(sender.send(&request(&url, false)).await.result.unwrap().body.len(), MAX_RESPONSE_BYTES);
    let second = sender.send(&request(&url, false)).await;
    assert_eq!(second.result, Err(SendError::ConnectFailed), "the receiver accepts one connection");
}

#[tokio::test(start_paused = true)]
async fn waiting_connection_is_closed_after_some_seconds() {
    let (url, connections) = lasting_receiver(usize::MAX).await;
    let sender = local();
    assert!(sender.send(&request(&url, false)).await.is_accepted());
    tokio::time::sleep(Duration::from_secs(7)).await;
    assert!(sender.send(&request(&url, false)).await.is_accepted());
    assert_eq!(connections.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn simultaneous_attempts_have_their_own_connections() {
    let (url, connections) = lasting_receiver(usize::MAX).await;
    let sender = Arc::new(local());
    for _ in 0..3 {
        let sent = (0..8).map(|_| {
            let (sender, url) = (Arc::clone(&sender), url.clone());
            tokio::spawn(async move { sender.send(&request(&url, false)).await.is_accepted() })
        });
        for sent in sent.collect::<Vec<_>>() {
            assert!(sent.await.unwrap());
        }
    }
    assert!(connections.load(Ordering::Relaxed) <= 8);
}
