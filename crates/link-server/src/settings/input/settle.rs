//! Checks the settings, and gives absent ones their defaults.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use link_connectors::networks::Networks;
use link_connectors::webhook::AllowedNetworks;
use link_domain::kernel::master_key_source::PlainKeyFile;

use super::{DEFAULT_DATA_DIR, SettingsInput};
use crate::adapters::key_command::KeyCommand;
use crate::settings::backups::{BackupAddress, BackupInput};
use crate::settings::checked::{ConnectionInput, MailInput, ObjectInput, Settings};
use crate::settings::connector::ConnectorInput;
use crate::settings::live::{Live, LiveSettings};
use crate::settings::urls::{self, UrlInput};
use crate::settings::{SettingsError, SettingsErrors, read_file};

impl SettingsInput {
    /// Uses another place for backups than the configured one.
    #[must_use]
    pub fn with_backups_at(self, address: &str) -> Self {
        Self { backup_to: Some(address.to_owned()), ..self }
    }

    /// Merges the flags and environment (already merged by clap) with the file and the defaults, and checks the result.
    ///
    /// # Errors
    /// If the file cannot be read, or contains an unknown key, or a value is not valid.
    pub fn settle(self) -> Result<Settings, SettingsError> {
        let file = match &self.config {
            Some(path) => read_file(path)?,
            None => Self::default(),
        };
        self.or(file.clone()).into_settings(file)
    }

    fn into_settings(self, file: Self) -> Result<Settings, SettingsError> {
        let given = Arc::new(self.clone());
        let mut faults = SettingsErrors::default();
        let listen = self.listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8787)));
        let urls = UrlInput {
            public: self.public_url,
            api: self.api_url,
            sdk: self.sdk_url,
            hosted: self.hosted_url,
            files: self.files_url,
            console: self.console_url,
            allowed_hosts: self.allowed_hosts,
        };
        let urls = urls.settle(listen, &mut faults);
        let mut count = |name, given: Option<u32>, default| {
            let count = NonZeroU32::new(given.unwrap_or(default));
            let count = count.ok_or(SettingsError::Range { name, range: "at least 1" });
            faults.or(count, NonZeroU32::MIN)
        };
        let rate_per_second = count("rate-per-second", self.rate_per_second, 100);
        let rate_burst = count("rate-burst", self.rate_burst, 200);
        let tenant_rate_per_second = count("tenant-rate-per-second", self.tenant_rate_per_second, 500);
        let tenant_rate_burst = count("tenant-rate-burst", self.tenant_rate_burst, 1_000);
        let audit_days = count("audit-days", self.audit_days, 400);
        let long_polls = count("long-polls", self.long_polls, 4_096);
        let mails_per_tenant = count("mails-per-tenant", self.mails_per_tenant, 1_000);
        let mails_per_recipient = count("mails-per-recipient", self.mails_per_recipient, 10);
        let upload_files = count("upload-files", self.upload_files, 100).get();
        let upload_megabytes = count("upload-megabytes", self.upload_megabytes, 500).get();
        let token_minutes = self.token_minutes.unwrap_or(30.0);
        if !(0.01..=300.0).contains(&token_minutes) {
            faults.add(SettingsError::Range { name: "token-minutes", range: "0.01 to 300" });
        }
        let resend_seconds = self.resend_seconds.unwrap_or(30.0);
        if !(0.01..=3600.0).contains(&resend_seconds) {
            faults.add(SettingsError::Range { name: "resend-seconds", range: "0.01 to 3600" });
        }
        let stored = [
            ("data-dir", self.data_dir.is_some()),
            ("keys-dir", self.keys_dir.is_some()),
            ("master-key-command", self.master_key_command.is_some()),
            ("files-dir", self.files_dir.is_some()),
            ("database-url", self.database_url.is_some()),
            ("s3-bucket", self.s3_bucket.is_some()),
            ("backup-to", self.backup_to.is_some()),
        ];
        if let Some((name, _)) = stored.into_iter().find(|(_, given)| self.ephemeral && *given) {
            faults.add(SettingsError::Ephemeral { name });
        }
        let data_dir = self.data_dir.unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR));
        let files = ObjectInput {
            folder: self.files_dir,
            bucket: self.s3_bucket,
            endpoint: self.s3_endpoint,
            region: self.s3_region,
            access_key_id: self.s3_access_key_id,
            secret_access_key: self.s3_secret_access_key,
        };
        let backups = BackupInput {
            to: self.backup_to,
            hours: self.backup_hours,
            keep: self.backup_keep,
            days: self.backup_days,
        };
        let address = backups.address(&mut faults);
        let bucket = address.as_ref().and_then(BackupAddress::bucket);
        let (files, bucket) = files.settle(self.ephemeral, &data_dir, bucket, &mut faults);
        let backups = backups.settle(address, bucket, &mut faults);
        let proxies = self.trusted_proxies.unwrap_or_default();
        let trusted_proxies = Networks::parse(proxies.iter().map(String::as_str))
            .map_err(|fault| SettingsError::Network { name: "trusted-proxies", fault });
        let trusted_proxies = faults.or(trusted_proxies, Networks::default());
        let webhook_allow = self.webhook_allow.unwrap_or_default();
        let allowed = AllowedNetworks::parse(webhook_allow.iter().map(String::as_str)).map(drop);
        faults.or(allowed.map_err(|error| SettingsError::Service(format!("--webhook-allow: {error}"))), ());
        let mail = MailInput { smtp_url: self.smtp_url, from: self.mail_from, abuse: self.mail_abuse };
        let mail = mail.settle(&mut faults);
        let connectors = self.connector.unwrap_or_default().into_iter().map(ConnectorInput::settle);
        let connectors = connectors.filter_map(|it| faults.or(it.map(Some), None)).collect();
        let database_url = self.database_url.and_then(|it| faults.or(it.check().map(Some), None));
        let log = self.log.filter(|it| !it.is_empty()).unwrap_or_else(|| "info".to_owned());
        let log = faults.or(urls::check_log_filter(log), String::new());
        let security_contact = self.security_contact.map(|it| urls::contact(&it)).transpose();
        let security_contact = faults.or(security_contact, None);
        let site_host_target = self.site_host_target.as_deref().map(urls::host_name).transpose();
        let site_host_target = faults.or(site_host_target, None);
        faults.none()?;
        let connections = ConnectionInput {
            total: self.max_connections,
            per_network: self.max_connections_per_network,
            trusted_proxies: &proxies,
            idle: self.idle_seconds,
            write: self.write_seconds,
        };
        Ok(Settings {
            connections: connections.settle()?,
            security_contact,
            connectors,
            keys_dir: self.keys_dir.unwrap_or_else(|| data_dir.clone()),
            master_key: match self.master_key_command {
                Some(program) => Arc::new(KeyCommand::new(program)),
                None => Arc::new(PlainKeyFile),
            },
            accept_lost_keys: self.accept_lost_keys,
            database_url,
            listen,
            public_url: urls.public,
            api_url: urls.api,
            sdk_url: urls.sdk,
            hosted_url: urls.hosted,
            site_host_target,
            files_url: urls.files,
            console_url: urls.console,
            smtp_url: mail.smtp_url,
            mail_abuse: mail.abuse,
            mail_from: mail.from,
            live: Live::new(LiveSettings {
                rate_per_second,
                rate_burst,
                tenant_rate_per_second,
                tenant_rate_burst,
                mails_per_tenant,
                mails_per_recipient,
                upload_files,
                upload_megabytes,
                token_minutes,
                long_polls,
                resend_seconds,
            }),
            allowed_hosts: urls.allowed_hosts,
            trusted_proxies,
            webhook_allow,
            metrics_listen: self.metrics_listen,
            audit_days,
            files,
            backups,
            ephemeral: self.ephemeral,
            data_dir,
            document_sandbox: self.document_sandbox.unwrap_or_default(),
            drain_seconds: self.drain_seconds.unwrap_or(20),
            database_wait_seconds: self.database_wait_seconds.unwrap_or(60),
            log,
            given,
            file: Arc::new(file),
        })
    }
}
