/** Tests a link site as a stranger opens it on a phone: first page, form with a condition, widget, end page. */
import { accessible, reflows } from "./support/axe";
import { rest, sandbox, type Keys } from "./support/rest";
import { expect, test, Widget } from "./support/widget";

const FORM = {
  name: "About the loan",
  reference: "loan-2026",
  fields: [
    { name: "intro", label: "It takes two minutes.", type: "STATEMENT" },
    { name: "purpose", label: "What is it for?", type: "CHOICE", required: true, choices: ["Car", "Home"] },
    {
      name: "brand",
      label: "Which brand?",
      type: "TEXT",
      required: true,
      condition: { join: "ALL", rules: [{ field: "purpose", operator: "EQUALS", values: ["Car"] }] },
    },
    { name: "extras", label: "What else do you need?", type: "SEVERAL", choices: ["Insurance", "Repairs"] },
    { name: "amount", label: "How much?", type: "NUMBER", help: "In pesos" },
    { name: "story", label: "Tell us more", type: "LONG_TEXT" },
    { name: "campaign", label: "Campaign", type: "HIDDEN" },
  ],
};

async function publish(keys: Keys, slug: string): Promise<{ id: string; url: string }> {
  return rest(keys, "POST", "/alpha/linkSites", {
    name: "Loans",
    slug,
    status: "PUBLISHED",
    linkTemplateId: keys.linkTemplateId,
    steps: ["FORM", "WIDGET", "THANK_YOU"],
    form: FORM,
    prefill: ["campaign"],
    startPage: { title: "Apply for a loan", text: "A few questions, and the account of your employer." },
    endPage: { title: "All done", text: "We will write to you within two days." },
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test.describe(`in the ${colorScheme} theme, at ${width} pixels`, () => {
      test.use({ colorScheme, viewport: { width, height: 740 } });

      test("a stranger answers a form, links an account and sees the end page", async ({ page }, info) => {
        const look = async (screen: string): Promise<void> => {
          await accessible(page, screen);
          await reflows(page, screen);
          const name = `${screen.replaceAll(" ", "-")}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: info.outputPath(name), fullPage: true });
        };
        const keys = await sandbox();
        const slug = `story-${colorScheme}-${width}-${Date.now()}`;
        const site = await publish(keys, slug);

        await page.goto(`${site.url}?campaign=spring`);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apply for a loan");
        await look("first page");
        await page.getByRole("button", { name: "Continue" }).click();

        await expect(page.getByRole("heading", { level: 1 })).toHaveText("About the loan");
        await expect(page.getByLabel("Which brand?")).toBeHidden();
        await look("form");
        await page.getByLabel("What is it for?").selectOption("Car");
        await page.getByLabel("Which brand?").fill("Aurora");
        await page.getByLabel("Insurance").check();
        await page.getByLabel("How much?").fill("a lot");
        await page.getByRole("button", { name: "Continue" }).click();
        await expect(page.getByRole("alert")).toBeVisible();
        await look("form with faults");
        await page.getByLabel("How much?").fill("1250.50");
        await page.getByLabel("Tell us more").fill("It is red.");
        await expect
          .poll(async () => (await rest(keys, "GET", `/alpha/forms?linkSiteId=${site.id}&status=STARTED`)).items.length)
          .toBe(1);

        // The answers are kept if the person leaves.
        await page.goto("about:blank");
        await page.goto(site.url);
        await expect(page.getByLabel("Which brand?")).toHaveValue("Aurora");
        await page.getByLabel("How much?").fill("1250.50");
        await page.getByRole("button", { name: "Continue" }).click();

        const widget = new Widget(page, page.frameLocator("dialog iframe"));
        await widget.heading.waitFor();
        await widget.link("good");
        await widget.shows("You’re connected");
        await widget.button("Done").click();
        await page.waitForURL("**/visit/done");
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("All done");
        await look("end page");

        const [form] = (await rest(keys, "GET", `/alpha/forms?linkSiteId=${site.id}`)).items;
        expect(form.data).toMatchObject({
          purpose: "Car",
          brand: "Aurora",
          extras: ["Insurance"],
          amount: "1250.5",
          campaign: "spring",
        });
        const { linkSiteSessionId, userId } = form;
        const accounts = await rest(keys, "GET", `/accounts?linkSiteSessionId=${linkSiteSessionId}`);
        expect(accounts.items).toHaveLength(1);
        expect(accounts.items[0].userId).toBe(userId);
      });
    });
  }
}

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test("the form asks for a field that an answer leads to", async ({ page }) => {
    const keys = await sandbox();
    const site = await publish(keys, `plain-${Date.now()}`);
    await page.goto(site.url);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("What is it for?").selectOption("Car");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Which brand?").fill("Aurora");
    // The service rejects a form that is sent within two seconds.
    await expect(async () => {
      const again = page.getByRole("button", { name: "Continue" });
      if (await again.isVisible()) await again.click({ timeout: 2_000 });
      await expect(page.locator("noscript .trouble")).toBeVisible({ timeout: 1000 });
    }).toPass();
    await expect(page).toHaveURL(/\/visit$/);
    await expect(page.locator("noscript .trouble")).toContainText("requires JavaScript");
  });
});
