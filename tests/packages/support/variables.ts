/** Returns a variable that `cargo xtask test packages` sets. It builds the packages and installs their tarballs first. */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`cargo xtask test packages\``);
  return value;
}
