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

words! {
    /// Who or what ended the access to an account or an archive, as events report it. If the user did, delete your copies
    /// of the data; otherwise you decide whether you keep them.
    AccessEnd {
        /// The user disconnected the account or removed the archive in the widget.
        User = "USER",
        /// You revoked it, or erased its user.
        Tenant = "TENANT",
        /// Its 60 days passed.
        Expired = "EXPIRED",
    }
}
