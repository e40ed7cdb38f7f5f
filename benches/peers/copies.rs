//! Copies rows that the service created. The copies are sealed and stored like any other row, so that a page of many of
//! them costs over HTTP what it costs a tenant.

use std::fmt::Write as _;

use link_domain::change::{Change, Row};
use link_domain::data::data_point::DataPoint;
use link_domain::data::task::Task;
use link_domain::documents::archive::Archive;
use link_domain::invitations::form_submission::FormSubmission;
use link_domain::invitations::invite::Invite;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::context::Context;
use link_domain::kernel::subject::Subject;
use link_domain::linking::account::Account;
use link_domain::lookups::record::Record;
use link_domain::lookups::signal::Signal;
use link_domain::notifications::delivery::{Delivery, DeliveryState};
use link_domain::notifications::event::EventRecord;
use link_domain::tenancy::billing::BillingRecord;
use link_domain::tenancy::user::User;
use link_store::{
    AccountFilter, ArchiveFilter, BillingFilter, Created, DataPointFilter, DeliveryFilter, EventFilter,
    FormFilter, InviteFilter, Page, PageRequest, PageSize, Reader, StoreError, TaskFilter,
};
use link_types::Sensitive;
use link_types::data::DataPointKind;
use link_types::id::{
    AccountId, ArchiveId, BillingEventId, DeliveryId, EventId, FormId, InviteId, LinkSiteSessionId, RecordId,
    TaskId, UserId,
};
use link_types::signal::{SignalId, SignalKind};

use super::owner;

/// Rows of a list that can be copied with a new id, time and unique values.
pub trait Copied: Clone + Send + 'static {
    /// Returns a row that the service created.
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError>;

    /// Returns another one, created at the context's time.
    fn copy(&self, context: &mut Context) -> Change;
}

fn row(row: Row) -> Change {
    Change::row(row)
}

fn at(context: &Context) -> TenantTime {
    context.now().tenant()
}

fn first() -> PageRequest {
    PageRequest::first(PageSize::new(150).unwrap())
}

fn one_of<T>(page: Page<T>, fit: impl Fn(&T) -> bool) -> Option<T> {
    page.items.into_iter().find(fit)
}

impl Copied for User {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        Ok(one_of(reader.users().list(&owner(), None, Created::default(), &first())?, |_| true))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = UserId::from_bytes(&self.owner.tenant, context.uuid());
        let reference = Some(format!("customer-{id}"));
        row(Row::User(Self { id, created_at: at(context), reference, ..self.clone() }))
    }
}

impl Copied for Account {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let page = reader.accounts().list(&owner(), AccountFilter::default(), &first())?;
        Ok(one_of(page, |it| it.consent.is_some()))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = AccountId::from_bytes(context.uuid());
        row(Row::Account(Box::new(Self { id, created_at: at(context), login_hash: None, ..self.clone() })))
    }
}

impl Copied for Archive {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let page = reader.archives().list(&owner(), ArchiveFilter::default(), &first())?;
        Ok(one_of(page, |it| it.submitted_at.is_some()))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let (id, at) = (ArchiveId::from_bytes(context.uuid()), at(context));
        row(Row::Archive(Box::new(Self { id, created_at: at, submitted_at: Some(at), ..self.clone() })))
    }
}

impl Copied for DataPoint {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let (kind, filter) = (DataPointKind::Contributions, DataPointFilter::default());
        Ok(one_of(reader.data_points().list(&owner(), kind, filter, &first())?, |_| true))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let (prefix, _) = self.id.split_once('-').unwrap_or_default();
        let mut id = format!("{prefix}-");
        for byte in context.uuid() {
            write!(id, "{byte:02x}").unwrap();
        }
        row(Row::DataPoint(Box::new(Self { id, created_at: at(context), ..self.clone() })))
    }
}

impl Copied for EventRecord {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let page = reader.events().list(&owner(), EventFilter::default(), &first())?;
        // Of an account, and with an account id in its data, because a filter looks for it.
        let of_account = |it: &Self| String::from_utf8_lossy(&it.open).contains("\"accountId\"");
        Ok(one_of(page, |it| {
            it.sealed.is_some() && matches!(it.subject, Subject::Account(_)) && of_account(it)
        }))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = EventId::from_bytes(context.uuid());
        let event = Self { id, created_at: at(context), ..self.clone() };
        Change { events: vec![event], ..Change::default() }
    }
}

impl Copied for Task {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        Ok(one_of(reader.tasks().list(&owner(), TaskFilter::default(), &first())?, |_| true))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = TaskId::from_bytes(context.uuid());
        row(Row::Task(Self { id, started_at: at(context), ..self.clone() }))
    }
}

impl Copied for Record {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        Ok(one_of(reader.records().list(&owner(), None, Created::default(), &first())?, |_| true))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = RecordId::from_bytes(context.uuid());
        row(Row::Record(Box::new(Self { id, created_at: at(context), ..self.clone() })))
    }
}

impl Copied for Signal {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let page = reader.signals().list(&owner(), SignalKind::Blacklist, Created::default(), &first())?;
        Ok(one_of(page, |_| true))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = SignalId::from_bytes(self.request.kind(), context.uuid());
        row(Row::Signal(Box::new(Self { id, created_at: at(context), ..self.clone() })))
    }
}

impl Copied for Invite {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let page = reader.invites().list(&owner(), InviteFilter::default(), &first())?;
        Ok(one_of(page, |it| it.details.is_some()))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let mut invite = Self { id: InviteId::from_bytes(context.uuid()), ..self.clone() };
        invite.created_at = at(context);
        if let Some(details) = &mut invite.details {
            details.code = Sensitive::new(format!("code of {}", invite.id));
            details.pixel = Sensitive::new(format!("pixel of {}", invite.id));
        }
        row(Row::Invite(Box::new(invite)))
    }
}

impl Copied for FormSubmission {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        Ok(one_of(reader.forms().list(&owner(), FormFilter::default(), &first())?, |_| true))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let (id, visit_id) =
            (FormId::from_bytes(context.uuid()), LinkSiteSessionId::from_bytes(context.uuid()));
        row(Row::Form(Box::new(Self { id, visit_id, created_at: at(context), ..self.clone() })))
    }
}

impl Copied for BillingRecord {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let page = reader.billing_events().list(&owner(), BillingFilter::default(), &first())?;
        Ok(one_of(page, |it| it.user_id.is_some()))
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = BillingEventId::from_bytes(context.uuid());
        let subject = AccountId::from_bytes(context.uuid()).to_string();
        row(Row::Billing(Self { id, subject, at: at(context), ..self.clone() }))
    }
}

impl Copied for Delivery {
    fn sample(reader: &mut Reader<'_>) -> Result<Option<Self>, StoreError> {
        let webhooks = reader.webhooks().list(&owner(), &first())?;
        for webhook in webhooks.items {
            let page =
                reader.deliveries().list(&owner(), webhook.id(), DeliveryFilter::default(), &first())?;
            if let Some(delivery) = one_of(page, |_| true) {
                return Ok(Some(delivery));
            }
        }
        Ok(None)
    }

    fn copy(&self, context: &mut Context) -> Change {
        let id = DeliveryId::from_bytes(context.uuid());
        row(Row::Delivery(Box::new(Self { id, state: DeliveryState::Delivered, ..self.clone() })))
    }
}
