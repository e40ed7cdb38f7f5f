/** A person who is invited, and later opens their own page. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { rest, sandbox } from "./rest";

const run = promisify(execFile);

/** Invites a person, and waits until the mail is stored. */
export async function invitePerson(emailAddress: string): Promise<{ landingPageUrl: string; userId: string }> {
  const keys = await sandbox();
  const { id, landingPageUrl, userId } = await rest(keys, "POST", "/invites", {
    fullName: "Ana Ruiz",
    emailAddress,
    inviteTemplateId: keys.inviteTemplateId,
    linkTemplateId: keys.linkTemplateId,
    // The helpers of the widget know the English words.
    locale: "en",
  });
  await expect.poll(async () => (await rest(keys, "GET", `/invites/${id}`)).invitedAt).not.toBeNull();
  return { landingPageUrl, userId };
}

/** Returns the link to the person's own page in the stored mail, as the operator reads it. */
export async function mailedLink(address: string): Promise<string> {
  const program = process.env["LINCHPIN_BINARY"] as string;
  const show = () =>
    run(program, ["mail", "page-link", address, "--data-dir", process.env["LINCHPIN_DATA"] as string]).then(
      ({ stdout }) => /\S+\/me\/open\/\S+/.exec(stdout)?.[0] ?? "",
      () => "",
    );
  await expect.poll(show).not.toBe("");
  return show();
}
