//! Guarantees that hold if the service is killed at any time: no acknowledged write is lost, no event is invented, and
//! deliveries that a receiver did not accept are resent with the same id and bytes. Also tests the command line, which
//! needs the real process too.
//!
//! `LINCHPIN_FAULT_ROUNDS` multiplies the number of kills.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad_uploads;
#[cfg(target_os = "linux")]
mod cell_maps;
mod cells;
mod command_line;
mod counting_connector;
mod hostile_bodies;
mod kills;
mod master_keys;
mod operators;
mod process;
mod repeats;
mod restores;
mod resume;
mod syncs;
mod tenant_commands;
mod tenant_machine;
mod tenant_move_recovery;
mod tenant_moves;
mod uploads;
