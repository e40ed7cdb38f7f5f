/** The first steps of the tests that use the keyboard only. */
import { Recorder } from "./recorder";
import { PROVIDER, type Tenant } from "./widget";

/** A page and its open widget. */
type Opened = Pick<Tenant, "page" | "widget">;

/** Opens the widget with Enter, and records from its first screen. */
export async function start(tenant: Tenant): Promise<Recorder> {
  await tenant.goto();
  await tenant.connect.focus();
  await tenant.page.keyboard.press("Enter");
  const { widget } = tenant;
  await widget.heading.waitFor();
  const recorder = new Recorder(tenant.page, widget);
  await recorder.listen();
  return recorder;
}

/** Goes to the login of a provider. */
export async function toLogin(recorder: Recorder, tenant: Opened): Promise<void> {
  await recorder.tabTo("Agree and continue");
  await tenant.page.keyboard.press("Enter");
  await tenant.widget.shows("Choose your provider");
  await recorder.tabTo("searchbox");
  await tenant.page.keyboard.type(PROVIDER);
  await tenant.widget.frame.getByRole("list", { name: "Matching providers" }).waitFor();
  await tenant.page.keyboard.press("ArrowDown");
  await tenant.page.keyboard.press("Enter");
  await tenant.widget.shows(`Sign in to ${PROVIDER}`);
}

/** Goes to the login of a provider, and signs in. */
export async function signIn(recorder: Recorder, tenant: Opened, login: string): Promise<void> {
  await toLogin(recorder, tenant);
  await recorder.tabTo("User name");
  await tenant.page.keyboard.type(login);
  await recorder.tabTo("Password");
  await tenant.page.keyboard.type("pass");
  await tenant.page.keyboard.press("Enter");
}
