/**
 * The widget's main screens with a session of the service, as a team would write them: hooks, controlled inputs, a filter while
 * rendering, keyed lists, and a request when a screen needs it. The list has all providers, as the widget's has.
 */

const FACTS = [
  ["What is shared", "Employer, job title, pay and hours, your name and address"],
  ["For how long", "The data are read once, and deleted after 90 days"],
  ["Your login stays private", "It goes to the provider alone, and is not stored"],
  ["You can stop at any time", "Ask the company, or open your own page"],
];
const KINDS = { GOVERNMENT: "Government", EMPLOYER: "Employer", GIG: "Gig work", PAYROLL: "Payroll" };

/** Returns the component for a library, which is React or Preact with its hooks. */
export function linking({ createElement: element, useEffect, useState }, { template }, service) {
  const action = (label, press) => element("button", { type: "button", className: "action", onClick: press }, label);

  function Consent({ onAgree, onDecline }) {
    const { companyName, consent } = template;
    return [
      element("div", { key: "brand", className: "brand" }, companyName),
      element("h1", { key: "h" }, "Connect your account"),
      element("p", { key: "p" }, `${companyName} wants to read your employment and income data.`),
      element(
        "ul",
        { key: "facts" },
        FACTS.map(([title, text]) => element("li", { key: title }, element("strong", null, title), element("span", null, text))),
      ),
      element(
        "div",
        { key: "terms", className: "terms", role: "region", tabIndex: 0 },
        element("h2", null, consent.title),
        element("p", null, `Version ${consent.version}`),
        consent.text.split(/\n\s*\n/).map((text, at) => element("p", { key: at }, text)),
      ),
      element("div", { key: "foot" }, action("Agree and continue", onAgree), action("No, thanks", onDecline)),
    ];
  }

  function Row({ provider, onChoose }) {
    return element(
      "button",
      { type: "button", className: "row", onClick: () => onChoose(provider) },
      element("span", { className: "mark", "aria-hidden": true }, provider.logoUrl ? element("img", { src: provider.logoUrl, alt: "" }) : provider.name.slice(0, 2)),
      element(
        "span",
        { className: "row-names" },
        element("span", { className: "row-name" }, provider.name),
        element("span", { className: "row-detail" }, KINDS[provider.type]),
      ),
      element("svg", { width: 20, height: 20, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", strokeWidth: 2 }, element("path", { d: "m9 6 6 6-6 6" })),
    );
  }

  function Providers({ onChoose }) {
    const [providers, setProviders] = useState(null);
    const [search, setSearch] = useState("");
    useEffect(() => {
      void service.providers().then(({ items }) => setProviders(items.sort((a, b) => (a.searchKey < b.searchKey ? -1 : 1))));
    }, []);
    const wanted = search.trim().toLowerCase();
    const found = providers?.filter(({ searchKey }) => searchKey.includes(wanted));
    return [
      element("h1", { key: "h" }, "Choose your provider"),
      element(
        "label",
        { key: "s" },
        element("span", null, "Search providers"),
        element("input", { type: "search", value: search, onInput: ({ target }) => setSearch(target.value) }),
      ),
      element("p", { key: "n", role: "status" }, found ? `${found.length} providers` : "Loading"),
      found && element("ul", { key: "l", className: "rows" }, found.map((it) => element("li", { key: it.id }, element(Row, { provider: it, onChoose })))),
    ];
  }

  function Login({ provider, onStarted }) {
    const [{ id, fields }] = provider.loginOptions;
    const [values, setValues] = useState({});
    const [isSending, setSending] = useState(false);
    const submit = async (event) => {
      event.preventDefault();
      setSending(true);
      onStarted(await service.start(provider.id, id, values[fields[0].name], values));
    };
    const field = ({ name, label, type, autocomplete }) =>
      element(
        "label",
        { key: name },
        element("span", null, label),
        element("input", {
          type,
          autoComplete: autocomplete,
          value: values[name] ?? "",
          onInput: ({ target }) => setValues((before) => ({ ...before, [name]: target.value })),
        }),
      );
    return [
      element("h1", { key: "h" }, `Sign in to ${provider.name}`),
      element(
        "form",
        { key: "f", onSubmit: submit },
        fields.map(field),
        element("button", { type: "submit", className: "action", disabled: isSending }, isSending ? "Connecting" : "Connect"),
      ),
    ];
  }

  function Progress({ provider, account, onChanged }) {
    useEffect(() => {
      void service.poll(account).then(onChanged);
    }, [account]);
    if (!account.phase.connecting) return element("h1", null, account.phase.connected ? "You’re connected" : "That didn’t work");
    return [
      element("h1", { key: "h" }, `Connecting to ${provider.name}`),
      element("p", { key: "p" }, "This usually takes less than a minute."),
      element(
        "ol",
        { key: "l", className: "steps" },
        ["Your login was sent", `Signing in to ${provider.name}`, "Finishing"].map((step) => element("li", { key: step }, step)),
      ),
    ];
  }

  return function Linking({ close }) {
    const [provider, setProvider] = useState(null);
    const [account, setAccount] = useState(null);
    const [hasAgreed, setAgreed] = useState(false);
    const open = ({ id }) => service.provider(id).then(setProvider);
    const screen = () => {
      if (account) return element(Progress, { provider, account, onChanged: setAccount });
      if (provider) return element(Login, { provider, onStarted: setAccount });
      if (hasAgreed) return element(Providers, { onChoose: open });
      return element(Consent, { onAgree: () => setAgreed(true), onDecline: close });
    };
    return element("div", { className: "card" }, screen());
  };
}
