/** `linchpin login` without a key: a member of the portal creates it with the code that the terminal shows. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { accessible, checkAtWidths } from "./support/axe";
import { createTenant, signIn } from "./support/portal";

const SERVICE = process.env["LINCHPIN_SERVICE_URL"] as string;

test("a developer signs the program in with a code from the terminal", async ({ page }, info) => {
  const home = info.outputPath("home");
  const program = process.env["LINCHPIN_BINARY"] as string;
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, LINCHPIN_URL: "", LINCHPIN_API_KEY: "" };
  // `script` gives the program a terminal.
  const login = spawn("script", ["-qefc", `${program} login --url ${SERVICE}`, "/dev/null"], { env });
  let output = "";
  login.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => login.on("exit", resolve));
  try {
    await expect.poll(() => output).toMatch(/type the code +[B-Z]{4}-[B-Z]{4}/);
    const [, code = ""] = /type the code +(\S+)/.exec(output)!;
    expect(output).toContain(`${new URL(SERVICE).port}/console/keys/sandbox`);

    await signIn(page, "device@shop.example", await createTenant());
    await page.getByRole("link", { name: "Sandbox keys" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Laptop");
    const typed = page.getByRole("textbox", { name: "Code of a program" });
    await typed.fill("BCDF-GHJK");
    await page.getByRole("button", { name: "Create key" }).click();
    await expect(typed).toHaveAccessibleDescription(/no program waits with this code/i);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await checkAtWidths(page, colorScheme, [1280, 360])("key-wrong-code");
    }
    await typed.fill(code.toLowerCase());
    await page.getByRole("button", { name: "Create key" }).click();
    const once = page.locator(".once");
    await expect(once).toContainText("The program gets it in a few seconds.");
    await expect(once).not.toContainText("lps_");
    await accessible(page, "the program has its key");

    expect(await ended, output).toBe(0);
    const [, stored = ""] = /stored +(\S+)/.exec(output)!;
    const profile = JSON.parse(await readFile(stored, "utf8")) as Record<string, unknown>;
    expect(JSON.stringify(profile)).toContain("/sandbox/v1");
    expect(stored.startsWith(home), stored).toBe(true);
    expect(output, "the secret is only in the file").not.toContain("lps_");
  } finally {
    login.kill();
  }
});
