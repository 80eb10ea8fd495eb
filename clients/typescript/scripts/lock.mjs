// Takes what names a host out of package-lock.json: npm writes where packages ask for money, which installs nothing.
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const each of Object.values(lock.packages)) {
  delete each.funding;
  delete each.resolved;
}
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
