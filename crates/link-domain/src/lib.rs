//! The service's brain: apply() -> Change; transitions, consent, deliveries owed, signing, retry times; the ports.
