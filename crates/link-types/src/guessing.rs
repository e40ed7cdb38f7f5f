//! Limits on guessing logins through the widget.

words! {
    /// A limit on guessing logins, named after what it counts failed tries by.
    GuessLimit {
        /// One login: tries by this user, and by all users of the tenant together.
        Login = "LOGIN",
        /// Different logins that one user tries in a day.
        User = "USER",
        /// All tries in one widget session.
        Session = "SESSION",
        /// All tries from one network: an IPv4 address or an IPv6 /64.
        Network = "NETWORK",
        /// All tries at one provider.
        Provider = "PROVIDER",
    }
}
