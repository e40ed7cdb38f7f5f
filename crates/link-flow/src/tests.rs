//! The flow as a person and a host page live it. One file a screen; `desk` drives, `stock` has the service's answers.

mod desk;
mod stock;

mod accounts;
mod accounts_table;
mod challenge;
mod challenge_kinds;
mod challenge_table;
mod challenge_time;
mod connecting;
mod consent;
mod failure;
mod leaving;
mod login;
mod login_options;
mod options;
mod providers;
mod random;
mod rest;
mod resume;
mod starting;
mod success;
mod survey;
mod table;
mod tells;
mod token_expired;
mod uploads;
mod waits;
