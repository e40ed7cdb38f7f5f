/** Prints every case with its result, in the order of the files. */
import type { Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";

export default class Table implements Reporter {
  readonly #results = new Map<TestCase, TestResult>();
  #suite: Suite | undefined;

  onBegin(_: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#results.set(test, result);
  }

  onEnd(): void {
    const rows = (this.#suite?.allTests() ?? []).map((test) => {
      const [, project = "", file = "", ...titles] = test.titlePath();
      const result = this.#results.get(test);
      const group = titles.length > 1 ? titles[0] : file.replace(/^.*\/|\.spec\.ts$/g, "");
      return { project, group, name: titles.at(-1) ?? "", result: result?.status ?? "did not run", ms: result?.duration ?? 0 };
    });
    const width = (of: (row: (typeof rows)[number]) => string): number => Math.max(0, ...rows.map((row) => of(row).length));
    const [projects, groups, names] = [width((row) => row.project), width((row) => row.group ?? ""), width((row) => row.name)];
    console.log("");
    for (const { project, group, name, result, ms } of rows) {
      const cells = [project.padEnd(projects), (group ?? "").padEnd(groups), name.padEnd(names), result.padEnd(9)];
      console.log(`${cells.join("  ")} ${(ms / 1000).toFixed(1).padStart(6)} s`);
    }
    const good = rows.filter(({ result }) => result === "passed").length;
    console.log(`\nmatrix: ${rows.length} cases, ${good} good, ${rows.length - good} bad`);
  }
}
