//! An account from its first submitted login to its tombstone: stored rows, emitted events and scheduled jobs.

use std::collections::BTreeSet;

use link_types::EndReason;
use link_types::account::MonitorStatus;
use link_types::data::DataPointKind;
use link_types::link::GuessLimit;
use link_types::link::LinkPhase;
use link_types::template::Retention;
use serde_json::json;

use super::*;
use crate::change::Deletion;
use crate::change::job::JobKind;
use crate::tenancy::billing::BillingKind;

#[test]
fn first_submit_creates_account_and_schedules_step() {
    let mut context = fixture::context();
    let (account, change) = fixture::begin_account(&mut context);
    assert_eq!(types(&change.events), ["ACCOUNT_CREATED"]);
    assert_eq!(
        data(&change.events[0], true),
        json!({ "userId": account.user_id, "accountId": account.id, "providers": ["mx_social_security"] })
    );
    let step = JobKind::StepAccount { account_id: account.id.clone(), version: account.version };
    let removal = JobKind::RemovePending { account_id: account.id.clone() };
    let jobs: Vec<_> = change.jobs.iter().map(|job| (&job.kind, job.due_at)).collect();
    assert_eq!(jobs, [(&step, account.created_at), (&removal, account.created_at + PENDING_LIFE)]);
}

#[test]
fn provider_without_login_connects_without_connected_event() {
    let submission = Submission { login: None, ..fixture::submission() };
    let (account, change) =
        Account::begin(fixture::new_account(), submission, &mut fixture::context()).unwrap();
    assert_eq!(types(&change.events), ["ACCOUNT_CREATED", "TASK_STARTED"]);
    assert_eq!(account.connection_status(), ConnectionStatus::Connected);
    assert_eq!(account.login_hash, None);
}

#[test]
fn connecting_bills_once_and_schedules_read_and_expiry() {
    let mut context = fixture::context();
    let (account, _) = fixture::begin_account(&mut context);
    let input = is_connected(&account);
    let (account, change) = account.apply(input, &mut context).unwrap();
    let billed =
        change.rows.iter().filter_map(|row| if let Row::Billing(it) = row { Some(it) } else { None });
    assert_eq!(
        billed.map(|it| (it.kind, it.subject.as_str())).collect::<Vec<_>>(),
        [(BillingKind::AccountConnected, account.id.as_str())]
    );
    assert!(change.jobs.iter().any(|job| {
        job.kind == JobKind::ExpireAccount { account_id: account.id.clone() }
            && job.due_at == account.updated_at + RETENTION
    }));
    assert!(change.jobs.iter().any(|job| {
        job.kind == JobKind::ReadAccount { account_id: account.id.clone(), task_id: task_id(&account) }
    }));
    assert_eq!(account.monitor.status(), MonitorStatus::Active);
    assert_eq!(
        data(&change.events[0], true),
        json!({
            "userId": account.user_id, "accountId": account.id, "loginName": "good",
            "providers": ["mx_social_security"],
        })
    );
    assert_eq!(
        data(&change.events[1], true),
        json!({
            "userId": account.user_id, "sourceId": account.id, "sourceType": "ACCOUNT",
            "taskType": "LINK_ACCOUNT", "providers": ["mx_social_security"],
        })
    );
}

#[test]
fn read_stores_data_points_and_emits_their_events() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected], &mut context);
    let bodies = vec![contribution(1), employment(), contribution(2), identity()];
    let input = read(&account, ReadOutcome::Complete, bodies);
    let (account, change) = account.apply(input, &mut context).unwrap();
    assert_eq!(data_points(&change), 6, "the read data points, a link and an insight");
    assert_eq!(
        types(&change.events),
        [
            "IDENTITY_ADDED",
            "EMPLOYMENTS_ADDED",
            "CONTRIBUTIONS_ADDED",
            "LINK_ADDED",
            "INSIGHT_ADDED",
            "TASK_FINISHED"
        ]
    );
    let added = data(&change.events[2], true);
    assert_eq!(
        added,
        json!({
            "userId": account.user_id, "accountId": account.id, "sourceId": account.id, "sourceType": "ACCOUNT",
            "count": 2, "providers": ["mx_social_security"],
        })
    );
    let identity_id = data(&change.events[0], true)["identityId"].clone();
    let finished = data(&change.events[5], true);
    for (key, index) in [("links", 3), ("insight", 4)] {
        let id = data(&change.events[index], true)["id"].clone();
        let shown = &finished["payload"][key];
        assert_eq!(shown.get("items").map_or(&shown["id"], |items| &items[0]["id"]), &id, "{key}");
    }
    assert_eq!(finished["payload"]["identity"]["id"], identity_id);
    assert_eq!(
        finished["datapoints"],
        json!(["IDENTITIES", "EMPLOYMENTS", "CONTRIBUTIONS", "LINKS", "INSIGHTS"]),
        "every kind that an event added"
    );
    assert_eq!((&finished["status"], &finished["errorCode"]), (&json!("SUCCEEDED"), &json!(null)));
    let days: Vec<_> = finished["payload"]["contributions"]["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["date"])
        .collect();
    assert_eq!(days, ["2024-01-03", "2024-01-02"], "newest first, like the list endpoint");
}

#[test]
fn read_estimates_incomes_and_emits_them() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected], &mut context);
    let contribution_rate = crate::data::batch::ContributionRate::from_basis_points(1_000);
    let bodies = vec![contribution(1), contribution(40)];
    let batch = Batch { bodies, contribution_rate, ..Batch::default() };
    let read = Read { state: SourceState::new("later"), batch, outcome: ReadOutcome::Complete };
    let (task_id, from) = (task_id(&account), source(&account));
    let history = LinkHistory::default();
    let (known, files) = (Known::default(), Vec::new());
    let input = AccountInput::Read { task_id, from, read, files, known, history, links: &PlainLinks };
    let (_, change) = account.apply(input, &mut context).unwrap();
    assert_eq!(
        types(&change.events),
        ["CONTRIBUTIONS_ADDED", "EINCOMES_ADDED", "INSIGHT_ADDED", "TASK_FINISHED"]
    );
    let estimates = data(change.events.last().unwrap(), true)["payload"]["eincomes"]["items"].clone();
    assert_eq!((&estimates[0]["month"], &estimates[0]["amount"]), (&json!("2024-02"), &json!(12345)));
    assert_eq!(estimates[0]["baseAmount"], estimates[0]["amount"]);
    assert_eq!(estimates.as_array().unwrap().len(), 2);
}

#[test]
fn payload_has_a_key_for_each_kind_only_with_include_payload() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected], &mut context);
    let input = read(&account, ReadOutcome::Complete, vec![contribution(1)]);
    let (_, change) = account.apply(input, &mut context).unwrap();
    let finished = change.events.last().unwrap();
    let keys: BTreeSet<_> = data(finished, true)["payload"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, DataPointKind::ALL.iter().map(|kind| kind.key()).collect());
    assert_eq!(data(finished, false)["payload"], json!({}));
    let (full, plain) = (data(finished, true), data(finished, false));
    assert_eq!(full["datapoints"], plain["datapoints"]);
}

#[test]
fn payload_list_stops_at_300_items_with_a_cursor() {
    let mut context = fixture::context();
    for (count, shown, more) in [(300, 300, false), (301, 300, true)] {
        let account = account_after(&[is_connected], &mut context);
        let input = read(&account, ReadOutcome::Complete, (0..count).map(contribution).collect());
        let (account, change) = account.apply(input, &mut context).unwrap();
        let page = data(change.events.last().unwrap(), true)["payload"]["contributions"].clone();
        let items = page["items"].as_array().unwrap();
        assert_eq!((items.len(), page["nextCursor"].is_string()), (shown, more));
        if more {
            let last = items[299]["id"].as_str().unwrap();
            assert_eq!(page["nextCursor"], json!(format!("CONTRIBUTIONS/{}/{last}", account.id)));
        }
    }
}

#[test]
fn failed_read_stores_nothing_and_relink_reads_again() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected], &mut context);
    let code = LinkErrorCode::AccountLocked;
    let input = read(&account, ReadOutcome::Failed { code }, vec![identity()]);
    let (account, change) = account.apply(input, &mut context).unwrap();
    let finished = data(change.events.last().unwrap(), true);
    assert_eq!((&finished["status"], &finished["errorCode"]), (&json!("FAILED"), &json!("ACCOUNT_LOCKED")));
    assert_eq!(data_points(&change), 0);
    let (account, _) = account.apply(AccountInput::Submit(fixture::submission()), &mut context).unwrap();
    let input = is_connected(&account);
    let (_, change) = account.apply(input, &mut context).unwrap();
    assert_eq!(types(&change.events), ["ACCOUNT_CONNECTED", "TASK_STARTED"]);
    assert_eq!(data(&change.events[1], true)["taskType"], "UPDATE_ACCOUNT");
    assert!(!change.rows.iter().any(|row| matches!(row, Row::Billing(_))));
}

#[test]
fn failed_link_emits_event_and_shows_error_on_account() {
    let mut context = fixture::context();
    let (account, _) = fixture::begin_account(&mut context);
    let input = step_input(&account, fail(LinkErrorCode::AccountLocked));
    let (account, change) = account.apply(input, &mut context).unwrap();
    let event = data(&change.events[0], true);
    assert_eq!(event["errorMessage"], "The account is locked at the provider.");
    assert_eq!((&event["errorCode"], &event["loginName"]), (&json!("ACCOUNT_LOCKED"), &json!("good")));
    let view = serde_json::to_value(account.view()).unwrap();
    assert_eq!(view["connection"]["errorCode"], "ACCOUNT_LOCKED");
    assert_eq!(
        (&view["connectionStatus"], &view["connection"]["status"]),
        (&json!("ERROR"), &json!("ERROR"))
    );
    let failures = find_tries(&change).map(|tries| tries.own.failures);
    assert_eq!(failures, Some(0), "the failure was not a guess");
}

#[test]
fn repeated_wrong_passwords_delay_the_next_try() {
    let mut context = fixture::context();
    let (mut account, change) = fixture::begin_account(&mut context);
    let mut tries = find_tries(&change).unwrap();
    for _ in 0..5 {
        let step = fail(LinkErrorCode::InvalidCredentials);
        let input = AccountInput::Stepped {
            version: requested_at_version(&account),
            step,
            tries: Some(tries.clone()),
        };
        let (failed, change) = account.apply(input, &mut context).unwrap();
        assert_eq!(find_tries(&change), None, "the try was counted at submission");
        account = failed;
        let submission = Submission { tries: tries.clone(), ..fixture::submission() };
        match account.clone().apply(AccountInput::Submit(submission), &mut context) {
            Ok((retried, change)) => {
                account = retried;
                tries = find_tries(&change).unwrap();
            }
            Err(error) => {
                let (limit, wait) = (GuessLimit::Login, Duration::from_secs(30));
                assert_eq!(
                    (error, tries.own.failures),
                    (IllegalTransitionError::TooManyTries { limit, wait }, 5)
                );
            }
        }
    }
    assert_eq!(
        account.progress(context.now()).phase,
        LinkPhase::Failed {
            error_code: LinkErrorCode::InvalidCredentials.into(),
            declined: false,
            retry_in_ms: 30_000
        }
    );
}

#[test]
fn revoked_account_erases_everything_but_a_tombstone() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected, is_read], &mut context);
    let consent = account.consent.clone();
    let (account, change) =
        account.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut context).unwrap();
    assert_eq!(change.erasures, [account.scope()]);
    assert_eq!(change.deletions, [Deletion::AccountLinks(account.id.clone())]);
    assert_eq!((account.login_hash, account.consent.as_ref()), (None, None));
    assert_eq!(account.monitor.status(), MonitorStatus::CustomerDisabled);
    let AccountState::Disconnected(ended) = &account.state else { panic!("{:?}", account.state) };
    assert_eq!((ended.cause, &ended.consent), (DisconnectCause::Revoked, &consent.map(Consent::stub)));
    assert_eq!(account.view().connection.end_reason, Some(EndReason::Revoked));
    assert!(
        change.events.iter().all(|event| event.sealed.is_none()),
        "the final events have no encrypted part"
    );
}

#[test]
fn account_expires_60_days_after_its_last_login() {
    let day = Duration::from_secs(86_400);
    let account = account_after(&[is_connected, is_read], &mut fixture::context());
    let mut later = fixture::context_after(day * 40);
    let submission = Submission { retention: Retention::FromConnection, ..fixture::submission() };
    let (account, _) = account.apply(AccountInput::Submit(submission), &mut later).unwrap();
    let reconnected = is_connected(&account);
    let (account, change) = account.apply(reconnected, &mut later).unwrap();
    let due_at = later.now().tenant() + RETENTION;
    let expire = JobKind::ExpireAccount { account_id: account.id.clone() };
    assert_eq!(change.jobs.iter().find(|job| job.kind == expire).map(|job| job.due_at), Some(due_at));
    assert_eq!(account.data_ends_at(), due_at);
    let early = account.clone().apply(AccountInput::Expire, &mut fixture::context_after(RETENTION));
    assert_eq!(early.unwrap_err(), IllegalTransitionError::NotDue { due_at });
    let mut due = fixture::context_after(day * 40 + RETENTION);
    let (account, change) = account.apply(AccountInput::Expire, &mut due).unwrap();
    assert_eq!(types(&change.events), ["TASK_FINISHED", "ACCOUNT_DISCONNECTED"]);
    assert_eq!(data(&change.events[1], true)["reason"], "EXPIRED");
    assert_eq!(change.erasures, [account.scope()]);
    assert_eq!(account.view().connection.end_reason, Some(EndReason::Expired));
}

#[test]
fn inactive_pending_account_is_removed_after_a_day() {
    let mut context = fixture::context();
    let (pending, _) = fixture::begin_account(&mut context);
    let (_, change) =
        pending.clone().apply(AccountInput::Abandon, &mut fixture::context_after(PENDING_LIFE)).unwrap();
    assert_eq!(change.deletions, [Deletion::Account(pending.id.clone())]);
    assert_eq!((change.erasures.len(), change.events.len(), change.rows.len()), (1, 0, 0));
    let failed = account_after(&[has_failed], &mut fixture::context());
    let result = failed.apply(AccountInput::Abandon, &mut fixture::context_after(PENDING_LIFE));
    let due_at = fixture::context_after(RETENTION).now().tenant();
    assert_eq!(result.unwrap_err(), IllegalTransitionError::NotDue { due_at });
}

#[test]
fn unencrypted_event_body_has_no_personal_data() {
    let mut context = fixture::context();
    let (account, _) = fixture::begin_account(&mut context);
    let input = has_failed(&account);
    let (_, failed) = account.clone().apply(input, &mut context).unwrap();
    let input = is_connected(&account);
    let (account, connected) = account.apply(input, &mut context).unwrap();
    let input = is_read(&account);
    let (_, read) = account.apply(input, &mut context).unwrap();
    for event in failed.events.iter().chain(&connected.events).chain(&read.events) {
        let open = String::from_utf8(event.open.clone()).unwrap();
        for personal in ["\"good\"", "Ligaya", "1234.5"] {
            assert!(!open.contains(personal), "{open}");
        }
    }
    let stripped = |event: &EventRecord| EventRecord { sealed: None, ..event.clone() };
    assert_eq!(data(&stripped(&connected.events[0]), true)["loginName"], json!(null));
    assert_eq!(data(&stripped(read.events.last().unwrap()), true)["payload"], json!({}));
}

#[test]
fn account_state_round_trips_and_debug_hides_secrets() {
    let mut context = fixture::context();
    for account in [
        account_after(&[], &mut context),
        account_after(&[is_challenged], &mut context),
        account_after(&[has_failed], &mut context),
        account_after(&[is_connected], &mut context),
        account_after(&[is_connected, is_read, submits], &mut context),
        account_after(&[is_connected, is_revoked], &mut context),
    ] {
        let stored = serde_json::to_string(&account.state).unwrap();
        assert_eq!(serde_json::from_str::<AccountState>(&stored).unwrap(), account.state);
        let shown = format!("{account:?}");
        for secret in ["\"pass\"", "\"good\"", "half way", "\"session\""] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}

#[test]
fn widget_sees_remaining_challenge_time() {
    let account = account_after(&[is_challenged], &mut fixture::context());
    let later = fixture::context_after(Duration::from_secs(5)).now();
    let LinkPhase::Challenge { challenge } = account.progress(later).phase else {
        panic!("no challenge is waiting");
    };
    assert_eq!(challenge.expires_in_ms, Some(295_000));
    assert_eq!(challenge.resend.unwrap().available_in_ms, 15_000);
}

#[test]
fn repeated_submit_of_the_same_form_changes_nothing() {
    let mut context = fixture::context();
    let submission = fixture::submission();
    let (account, _) = Account::begin(fixture::new_account(), submission.clone(), &mut context).unwrap();
    let again = AccountInput::Submit(submission.clone());
    assert_eq!(account.clone().apply(again, &mut context).unwrap(), (account.clone(), Change::default()));
    let connected = is_connected(&account);
    let (account, _) = account.apply(connected, &mut context).unwrap();
    let again = AccountInput::Submit(submission);
    assert_eq!(account.clone().apply(again, &mut context).unwrap(), (account.clone(), Change::default()));
    let (relinking, _) = account.apply(AccountInput::Submit(fixture::submission()), &mut context).unwrap();
    assert!(relinking.link().is_some(), "a newly encrypted form is a new submission");
}
