-- What readiness writes, to learn whether the database takes writes. It holds nothing else.
CREATE TABLE probes (
    slot BIGINT PRIMARY KEY NOT NULL,
    filler BYTES NOT NULL
) STRICT;
