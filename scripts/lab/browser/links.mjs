// Compares the links that `huller extract --links` writes with those that a browser finds.
//
//   node links.mjs HULLER BROWSER PAGES ARCHIVE…
//
// Takes PAGES rows of the archives, evenly spread, opens the bytes of each page at its URL in BROWSER
// (Chromium) without scripts and without network, and compares the targets with http and https.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";
import { chromium } from "playwright-core";

const [program, browserPath, most, ...archives] = process.argv.slice(2);
const huller = absolute(program);
const folder = mkdtempSync(join(tmpdir(), "huller-links-"));

function run(...args) {
  const ran = spawnSync(huller, args, { maxBuffer: 1 << 30 });
  if (ran.status !== 0) throw new Error(`huller ${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout;
}

function lines(name) {
  const at = join(folder, name);
  const files = readdirSync(at).filter((file) => file.endsWith(".jsonl"));
  const read = (file) => readFileSync(join(at, file), "utf8").split("\n").filter(Boolean);
  return files.flatMap((file) => read(file).map((line) => ({ ...JSON.parse(line), file })));
}

/** Returns the targets that the browser finds, in document order. */
async function found(browser, row, bytes) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const headers = { "content-type": row.content_type ?? `text/html; charset=${row.charset}` };
  await page.route("**/*", (route) => {
    const isPage = route.request().isNavigationRequest() && route.request().frame() === page.mainFrame();
    return isPage ? route.fulfill({ body: bytes, headers }) : route.abort();
  });
  await page.goto(row.url, { waitUntil: "commit", timeout: 20000 });
  await page.waitForLoadState("domcontentloaded", { timeout: 20000 });
  const targets = await page.evaluate(() =>
    [...document.querySelectorAll("a[href], area[href]")].map((link) =>
      typeof link.href === "string" ? link.href : new URL(link.href.baseVal, document.baseURI).href,
    ),
  );
  await context.close();
  return targets.filter((target) => /^https?:/.test(target));
}

run("extract", ...archives, "-o", join(folder, "rows"), "--links", join(folder, "links"), "--compress", "none", "--quiet");
const byPage = new Map();
for (const link of lines("links")) {
  const key = `${link.file} ${link.parent_id}`;
  byPage.set(key, [...(byPage.get(key) ?? []), link.target]);
}
const rows = lines("rows").filter((row) => /^https?:/.test(row.url ?? ""));
const step = Math.max(1, rows.length / Number(most));
const chosen = Array.from({ length: Math.min(rows.length, Number(most)) }, (_, at) => rows[Math.floor(at * step)]);
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
let [pages, equal, same, links, differing] = [0, 0, 0, 0, 0];
for (const row of chosen) {
  const archive = archives.find((path) => path.endsWith(row.warc_filename));
  const place = row.warc_record_offset === null ? [row.stream_offset, "--stream"] : [row.warc_record_offset];
  const bytes = run("get", archive, ...place.map(String), "--page");
  let expected;
  try {
    expected = await found(browser, row, bytes);
  } catch (error) {
    console.log(`not compared: ${row.url}: ${String(error).split("\n")[0]}`);
    continue;
  }
  const written = byPage.get(`${row.file} ${row.id}`) ?? [];
  const differs = Math.max(expected.length, written.length) - written.filter((target, at) => target === expected[at]).length;
  // A browser opens a link again after each block element that a link without end tag outlasts.
  const missing = (from, others) => [...new Set(from)].filter((target) => !others.includes(target));
  const [lost, extra] = [missing(expected, written), missing(written, expected)];
  same += lost.length + extra.length === 0 ? 1 : 0;
  pages += 1;
  links += expected.length;
  equal += differs === 0 ? 1 : 0;
  differing += differs;
  if (differs > 0) {
    console.log(`${row.url}: ${expected.length} expected, ${written.length} written`);
    for (const target of lost.slice(0, 3)) console.log(`  lost ${target}`);
    for (const target of extra.slice(0, 3)) console.log(`  not in the browser ${target}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${same} of ${pages} pages have the same targets, ${equal} in the same order and number`);
console.log(`${differing} of ${links} links differ by place`);
