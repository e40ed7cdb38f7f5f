//! Own hosts of link sites: names of a tenant at which people open its link sites.

use serde::{Deserialize, Serialize};

use crate::id::LinkSiteHostId;
use crate::time::Timestamp;

words! {
    /// State of an own host.
    LinkSiteHostStatus {
        /// The host is not proven yet. It serves nothing.
        Pending = "PENDING",
        /// The host is proven. Link sites can have it.
        Proven = "PROVEN",
    }
}

/// A host name of yours at which people can open your link sites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkSiteHost {
    /// Unique identifier of the host, with the prefix `host-`.
    pub id: LinkSiteHostId,
    /// When the host was added.
    pub created_at: Timestamp,
    /// The host name, in lower-case ASCII.
    pub host: String,
    /// State of the host.
    pub status: LinkSiteHostStatus,
    /// Name of the TXT record that proves the host.
    pub record_name: String,
    /// Text of the TXT record.
    pub record_text: String,
    /// Name that the host's CNAME record must point to. Null if the service offers no own hosts at present: then the host serves
    /// nothing.
    pub cname_target: Option<String>,
    /// When the host was last proven. Null before that.
    pub proven_at: Option<Timestamp>,
}
