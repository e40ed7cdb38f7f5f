"""A tenant's server in Python, with a client that openapi-python-client generates from docs/openapi.json."""

import base64
import sys

from linchpin_client import AuthenticatedClient
from linchpin_client.api.accounts import get_account, list_accounts
from linchpin_client.api.events import list_events
from linchpin_client.api.providers import list_providers
from linchpin_client.api.tokens import create_token
from linchpin_client.api.users import create_user
from linchpin_client.api.webhooks import create_webhook
from linchpin_client.models import CreateUser, CreateWebhook, EventSelectionItem

base_url, credentials = sys.argv[1:]
token = base64.b64encode(credentials.encode()).decode()
api = AuthenticatedClient(base_url=base_url, token=token, prefix="Basic")

created = create_user.sync_detailed(client=api, body=CreateUser(reference="python"))
assert created.status_code == 201, created
assert created.parsed.token.access_token
user_id = created.parsed.id

again = create_user.sync_detailed(client=api, body=CreateUser(reference="python"))
assert again.status_code == 200 and again.parsed.id == user_id, again

assert create_token.sync(client=api, user_id=user_id).mode == "SANDBOX"

webhook = create_webhook.sync_detailed(
    client=api,
    body=CreateWebhook(
        url="https://example.com/linchpin",
        event_types=[EventSelectionItem.ALL_EVENTS],
        secret="a secret of the tenant",
    ),
)
assert webhook.status_code == 201, webhook
assert webhook.parsed.include_payload is False

assert list_events.sync(client=api, size=1).items[0].type_ == "USER_CREATED"
assert list_providers.sync(client=api, country="MX").items
accounts = list_accounts.sync(client=api, user_id=user_id)
assert accounts.items == [] and accounts.next_cursor is None, accounts

missing = get_account.sync_detailed(client=api, id="a-0192f0c1a2b37c4d8e5f60718293a4b5")
assert missing.status_code == 404 and missing.parsed.code == "MISSING_RESOURCE", missing

print("python: all requests of a tenant succeeded")
