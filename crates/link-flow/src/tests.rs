//! The flow as a person and a host page see it. One file for each screen; `harness` drives it, `fixtures` has replies.

mod fixtures;
mod harness;

mod account_option;
mod accounts;
mod accounts_table;
mod callbacks;
mod challenge;
mod challenge_kinds;
mod challenge_recording;
mod challenge_table;
mod challenge_time;
mod challenge_ways;
mod chunk;
mod closing_point;
mod connecting;
mod consent;
mod data_choice;
mod failure;
mod handoff;
mod help;
mod leaving;
mod login;
mod login_options;
mod options;
mod providers;
mod random;
mod reauthorization;
mod resume;
mod starting;
mod success;
mod survey;
mod table;
mod token_expired;
mod uploads;
mod waits;
