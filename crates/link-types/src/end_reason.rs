//! Reasons why an account or an archive has no data any more.

words! {
    /// Reason why the data of an account or an archive was erased.
    EndReason {
        /// The user or the tenant revoked the consent.
        Revoked = "REVOKED",
        /// 60 days passed.
        Expired = "EXPIRED",
    }
}
