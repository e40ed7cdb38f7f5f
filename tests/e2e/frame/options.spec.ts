/** Options of a frame that opens before its program has loaded. */
import { expect, test } from "./stage";
import { hold, start } from "./start";

const WRONG: Record<string, unknown>[] = [
  { theme: "blue" },
  { enableUpload: "no" },
  { locale: 5 },
  { providers: "rideo" },
  { providers: [["rideo"]] },
  { topProviders: [...Array(11)].map((_, at) => `p${at}`) },
  { companyName: " " },
  { companyName: true },
  { providerId: "Rideo" },
  { providerId: ["rideo"] },
  { accountId: "rideo" },
];

for (const options of WRONG) {
  test(`a wrong option is reported before the token is used: ${JSON.stringify(options).slice(0, 32)}`, async ({ stage, page }) => {
    const release = await hold(page);
    await start(stage, options);
    await expect(page.frameLocator("iframe").getByRole("status")).toHaveText("Getting ready");
    release();
    const [name] = Object.keys(options);
    expect(await stage.until("failed")).toEqual([{ failed: { cause: "options", detail: expect.stringContaining(name!) } }]);
    expect(stage.calls).toEqual([]);
    expect((await stage.heard()).filter((message) => message["ready"])).toEqual([]);
  });
}

const RIGHT: Record<string, unknown>[] = [
  { theme: "system", enableUpload: false, enableSearchBar: true, locale: "zh-Hans" },
  { theme: undefined, locale: "en", accountId: `a-${"0".repeat(32)}` },
];

for (const options of RIGHT) {
  test(`right options do not let the exchange wait: ${JSON.stringify(options).slice(0, 32)}`, async ({ stage, page }) => {
    const release = await hold(page);
    await start(stage, options);
    await expect.poll(() => stage.calls.map(({ line }) => line)).toEqual(["POST /link/sessions"]);
    release();
    await stage.until("ready");
    expect((await stage.heard()).filter((message) => message["failed"])).toEqual([]);
  });
}

test("options that only the program can judge let the exchange wait", async ({ stage, page }) => {
  const release = await hold(page);
  await start(stage, { providers: ["rideo"], topProviders: [], companyName: "7 Leguas", locale: "en-Latn-US", providerId: null });
  await expect(page.frameLocator("iframe").getByRole("status")).toHaveText("Getting ready");
  release();
  await stage.button("Agree and continue").waitFor();
  expect(stage.calls).toHaveLength(1);
});
