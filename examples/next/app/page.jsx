/** Rendered on the server, for each request: the configuration comes from the environment of the server. */
import { Loans } from "./loans";

export const dynamic = "force-dynamic";

export default function Page() {
  const { BASE = "http://localhost:8787/sandbox/v1", TEMPLATE } = process.env;
  return <Loans serviceUrl={new URL(BASE).origin} templateId={TEMPLATE} />;
}
