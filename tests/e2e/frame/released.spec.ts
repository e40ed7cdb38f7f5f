/** Tests every released bridge with the current frame. */
import { readdirSync } from "node:fs";
import { expect, test } from "./stage";

interface Page {
  called: unknown[];
  LinkModal: new (options: object) => { open(): void; state: string };
}

for (const release of readdirSync(new URL("../../fixtures/bridges/", import.meta.url), { withFileTypes: true })) {
  if (!release.isDirectory()) continue;
  for (const version of ["v1", "v2"]) {
    test(`bridge ${version} of release ${release.name} links an account`, async ({ stage }) => {
      await stage.release(`${release.name}/${version}`);
      await stage.page.evaluate(() => {
        const page = window as unknown as Page;
        page.called = [];
        const names = ["onAccountCreated", "onAccountConnected", "onClose"];
        const callbacks = names.map((name) => [name, (argument: unknown) => page.called.push([name, argument])]);
        const options = { templateId: "allowed", userToken: "token-1", ...Object.fromEntries(callbacks) };
        new page.LinkModal(options).open();
      });
      const widget = stage.page.frameLocator("iframe");
      await stage.button("Agree and continue").click();
      await widget.getByRole("button", { name: /Rideo/ }).click();
      await widget.getByLabel("username").fill("good");
      await widget.getByLabel("password", { exact: true }).fill("pass");
      await stage.button("Connect").click();
      await stage.button("Done").click();
      const account = { accountId: expect.any(String), userId: expect.any(String), providerId: "rideo" };
      await expect
        .poll(() => stage.page.evaluate(() => (window as unknown as Page).called))
        .toEqual([
          ["onAccountCreated", account],
          ["onAccountConnected", account],
          ["onClose", { reason: "exit" }],
        ]);
      const sent = stage.calls.find(({ line }) => line === "POST /link/accounts");
      expect(sent?.body).toMatchObject({ loginName: "good", credentials: { keyId: "test", enc: expect.any(String) } });
      expect(JSON.stringify(stage.calls)).not.toContain('"pass"');
    });
  }
}
