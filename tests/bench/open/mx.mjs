/** What the backend of MX's connect widget responds, as its API documentation describes: popular institutions, and a member. */

const NAMES = [
  "Hazel Bank", "Bluefin Credit Union", "Cobalt Savings", "Dovetail Bank", "Elmwood Federal", "Foxglove Trust", "Granite Bank",
  "Harbor Credit Union", "Indigo Card", "Juniper Invest", "Keystone Bank", "Lakeside Savings", "Mistral Bank", "Nimbus Pay",
  "Orchid Federal", "Pinnacle Wealth", "Quartz Bank", "Redwood Credit Union", "Sandpiper Bank", "Thistle Mutual", "Umbra Card",
  "Velvet Bank", "Willow Savings", "Xenon Invest", "Yonder Bank",
];
// Without a URL, the widget would load the logo from MX's network.
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="#0b5d6b"/></svg>';
const LOGO = `data:image/svg+xml,${encodeURIComponent(SQUARE)}`;

export const institutions = NAMES.map((name, at) => {
  const code = name.toLowerCase().replaceAll(" ", "-");
  return {
    account_verification_is_enabled: true,
    account_identification_is_enabled: true,
    brand_color_hex_code: null,
    code,
    forgot_password_credential_recovery_url: `https://${code}.example/password`,
    forgot_username_credential_recovery_url: null,
    guid: `INS-bench-${at}`,
    is_disabled_by_client: false,
    login_url: `https://${code}.example/login`,
    logo_url: LOGO,
    name,
    popularity: 32_000 - at,
    supports_oauth: at % 2 === 0,
    tax_statement_is_enabled: false,
    trouble_signing_credential_recovery_url: null,
    url: `https://${code}.example`,
  };
});

export const members = [
  {
    aggregation_status: 6,
    connection_status: 6,
    guid: "MBR-bench",
    institution_guid: institutions[0].guid,
    institution_name: institutions[0].name,
    institution_url: institutions[0].url,
    is_being_aggregated: false,
    is_managed_by_user: true,
    is_manual: false,
    is_oauth: false,
    most_recent_job_detail_code: null,
    name: institutions[0].name,
    needs_updated_credentials: false,
    successfully_aggregated_at: "2026-10-13T17:57:38.000Z",
    user_guid: "USR-bench",
  },
];
