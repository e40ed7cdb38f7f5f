//! The service: axum routes, workers, the command line; the binary linchpin.
