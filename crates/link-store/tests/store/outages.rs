//! PostgreSQL fails while the store is open: it is silent, read-only, stopped, or cancels statements. Each request gets an
//! error that says "come back later", and the store recovers by itself.

use std::time::{Duration, Instant};

use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError};
use link_test_support::relay::Relay;
use link_test_support::wait;

/// A database behind a relay, and an open store.
async fn open_behind_relay() -> (TestDatabase, Relay, Store) {
    let mut database = TestDatabase::new(Backend::Postgres);
    let (socket, name) = database.socket();
    let relay = Relay::start(&socket);
    database.set_address(format!(
        "host=127.0.0.1 port={} user=linchpin dbname={name} sslmode=disable",
        relay.port()
    ));
    let store = database.open().await;
    connect_all(&store).await;
    (database, relay, store)
}

async fn connect_all(store: &Store) {
    wait::until("all connections are open", async || {
        store.pool_health().is_some_and(|it| it.failing == 0 && it.fault.is_none())
    })
    .await;
}

async fn write(store: &Store) -> Result<(), StoreError> {
    store.write(|tx| tx.probe(0)).await
}

async fn read(store: &Store) -> Result<(), StoreError> {
    store.read(|reader| reader.ping()).await
}

async fn recover(store: &Store) {
    wait::until("the store reads and writes again", async || {
        write(store).await.is_ok() && read(store).await.is_ok()
    })
    .await;
    connect_all(store).await;
    // Every connection of the pool, not one of them.
    for _ in 0..40 {
        write(store).await.unwrap();
        read(store).await.unwrap();
    }
}

/// Sets a parameter of the whole server, as an administrator does.
fn set(database: &TestDatabase, parameter: &str) {
    database.administer(&format!("ALTER SYSTEM {parameter}"));
    database.administer("SELECT pg_reload_conf()");
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_are_given_up_and_replaced() {
    let (_database, relay, store) = open_behind_relay().await;
    relay.silence_open();
    let start = Instant::now();
    let (written, was_read) = tokio::join!(write(&store), read(&store));
    for error in [written.unwrap_err(), was_read.unwrap_err()] {
        assert!(error.passes(), "{error}");
    }
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    // One loss is enough: the other connections are not tried one after the other.
    recover(&store).await;
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_server_does_not_keep_the_store_open() {
    let (_database, relay, store) = open_behind_relay().await;
    relay.silence_new(true);
    relay.silence_open();
    let mut waiting = Box::pin(write(&store));
    let mut idle = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(waiting.as_mut().poll(&mut idle).is_pending());
    let start = Instant::now();
    store.close_within(Duration::from_secs(1)).await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_silent_connections_count_as_failing() {
    let (_database, relay, store) = open_behind_relay().await;
    relay.silence_new(true);
    relay.silence_open();
    for _ in 0..4 {
        let (writer, reader) = (store.clone(), store.clone());
        drop(tokio::spawn(async move { write(&writer).await }));
        drop(tokio::spawn(async move { read(&reader).await }));
    }
    wait::until("most connections fail", async || !store.pool_health().unwrap().is_good()).await;
    relay.silence_new(false);
    recover(&store).await;
    assert!(store.pool_health().unwrap().is_good());
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_server_is_left_for_the_new_primary() {
    let (database, relay, store) = open_behind_relay().await;
    set(&database, "SET default_transaction_read_only = on");
    wait::until("the server refuses writes", async || write(&store).await.is_err()).await;
    let opened = relay.count_opened();
    for _ in 0..30 {
        let error = write(&store).await.unwrap_err();
        assert!(error.passes(), "{error}");
    }
    wait::until("the store looks for the primary", async || relay.count_opened() > opened).await;
    // Reads from the old primary would be stale.
    wait::until("nothing is read from the old primary", async || {
        read(&store).await.is_err_and(|it| it.passes())
    })
    .await;
    wait::until("most connections fail", async || store.pool_health().is_some_and(|it| !it.is_good())).await;
    set(&database, "RESET default_transaction_read_only");
    recover(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn second_host_is_used_if_the_first_is_away() {
    let mut database = TestDatabase::new(Backend::Postgres);
    let (socket, name) = database.socket();
    let (away, primary) = (Relay::start(&socket.with_file_name("no-server")), Relay::start(&socket));
    let ports = format!("{},{}", away.port(), primary.port());
    database.set_address(format!(
        "host=127.0.0.1,127.0.0.1 port={ports} user=linchpin dbname={name} sslmode=disable"
    ));
    let store = database.open().await;
    write(&store).await.unwrap();
    assert!(away.count_opened() > 0 && primary.count_opened() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_host_does_not_hide_the_primary_behind_it() {
    let mut database = TestDatabase::new(Backend::Postgres);
    let (socket, name) = database.socket();
    let (silent, primary) = (Relay::start(&socket), Relay::start(&socket));
    silent.silence_new(true);
    let ports = format!("{},{}", silent.port(), primary.port());
    database.set_address(format!(
        "host=127.0.0.1,127.0.0.1 port={ports} user=linchpin dbname={name} sslmode=disable"
    ));
    let start = Instant::now();
    let store = database.open().await;
    write(&store).await.unwrap();
    connect_all(&store).await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(silent.count_opened() > 0 && primary.count_opened() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_login_does_not_hold_up_the_next_attempt() {
    let (_database, relay, store) = open_behind_relay().await;
    relay.silence_new(true);
    relay.silence_open();
    drop(tokio::join!(write(&store), read(&store)));
    // The attempt that meets silence goes on for 5 seconds.
    let before = relay.count_opened();
    wait::until("another attempt meets silence", async || relay.count_opened() > before).await;
    let start = Instant::now();
    relay.silence_new(false);
    wait::until("the store writes again", async || write(&store).await.is_ok()).await;
    assert!(start.elapsed() < Duration::from_millis(4_500), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_begin_does_not_poison_its_connection() {
    let (database, _relay, store) = open_behind_relay().await;
    set(&database, "SET statement_timeout = 1");
    let mut cancelled = 0;
    let end = Instant::now() + Duration::from_secs(60);
    while cancelled < 20 && Instant::now() < end {
        let wave: Vec<_> = (0..16)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move {
                    store
                        .write(|tx| {
                            tx.probe(1 << 20)?;
                            tx.probe(1 << 20)
                        })
                        .await
                })
            })
            .collect();
        for unit in wave {
            if let Err(error) = unit.await.unwrap() {
                assert!(error.passes(), "{error}");
                cancelled += 1;
            }
        }
    }
    assert!(cancelled >= 20, "the server cancelled only {cancelled} units");
    set(&database, "RESET statement_timeout");
    recover(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commit_without_its_standby_is_not_acknowledged() {
    let (database, _relay, store) = open_behind_relay().await;
    set(&database, "SET synchronous_standby_names = 'away'");
    // The server reports a commit as a success if its wait for the standby is cancelled.
    let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    let refusal = wait::until_some("a commit is refused", async || {
        let writer = store.clone();
        let written = tokio::spawn(async move { write(&writer).await });
        wait::until("the commit ends", async || {
            database.administer(cancel);
            written.is_finished()
        })
        .await;
        written.await.unwrap().err()
    })
    .await;
    assert!(matches!(refusal, StoreError::Unconfirmed) && refusal.passes(), "{refusal}");
    set(&database, "RESET synchronous_standby_names");
    recover(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn overdue_commit_waits_for_its_standby_unseen() {
    let (database, _relay, store) = open_behind_relay().await;
    set(&database, "SET synchronous_standby_names = 'away'");
    // The server's processes read the setting a little later.
    let refusal = wait::until_some("a commit waits", async || write(&store).await.err()).await;
    assert!(matches!(refusal, StoreError::Overdue) && refusal.passes(), "{refusal}");
    // Cancelling it would show others what a failover can undo.
    let is_waiting =
        "DO $$ BEGIN ASSERT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'); END $$";
    database.administer(is_waiting);
    read(&store).await.unwrap();
    set(&database, "RESET synchronous_standby_names");
    recover(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn terminated_connections_are_replaced() {
    let (database, _relay, store) = open_behind_relay().await;
    database.administer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
    for _ in 0..3 {
        if let Err(error) = write(&store).await {
            assert!(error.passes(), "{error}");
        }
    }
    recover(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn store_serves_with_the_few_connections_that_the_server_allows() {
    let mut database = TestDatabase::new(Backend::Postgres);
    let (socket, name) = database.socket();
    // The limit does not apply to superusers.
    let role = format!("few_{name}");
    database.administer(&format!("CREATE ROLE {role} LOGIN CONNECTION LIMIT 6"));
    database.administer(&format!("ALTER DATABASE {name} OWNER TO {role}"));
    let folder = socket.parent().unwrap().display();
    database.set_address(format!("host={folder} user={role} dbname={name}"));
    let store = database.open().await;
    let fault = wait::until_some("the server refuses the last connections", async || {
        let health = store.pool_health()?;
        // Until 6 are open, a further one may clear the fault.
        if health.connections - health.failing == 6 { health.fault } else { None }
    })
    .await;
    assert!(fault.contains("too many connections") && fault.contains("max_connections"), "{fault}");
    for _ in 0..20 {
        write(&store).await.unwrap();
        read(&store).await.unwrap();
    }
    let health = store.pool_health().unwrap();
    assert!((1..health.connections).contains(&health.failing), "{}", health.failing);
    database.administer(&format!("ALTER ROLE {role} CONNECTION LIMIT -1"));
    recover(&store).await;
}
