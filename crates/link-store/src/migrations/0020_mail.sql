-- Mail: addresses that get none, those that a sandbox may mail, and how many went out on a day. Addresses are keyed hashes.
CREATE TABLE mail_suppressions (
    recipient_hash BYTES PRIMARY KEY NOT NULL,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL
) STRICT;

-- `domain` is plain and null for a single mailbox.
CREATE TABLE mail_allowances (
    tenant_id TEXT NOT NULL,
    recipients_hash BYTES NOT NULL,
    domain TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, recipients_hash)
) STRICT;

-- `day` counts days of UTC from 1970; `counted` is an environment, or the hash of a mailbox in hexadecimal digits.
CREATE TABLE mail_counts (
    day BIGINT NOT NULL,
    counted TEXT NOT NULL,
    mails BIGINT NOT NULL,
    PRIMARY KEY (day, counted)
) STRICT;
