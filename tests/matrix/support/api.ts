/** The REST API of the service, as a tenant's server uses it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rest } from "../../e2e/support/rest";

interface Keys {
  sandbox: { apiKey: string; apiSecret: string; baseUrl: string; linkTemplateId: string };
}

export class Api {
  private constructor(
    /** The origin of the service. */
    readonly service: string,
    readonly keys: Keys["sandbox"],
  ) {}

  static async find(): Promise<Api> {
    const file = join(process.env["LINCHPIN_DATA"] as string, "first-keys.json");
    const { sandbox } = JSON.parse(await readFile(file, "utf8")) as Keys;
    return new Api(process.env["LINCHPIN_SERVICE_URL"] as string, sandbox);
  }

  call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    return rest(this.keys, method, path, body) as Promise<Answer>;
  }

  /** Creates a link template that allows these origins. Returns its id. */
  async linkTemplate(allowedOrigins: string[]): Promise<string> {
    const known = await this.call<{ consentTemplateId: string }>("GET", `/linkTemplates/${this.keys.linkTemplateId}`);
    const template = { name: "Host pages", companyName: "Loans", allowedOrigins, consentTemplateId: known.consentTemplateId };
    return (await this.call<{ id: string }>("POST", "/linkTemplates", template)).id;
  }

  /** Creates the user or, if the reference is known, a new link token for the same user. */
  async user(reference: string): Promise<{ token: string }> {
    const user = await this.call<{ token: { accessToken: string } }>("POST", "/users", { reference });
    return { token: user.token.accessToken };
  }
}
