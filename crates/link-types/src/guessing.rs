//! The limits on guessing logins through the widget.

words! {
    /// A limit on guessing logins: what it counts failed tries of.
    GuessLimit {
        /// One login: by this user, and by all users of the tenant together.
        Login = "LOGIN",
        /// The different logins that one user tries in a day.
        User = "USER",
        /// All tries of one widget session.
        Session = "SESSION",
        /// All tries from one network: an IPv4 address or an IPv6 /64.
        Network = "NETWORK",
        /// All tries at one provider.
        Provider = "PROVIDER",
    }
}
