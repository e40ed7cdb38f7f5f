//! A wave of continuous syncs on two nodes, one of which is killed.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::change::job::{Job, JobKind};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now, TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::{Account, AccountState, Connection, MonitorState};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError};
use link_test_support::wait;
use link_types::id::{AccountId, JobId};
use link_types::template::SyncInterval;
use link_types::{Mode, Timestamp};

use crate::counting_connector::{CountingConnector, PROVIDER, Readings};
use crate::process::{Linchpin, text};
use crate::resume::link_account;

/// The number of accounts per round: 10,000 in a full run. `LINCHPIN_FAULT_ACCOUNTS` sets another number in all.
const ACCOUNTS: u32 = 400;
/// How many accounts of one provider may be read at the same time on all nodes.
const SHARE: usize = 16;
/// The number of accounts in one unit.
const UNIT: u32 = 50;

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_sync_each_account_once_over_a_kill() {
    let number = |name: &str| std::env::var(name).ok().map(|it| it.parse::<u32>().unwrap());
    let rounds = number("LINCHPIN_FAULT_ROUNDS").unwrap_or(1);
    let count = number("LINCHPIN_FAULT_ACCOUNTS").unwrap_or(ACCOUNTS * rounds);
    let connector = CountingConnector::start().await;
    let mut service = Linchpin::start_with(Backend::Postgres, &["--connector", &connector.flag()]);
    let linked = link_account(&service.client());
    assert!(service.terminate().success());
    copy_account(service.database(), &linked, count).await;

    service.restart();
    let mut second = service.start_second_node();
    let client = service.client();
    until_read(&connector.readings, count as usize / 3);
    let most_of_two_nodes = connector.readings.max_running();
    second.kill();
    until_read(&connector.readings, count as usize);
    wait::blocking::until("every sync has ended", || client.all(FINISHED).len() == count as usize);

    let mut tasks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for event in client.all(FINISHED) {
        let account = text(&event["data"]["sourceId"]);
        tasks.entry(account).or_default().push(text(&event["data"]["status"]));
    }
    assert_eq!(tasks.len(), count as usize);
    let repeated: Vec<_> = tasks.iter().filter(|(_, it)| **it != ["SUCCEEDED"]).collect();
    assert!(repeated.is_empty(), "one finished sync per account: {repeated:?}");
    let mut parts = [0_usize; PARTS];
    for account in client.all("/accounts").iter().filter(|it| it["id"] != linked.as_str()) {
        let monitor = &account["monitor"];
        let time = |field: &str| text(&monitor[field]).parse::<Timestamp>().unwrap().as_micros();
        // The accounts were connected, and their monitors last changed, just before the wave.
        let wait = time("nextSyncAt") - time("updatedAt");
        assert!((WEEK / 2..=WEEK * 3 / 2).contains(&wait), "{monitor}");
        parts[usize::try_from(time("nextSyncAt") % WEEK * PARTS as i64 / WEEK).unwrap()] += 1;
    }
    let even = f64::from(count) / PARTS as f64;
    let farthest = parts.iter().map(|part| (*part as f64 / even - 1.0).abs()).fold(0.0, f64::max);
    // Fewer accounts cannot be spread that evenly: four standard deviations of a part.
    let farthest_allowed = if count >= 100_000 { 0.05 } else { f64::max(0.05, 4.0 / even.sqrt()) };
    assert!(farthest <= farthest_allowed, "the next syncs are {farthest:.3} from even: {parts:?}");
    let (most, asked) = (connector.readings.max_running(), connector.readings.all());
    assert!(most_of_two_nodes >= 1, "the source was asked before the kill");
    // Also after the kill: the leases of the killed node count for longer than the source works on its readings.
    assert!(most <= SHARE, "{most} readings ran at the same time");
    // A reading that the kill interrupted is asked for again.
    assert!((count as usize..=count as usize + SHARE).contains(&asked), "{asked} readings");
    eprintln!(
        "faults: {count} accounts synced once by two nodes, one of them killed; at most {most_of_two_nodes} at a time, \
         {most} with those of the killed node; the next syncs are at most {:.1} % from even",
        farthest * 100.0
    );
}

/// The parts of a week in which the next syncs are counted.
const PARTS: usize = 20;
const WEEK: i64 = 7 * 86_400_000_000;
const FINISHED: &str = "/events?type=ACCOUNT_SYNC_TASK_FINISHED";

/// Waits until the source was asked for this number of readings, as long as the number grows.
fn until_read(readings: &Readings, count: usize) {
    let mut read = 0;
    while read < count {
        read = wait::blocking::until_ok("more accounts are read", || {
            let now = readings.all();
            if now > read { Ok(now) } else { Err(format!("{now} of {count} are")) }
        });
    }
}

/// Stores copies of a connected account, each due for a sync.
async fn copy_account(database: &TestDatabase, account_id: &str, count: u32) {
    let store = database.open().await;
    let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
    let (of, id) = (owner.clone(), account_id.parse::<AccountId>().unwrap());
    let found: Result<_, StoreError> = store.read(move |reader| reader.accounts().get(&of, &id)).await;
    let original = found.unwrap().unwrap();
    let wall = Wall::from_micros(std::time::UNIX_EPOCH.elapsed().unwrap().as_micros().try_into().unwrap());
    let now = Now::new(wall, ClockOffset::default());
    for first in (0..count).step_by(UNIT as usize) {
        let mut unit = Change::default();
        for number in first..count.min(first + UNIT) {
            let (account, job) = due_copy(&original, number, count, now);
            unit.rows.push(Row::Account(Box::new(account)));
            unit.jobs.push(job);
        }
        write(&store, unit, now).await;
    }
    store.close().await;
}

async fn write(store: &Store, unit: Change, now: Now) {
    let written: Result<(), StoreError> = store.write(move |tx| tx.apply(&unit, now)).await;
    written.unwrap_or_else(|error| panic!("{error}"));
}

fn due_copy(original: &Account, number: u32, count: u32, now: Now) -> (Account, Job) {
    let due_at = now.tenant() - Duration::from_micros((count - number).into());
    let mut bytes = [7; 16];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    let mut account = original.clone();
    account.id = AccountId::from_bytes(bytes);
    account.provider_id = PROVIDER.parse().unwrap();
    let MonitorState::Active { interval, next_at } = &mut account.monitor.state else {
        panic!("{:?}", account.monitor)
    };
    *interval = SyncInterval::Weekly;
    *next_at = Some(due_at);
    // The last reading is so long ago that a sync is due.
    let AccountState::Connected(connection) = &mut account.state else { panic!("{:?}", account.state) };
    read_last_week(connection, now.tenant());
    let (account_id, provider_id) = (account.id.clone(), account.provider_id.clone());
    let job = Job {
        id: JobId::from_bytes(bytes),
        key: format!("sync/{account_id}"),
        owner: account.owner.clone(),
        kind: JobKind::SyncAccount { account_id, provider_id },
        due_at,
        run_at: now.wall(),
        attempts: 0,
    };
    (account, job)
}

fn read_last_week(connection: &mut Connection, now: TenantTime) {
    connection.read_at = Some(TenantTime::from_micros(now.micros() - WEEK));
}
