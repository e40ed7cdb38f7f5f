//! The data of test events.

use link_types::data::DataPointBody;
use link_types::id::ProviderId;
use link_types::record::{SocialSecurityRequest, SocialSecurityResult};

/// Data that a test event is built from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Provider of the data.
    pub provider_id: ProviderId,
    /// Data points of a synthetic person. Their ids are placeholders.
    pub bodies: Vec<DataPointBody>,
    /// Request of a record, and what its source found.
    pub record: (SocialSecurityRequest, SocialSecurityResult),
}
