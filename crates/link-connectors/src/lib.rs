//! Everything that leaves the process: data providers, the webhook sender.
