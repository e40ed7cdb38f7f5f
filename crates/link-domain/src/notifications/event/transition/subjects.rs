//! The synthetic objects that test events are about.

use link_types::event::*;
use link_types::hosted_link::HostedLinkStatus;
use link_types::id::{ArchiveId, HostedLinkId, InviteId, RecordId};
use link_types::record::{ResultCode, SocialSecurityRequest, SocialSecurityResult};
use link_types::signal::{SignalId, SignalKind};

use super::Scene;
use crate::kernel::subject::Subject;
use crate::lookups::record::{Record, RecordState};

impl Scene<'_> {
    pub(super) fn archive(&mut self, wrap: impl FnOnce(ArchiveChanged) -> EventData) -> (Subject, EventData) {
        let archive_id = ArchiveId::from_bytes(self.context.uuid());
        let changed = ArchiveChanged { user_id: self.user_id.clone(), archive_id: archive_id.clone() };
        (Subject::Archive(archive_id), wrap(changed))
    }

    pub(super) fn invite(&mut self, wrap: impl FnOnce(InviteChanged) -> EventData) -> (Subject, EventData) {
        let id = InviteId::from_bytes(self.context.uuid());
        let changed = InviteChanged { user_id: self.user_id.clone(), invite_id: id.to_string() };
        (Subject::Invite(id), wrap(changed))
    }

    pub(super) fn hosted_link(
        &mut self,
        status: HostedLinkStatus,
        wrap: impl FnOnce(LinkSessionChanged) -> EventData,
    ) -> (Subject, EventData) {
        let id = HostedLinkId::from_bytes(self.context.uuid());
        let changed =
            LinkSessionChanged { user_id: self.user_id.clone(), link_session_id: id.clone(), status };
        (Subject::HostedLink(id), wrap(changed))
    }

    /// Returns a record in a state that contains what the source found.
    pub(super) fn record(&mut self, state: impl FnOnce(SocialSecurityResult) -> RecordState) -> Record {
        let (request, found) = self.sample.record.clone();
        Record {
            id: RecordId::from_bytes(self.context.uuid()),
            owner: self.owner.clone(),
            created_at: self.context.now().tenant(),
            version: 0,
            event_count: 0,
            request: SocialSecurityRequest { user_id: Some(self.user_id.clone()), ..request },
            state: state(found),
        }
    }

    pub(super) fn verification(
        &mut self,
        wrap: impl FnOnce(VerificationChanged) -> EventData,
        code: Option<ResultCode>,
    ) -> (Subject, EventData) {
        let id = SignalId::from_bytes(SignalKind::Verification, self.context.uuid());
        let changed = VerificationChanged {
            verification_id: id.clone(),
            status: code.map(ResultCode::status),
            result_code: code,
            result_message: code.map(|code| code.message().to_owned()),
        };
        (Subject::Signal(id), wrap(changed))
    }
}
