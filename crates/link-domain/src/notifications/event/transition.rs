//! Test events that a sandbox tenant requests to test its receiver (ADR 0094). They refer to synthetic objects. In all
//! other respects they are normal events: stored, listed, delivered, and erased after 60 days.

use std::time::Duration;

use link_types::account::MonitorStatus;
use link_types::archive::ArchiveErrorCode;
use link_types::data::SourceType;
use link_types::event::*;
use link_types::hosted_link::HostedLinkStatus;
use link_types::id::{
    AccountId, DocumentId, IdentityId, InsightId, LinkId, ProviderId, RatingId, TaskId, UserId, WebhookId,
};
use link_types::record::ResultCode;
use link_types::task::TaskType;
use link_types::{AccessEnd, LinkErrorCode, Timestamp};

use super::{EventRecord, Sample};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::data::batch::Batch;
use crate::data::data_point::{Known, Origin};
use crate::data::declined_data::DeclinedData;
use crate::data::findings::Findings;
use crate::data::payload::PayloadLinks;
use crate::data::task::{Task, TaskEnding, TaskState};
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::source::Source;
use crate::kernel::stored_at::StoredAt;
use crate::kernel::subject::Subject;
use crate::linking::account::error_message;
use crate::linking::link_history::LinkHistory;
use crate::lookups::record::RecordState;
use crate::lookups::record_source::Outcome;
use crate::notifications::delivery::DISABLED_REASON;

mod subjects;

/// How long a test event keeps its personal fields: 60 days. They are synthetic, but receivers treat them as real.
const RETENTION: Duration = Duration::from_secs(60 * 86_400);
const LOGIN_NAME: &str = "good";

struct Scene<'a> {
    owner: &'a Owner,
    user_id: UserId,
    account_id: AccountId,
    sample: &'a Sample,
    at: Timestamp,
    context: &'a mut Context,
}

impl Sample {
    /// Creates an event of any type about a synthetic object of `user_id`, or of a synthetic user.
    pub fn fire(
        &self,
        owner: &Owner,
        event_type: EventType,
        user_id: Option<UserId>,
        links: &dyn PayloadLinks,
        context: &mut Context,
    ) -> (EventRecord, Change) {
        let at = context.now().tenant();
        let user_id = user_id.unwrap_or_else(|| UserId::from_bytes(&owner.tenant, context.uuid()));
        let account_id = AccountId::from_bytes(context.uuid());
        let mut scene = Scene { owner, user_id, account_id, sample: self, at: at.into(), context };
        let (subject, data) = scene.event_data(event_type, links);
        let context = scene.context;
        let event = EventRecord::new(owner, subject, 1, data, context);
        let mut change = Change { events: vec![event.clone()], ..Change::default() };
        if let Some(scope) = event.subject.scope() {
            let ends_at = at + RETENTION;
            change.jobs.push(Job::due(
                owner,
                JobKind::ExpireScope { scope: scope.clone() },
                ends_at,
                context,
            ));
            change.rows.push(Row::Scope { scope, ends_at });
        }
        (event, change)
    }
}

/// The pattern of all `*_ADDED` events.
macro_rules! added {
    ($($kind:ident $Body:ident $key:ident $doc:literal {
        $stored:tt $Id:ident $prefix:literal, [$added:ident $($updated:ident)?], $($rest:tt)*
    })*) => { $(EventType::$added)|* };
}

/// The pattern of all `*_UPDATED` events.
macro_rules! updated {
    ($($kind:ident $Body:ident $key:ident $doc:literal {
        $stored:tt $Id:ident $prefix:literal, [$added:ident $($updated:ident)?], $($rest:tt)*
    })*) => { updated!(@ $($($updated)?)*) };
    (@ $($updated:ident)*) => { $(EventType::$updated)|* };
}

impl Scene<'_> {
    fn event_data(&mut self, event_type: EventType, links: &dyn PayloadLinks) -> (Subject, EventData) {
        use EventType as Type;
        let account = Subject::Account(self.account_id.clone());
        let data = match event_type {
            Type::UserCreated => {
                let user_id = self.user_id.clone();
                return (Subject::User(user_id.clone()), EventData::UserCreated(UserCreated { user_id }));
            }
            Type::ArchiveStarted => return self.archive(EventData::ArchiveStarted),
            Type::ArchiveAnalyzed => return self.archive(EventData::ArchiveAnalyzed),
            Type::ArchiveRevoked => {
                return self.archive(|it| {
                    let ArchiveChanged { user_id, archive_id } = it;
                    let reason = AccessEnd::User;
                    EventData::ArchiveRevoked(ArchiveRevoked { user_id, archive_id, reason })
                });
            }
            Type::ArchiveFailed => {
                return self.archive(|it| {
                    let code = ArchiveErrorCode::FileUnableToRecognize;
                    EventData::ArchiveFailed(ArchiveFailed {
                        user_id: it.user_id,
                        archive_id: it.archive_id,
                        error_code: code.as_str().to_owned(),
                        error_message: code.message().to_owned(),
                    })
                });
            }
            Type::InviteInvited => return self.invite(EventData::InviteInvited),
            Type::InviteLinked => return self.invite(EventData::InviteLinked),
            Type::LinkSessionCompleted => {
                return self.hosted_link(HostedLinkStatus::Completed, EventData::LinkSessionCompleted);
            }
            Type::LinkSessionClosed => {
                return self.hosted_link(HostedLinkStatus::Closed, EventData::LinkSessionClosed);
            }
            Type::LinkSessionExpired => {
                return self.hosted_link(HostedLinkStatus::Expired, EventData::LinkSessionExpired);
            }
            Type::RecordCreated => {
                let record = self.record(|_| RecordState::Processing { task: None });
                return (
                    Subject::Record(record.id.clone()),
                    EventData::RecordCreated(record.created_event()),
                );
            }
            Type::RecordCompleted => {
                let record = self.record(|found| RecordState::Ended { outcome: Outcome::Success(found) });
                let data = EventData::RecordCompleted(record.completed_event());
                return (Subject::Record(record.id), data);
            }
            Type::VerificationStarted => return self.verification(EventData::VerificationStarted, None),
            Type::VerificationCompleted => {
                return self.verification(EventData::VerificationCompleted, Some(ResultCode::Success));
            }
            Type::WebhookDisabled => {
                let webhook_id = WebhookId::from_bytes(self.context.uuid());
                let data = WebhookDisabled {
                    webhook_id: webhook_id.clone(),
                    disabled_reason: DISABLED_REASON.to_owned(),
                };
                return (Subject::Webhook(webhook_id), EventData::WebhookDisabled(data));
            }
            Type::TaskStarted => EventData::TaskStarted(TaskStarted {
                user_id: self.user_id.clone(),
                source_id: self.account_id.to_string(),
                source_type: SourceType::Account,
                task_type: TaskType::LinkAccount,
                providers: self.providers(),
            }),
            Type::TaskFinished => {
                let findings = self.findings();
                let ending = TaskEnding::Succeeded;
                EventData::TaskFinished(findings.finished_event(&self.task(), ending, Some(links)))
            }
            Type::AccountSyncTaskFinished => {
                let findings = self.findings();
                let found = (MonitorStatus::Active, &*findings.kinds());
                let ending = TaskEnding::Succeeded;
                let synced = findings.synced_event(&self.task(), ending, found, Some(links));
                EventData::AccountSyncTaskFinished(synced)
            }
            Type::AccountCreated => EventData::AccountCreated(self.changed()),
            Type::AccountDisconnected => EventData::AccountDisconnected(AccountDisconnected {
                user_id: self.user_id.clone(),
                account_id: self.account_id.clone(),
                reason: AccessEnd::User,
                providers: self.providers(),
            }),
            Type::AccountConnected => EventData::AccountConnected(AccountConnected {
                user_id: self.user_id.clone(),
                account_id: self.account_id.clone(),
                login_name: Some(LOGIN_NAME.to_owned()),
                providers: self.providers(),
            }),
            Type::AccountFailed => EventData::AccountFailed(AccountFailed {
                user_id: self.user_id.clone(),
                account_id: self.account_id.clone(),
                login_name: Some(LOGIN_NAME.to_owned()),
                error_code: LinkErrorCode::InvalidCredentials,
                error_message: error_message(LinkErrorCode::InvalidCredentials).to_owned(),
                providers: self.providers(),
            }),
            link_types::data_points!(all added) => self.added_event(event_type),
            link_types::data_points!(all updated) => {
                EventData::DataPointsUpdated(self.updated_event(event_type))
            }
        };
        (account, data)
    }

    fn providers(&self) -> Vec<ProviderId> {
        vec![self.sample.provider_id.clone()]
    }

    fn task(&mut self) -> Task {
        Task {
            id: TaskId::from_bytes(self.context.uuid()),
            owner: self.owner.clone(),
            task_type: TaskType::LinkAccount,
            user_id: self.user_id.clone(),
            source: Source::Account(self.account_id.clone()),
            provider_id: self.sample.provider_id.clone(),
            started_at: self.context.now().tenant(),
            state: TaskState::Started {},
        }
    }

    /// Returns the findings of a first reading: the sample's data with files, and the data computed from it.
    fn findings(&mut self) -> Findings {
        let created_at = self.context.now().tenant();
        let origin = Origin {
            owner: self.owner.clone(),
            user_id: self.user_id.clone(),
            provider_id: self.sample.provider_id.clone(),
            source: Source::Account(self.account_id.clone()),
            visit_id: None,
            created_at,
            declined: DeclinedData::default(),
        };
        let Batch { bodies, contribution_rate, .. } = self.sample.batch.clone();
        let history = LinkHistory(vec![(self.account_id.clone(), created_at)]);
        let read = (bodies, contribution_rate);
        let mut findings =
            Findings::of_account(Known::default(), read, history.data_point(), &origin, self.context);
        findings.store_files(|id| Some(StoredAt::Account(self.account_id.clone(), id.clone())));
        findings
    }

    fn changed(&self) -> AccountChanged {
        AccountChanged {
            user_id: self.user_id.clone(),
            account_id: self.account_id.clone(),
            providers: self.providers(),
        }
    }

    fn added_event(&mut self, event_type: EventType) -> EventData {
        let user_id = self.user_id.clone();
        let account_id = self.account_id.to_string();
        let source_id = account_id.clone();
        let source_type = SourceType::Account;
        let providers = self.providers();
        let id = self.context.uuid();
        if event_type == EventType::IdentityAdded {
            let identity_id = IdentityId::from_bytes(id);
            EventData::IdentityAdded(IdentityAdded {
                user_id,
                account_id,
                source_id,
                source_type,
                identity_id,
                providers,
            })
        } else if event_type == EventType::RatingAdded {
            let rating_id = RatingId::from_bytes(id);
            EventData::RatingAdded(RatingAdded {
                user_id,
                account_id,
                source_id,
                source_type,
                rating_id,
                providers,
            })
        } else if event_type == EventType::InsightAdded {
            let id = InsightId::from_bytes(id);
            EventData::InsightAdded(InsightAdded {
                user_id,
                account_id,
                source_id,
                source_type,
                id,
                providers,
            })
        } else if event_type == EventType::LinkAdded {
            let id = LinkId::from_bytes(id);
            EventData::LinkAdded(LinkAdded { user_id, account_id, source_id, source_type, id, providers })
        } else {
            let count = 3;
            EventData::DataPointsAdded(DataPointsAdded {
                event_type,
                user_id,
                account_id,
                source_id,
                source_type,
                count,
                providers,
            })
        }
    }

    fn updated_event(&mut self, event_type: EventType) -> DataPointsUpdated {
        let documents = || vec![DocumentId::from_bytes(self.context.uuid()).to_string()];
        let updated_ids = (event_type == EventType::DocumentsUpdated).then(documents);
        let today = self.at.date();
        DataPointsUpdated {
            event_type,
            user_id: self.user_id.clone(),
            account_id: self.account_id.to_string(),
            source_id: self.account_id.to_string(),
            source_type: SourceType::Account,
            count: 1,
            updated_from: Some(today.plus_days(-30)),
            updated_to: Some(today),
            updated_at: self.at,
            providers: self.providers(),
            link_site_session_id: None,
            updated_ids,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn every_event_type_can_be_fired() {
        let sample = Sample {
            provider_id: fixture::provider_id(),
            batch: Batch::default(),
            record: fixture::record(),
        };
        for event_type in EventType::ALL {
            let mut context = fixture::context();
            let owner = fixture::owner();
            let user = Some(fixture::user_id());
            let (event, change) =
                sample.fire(&owner, *event_type, user.clone(), &fixture::PlainLinks, &mut context);
            assert_eq!(event.event_type, *event_type);
            assert_eq!(change.events, std::slice::from_ref(&event));
            let body: serde_json::Value = serde_json::from_slice(event.body(true)).unwrap();
            assert_eq!(body["type"], event_type.as_str());
            if body["data"].get("recordId").is_some() {
                assert_eq!(body["data"]["userId"], user.clone().unwrap().as_str(), "{event_type}");
                let is_complete = *event_type == EventType::RecordCompleted;
                assert_eq!(body["data"]["payload"]["result"].is_object(), is_complete, "{event_type}");
            }
            // Encrypted events have a key, and each key is scheduled for erasure.
            assert_eq!(change.rows.len(), change.jobs.len(), "{event_type}");
            assert!(event.sealed.is_none() || change.rows.len() == 1, "{event_type}");
            assert!(event.user_id.is_none() || event.user_id == user, "{event_type}");
        }
    }
}
