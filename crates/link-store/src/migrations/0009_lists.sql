-- An index for every filter of every list, so that a page costs the same whatever it is narrowed to.

CREATE INDEX billing_events_kind ON billing_events (tenant_id, mode, kind, id);
CREATE INDEX billing_events_about ON billing_events (tenant_id, mode, subject, id);
CREATE INDEX tasks_status ON tasks (tenant_id, mode, status, id);
CREATE INDEX deliveries_type ON deliveries (tenant_id, mode, webhook_id, event_type, id);
CREATE INDEX deliveries_status ON deliveries (tenant_id, mode, webhook_id, COALESCE(ending, 'PENDING'), id);

-- By all of the list's columns: SQLite would rather walk the webhook's whole range than sort what one column finds.
DROP INDEX deliveries_event;
CREATE INDEX deliveries_event ON deliveries (event_id, webhook_id, tenant_id, mode, id);

-- What was deleted and is kept for what cites it is not walked over.
DROP INDEX consent_templates_owner;
DROP INDEX link_templates_owner;
DROP INDEX invite_templates_owner;
CREATE INDEX consent_templates_owner ON consent_templates (tenant_id, mode, id) WHERE deleted = 0;
CREATE INDEX link_templates_owner ON link_templates (tenant_id, mode, id) WHERE deleted = 0;
CREATE INDEX invite_templates_owner ON invite_templates (tenant_id, mode, id) WHERE deleted = 0;
