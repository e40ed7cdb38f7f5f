//! Merges the settings of the command line with those of the file.

use super::SettingsInput;

impl SettingsInput {
    /// Fills absent settings from the file.
    pub(super) fn or(self, file: Self) -> Self {
        Self {
            config: self.config,
            ephemeral: self.ephemeral || file.ephemeral,
            data_dir: self.data_dir.or(file.data_dir),
            keys_dir: self.keys_dir.or(file.keys_dir),
            accept_lost_keys: self.accept_lost_keys || file.accept_lost_keys,
            database_url: self.database_url.or(file.database_url),
            listen: self.listen.or(file.listen),
            public_url: self.public_url.or(file.public_url),
            sdk_url: self.sdk_url.or(file.sdk_url),
            hosted_url: self.hosted_url.or(file.hosted_url),
            files_url: self.files_url.or(file.files_url),
            smtp_url: self.smtp_url.or(file.smtp_url),
            mail_from: self.mail_from.or(file.mail_from),
            mail_abuse: self.mail_abuse.or(file.mail_abuse),
            mails_per_tenant: self.mails_per_tenant.or(file.mails_per_tenant),
            mails_per_recipient: self.mails_per_recipient.or(file.mails_per_recipient),
            allowed_hosts: self.allowed_hosts.or(file.allowed_hosts),
            webhook_allow: self.webhook_allow.or(file.webhook_allow),
            trusted_proxies: self.trusted_proxies.or(file.trusted_proxies),
            token_minutes: self.token_minutes.or(file.token_minutes),
            rate_per_second: self.rate_per_second.or(file.rate_per_second),
            rate_burst: self.rate_burst.or(file.rate_burst),
            tenant_rate_per_second: self.tenant_rate_per_second.or(file.tenant_rate_per_second),
            tenant_rate_burst: self.tenant_rate_burst.or(file.tenant_rate_burst),
            long_polls: self.long_polls.or(file.long_polls),
            resend_seconds: self.resend_seconds.or(file.resend_seconds),
            files_dir: self.files_dir.or(file.files_dir),
            s3_bucket: self.s3_bucket.or(file.s3_bucket),
            s3_endpoint: self.s3_endpoint.or(file.s3_endpoint),
            s3_region: self.s3_region.or(file.s3_region),
            s3_access_key_id: self.s3_access_key_id.or(file.s3_access_key_id),
            s3_secret_access_key: self.s3_secret_access_key.or(file.s3_secret_access_key),
            upload_files: self.upload_files.or(file.upload_files),
            upload_megabytes: self.upload_megabytes.or(file.upload_megabytes),
            document_sandbox: self.document_sandbox.or(file.document_sandbox),
            connector: self.connector.or(file.connector),
            max_connections: self.max_connections.or(file.max_connections),
            max_connections_per_network: self
                .max_connections_per_network
                .or(file.max_connections_per_network),
            idle_seconds: self.idle_seconds.or(file.idle_seconds),
            write_seconds: self.write_seconds.or(file.write_seconds),
            security_contact: self.security_contact.or(file.security_contact),
            drain_seconds: self.drain_seconds.or(file.drain_seconds),
            log: self.log.or(file.log),
        }
    }
}
