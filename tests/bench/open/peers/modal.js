/** A modal with five screens, for Preact and React alike: consent, providers, login, code, success. */

const PROVIDERS = ["Social Security Mexico", "Rideo", "Payroll One", "City Works", "Northwind Staffing", "Delivery Co"];

/** Returns the component for a library: `element` creates elements, and `state` is its `useState`. */
export function modal(element, state) {
  const action = (label, press) => element("button", { type: "button", className: "action", onClick: press }, label);
  const field = (label, type, value, change) =>
    element(
      "label",
      { key: label },
      element("span", null, label),
      element("input", { type, value, onInput: (event) => change(event.target.value) }),
    );

  return function Modal({ close }) {
    const [screen, show] = state("consent");
    const [search, find] = state("");
    const [login, type] = state({ name: "", password: "", code: "" });
    const set = (name) => (value) => type({ ...login, [name]: value });
    const matches = PROVIDERS.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
    const screens = {
      consent: [
        element("h1", { key: "h" }, "Connect your account"),
        element("p", { key: "p" }, "Northwind wants to read your employment and income data for 90 days."),
        ...["Employer and job title", "Pay and hours", "Name and address"].map((point) =>
          element("p", { key: point, className: "point" }, point),
        ),
        element("div", { key: "foot" }, action("Agree and continue", () => show("providers"))),
      ],
      providers: [
        element("h1", { key: "h" }, "Choose your provider"),
        element("div", { key: "s" }, field("Search providers", "search", search, find)),
        element(
          "ul",
          { key: "l" },
          matches.map((name) => element("li", { key: name }, action(name, () => show("login")))),
        ),
      ],
      login: [
        element("h1", { key: "h" }, "Sign in"),
        element(
          "form",
          { key: "f", onSubmit: (event) => (event.preventDefault(), show("code")) },
          field("User name", "text", login.name, set("name")),
          field("Password", "password", login.password, set("password")),
          element("button", { type: "submit", className: "action" }, "Connect"),
        ),
      ],
      code: [
        element("h1", { key: "h" }, "Enter your code"),
        element("div", { key: "c" }, field("Code", "text", login.code, set("code"))),
        element("div", { key: "foot" }, action("Continue", () => show("success"))),
      ],
      success: [
        element("h1", { key: "h" }, "You’re connected"),
        element("div", { key: "foot" }, action("Done", close)),
      ],
    };
    return element("div", { className: "card" }, screens[screen]);
  };
}
