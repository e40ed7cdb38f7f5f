/** The REST API of the service, as a tenant's server uses it. */
import { rest, sandbox, type Keys } from "../../e2e/support/rest";

export class Api {
  private constructor(
    /** The origin of the service. */
    readonly service: string,
    readonly keys: Keys,
  ) {}

  static async find(): Promise<Api> {
    return new Api(process.env["LINCHPIN_SERVICE_URL"] as string, await sandbox());
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
