// Looks at the pages that huller makes, in a real browser: explain, report, serve.
//
//   node look.mjs HULLER BROWSER [FOLDER]
//
// Makes a run of the bundled sample, an index, and hostile rows with HULLER, opens what comes of them in BROWSER (Chromium) at 360 and 1,440
// pixels, light and dark, and fails if a page asks for anything that is not its own, writes an error to the console, is wider than the
// window, breaks a rule of axe-core that is serious, or if clicks do not lead where they should. Screenshots go to FOLDER.

import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve as absolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [program, browserPath, pictures] = process.argv.slice(2);
const huller = absolute(program);
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const sizes = [
  [360, "light"],
  [1440, "dark"],
];
const faults = [];
const folder = mkdtempSync(join(tmpdir(), "huller-browser-"));
const at = (name) => join(folder, name);

function check(holds, what) {
  if (!holds) faults.push(what);
}

// In the folder, so that no page shows where on this machine it was made.
function run(...args) {
  const ran = spawnSync(huller, args, { cwd: folder, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`huller ${args.join(" ")}: ${ran.stderr}`);
}

/** Starts `huller serve`; gives the process and its address. */
function serve(...args) {
  const child = spawn(huller, ["serve", ...args, "--address", "127.0.0.1:0"], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    child.stderr.once("data", (data) => resolve([child, String(data).trim()]));
    child.once("exit", () => reject(new Error("huller serve ended")));
  });
}

/** What the terms of a score make, and the score; `numbers` are those of the table, the last of which are results. */
function madeOf(rule, numbers) {
  const value = (text) => Number(text.replace(/^[×+=] /, "").replace(/^− /, "-").replace("−", "-"));
  const results = rule === "logistic" ? 2 : 1;
  const terms = numbers.slice(0, -results).map(value);
  const score = value(numbers[numbers.length - 1]);
  const sum = terms.reduce((a, b) => a + b, 0);
  return [rule === "product" ? terms.reduce((a, b) => a * b, 1) : rule === "sum" ? sum : 1 / (1 + Math.exp(-sum)), score];
}

/** Opens an address with a fresh page, lets `use` do what a user would, and checks what holds of every page. */
async function look(browser, name, address, use = async () => {}) {
  for (const [width, colorScheme] of sizes) {
    const label = `${name} at ${width}`;
    // axe-core is a script, which no policy of these pages allows.
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("console", (message) => check(message.type() !== "error", `${label}: ${message.text()}`));
    page.on("pageerror", (error) => check(false, `${label}: ${error}`));
    page.on("dialog", (dialog) => check(false, `${label}: a dialog says ${dialog.message()}`));
    const origin = new URL(address).origin;
    page.on("request", (request) => {
      const url = request.url();
      check(url === address || (origin !== "null" && url.startsWith(`${origin}/`)), `${label} asks for ${url}`);
    });
    await page.goto(address);
    await use(page, label);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    check(beyond <= 0, `${label}: ${beyond} pixels too wide`);
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const { id, impact, nodes } of violations) {
      check(!["serious", "critical"].includes(impact), `${label}: ${id} (${impact}): ${nodes[0].html.slice(0, 150)}`);
    }
    await context.close();
  }
}

const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title><svg onload=alert(1)>",
  "javascript:alert(1)",
  "\u202e<b>\u001b[2J",
  "</script><iframe src=//evil.test>",
];

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
const servers = [];
try {
  if (pictures) mkdirSync(pictures, { recursive: true });
  copyFileSync(join(root, "data", "sample.warc.gz"), at("sample.warc.gz"));
  copyFileSync(join(root, "data", "pages", "01-news-ferry.html"), at("ferry.html"));
  run("extract", "sample.warc.gz", "-q", "-o", "corpus");
  run("index", "corpus", "-q", "-o", "sample");
  run("report", "corpus", "-o", "report.html");
  run("explain", "ferry.html", "-o", "explain.html");

  await look(browser, "explain", pathToFileURL(at("explain.html")).href, async (page, label) => {
    check((await page.innerText("body")).length > 1000, `${label}: the page is empty`);
    const methods = await page.locator("#method option").evaluateAll((options) => options.map((option) => option.value));
    const withTerms = [];
    for (const method of methods) {
      await page.selectOption("#method", method);
      // The block that the method keeps first, then the last of the page.
      for (const block of [page.locator(".block.kept").first(), page.locator(".block").last()]) {
        if ((await block.count()) === 0) continue;
        await block.click();
        check((await page.innerText("#detail h2 >> nth=0")).startsWith("Block "), `${label}: ${method} shows no block`);
        check(!/NaN|undefined/.test(await page.innerText("#detail")), `${label}: ${method} shows no number`);
        if ((await page.locator("#terms").count()) === 0) continue;
        withTerms.push(method);
        check((await page.innerText("#terms .equation")).includes("="), `${label}: ${method} has no equation`);
        const rule = await page.getAttribute("#terms", "data-rule");
        const [made, score] = madeOf(rule, await page.locator("#terms td.number").allInnerTexts());
        check(Math.abs(made - score) <= 0.01 * Math.abs(score) + 0.002, `${label}: the terms of ${method} make ${made}, not ${score}`);
      }
    }
    for (const method of ["hull", "nb", "ceds", "tsd", "pvalue", "dvps", "cetd", "vips"]) {
      check(withTerms.includes(method), `${label}: ${method} shows no terms`);
    }
    await page.selectOption("#method", "hull");
    await page.locator(".block.kept").first().click();
  });
  await look(browser, "report", pathToFileURL(at("report.html")).href);

  const [sampleServer, site] = await serve("corpus", "--index", "sample", "--archives", ".");
  servers.push(sampleServer);
  await look(browser, "serve", site, async (page, label) => {
    await page.fill("#q", "ferry");
    await page.press("#q", "Enter");
    await page.waitForSelector("mark");
    check((await page.locator(".hits li").count()) === 2, `${label}: ferry has two hits`);
  });
  await look(browser, "serve-row", site, async (page, label) => {
    // From a query to the reason for a block in three clicks: the hit, why, the block.
    await page.fill("#q", "ferry");
    await page.press("#q", "Enter");
    await page.click(".hits a");
    check((await page.innerText("h1")).includes("Chain ferry"), `${label}: the hit leads to its row`);
    const explained = await page.getAttribute("a[href^='/explain']", "href");
    const answer = await page.request.get(new URL(explained, site).href);
    check(answer.ok(), `${label}: /explain says ${answer.status()}`);
    const bytes = await page.getAttribute("a[href^='/page']", "href");
    const original = await page.request.get(new URL(bytes, site).href);
    check(original.headers()["content-disposition"]?.startsWith("attachment"), `${label}: the page is a download`);
  });

  const rows = Array.from({ length: 500 }, (_, n) => {
    const one = hostile[n % hostile.length];
    const other = hostile[Math.floor(n / hostile.length) % hostile.length];
    return JSON.stringify({ id: `${n}`, title: one + other, text: `ferry ${other} ${one}`, url: `http://a.test/${one}`, language: one });
  });
  writeFileSync(at("hostile.jsonl"), rows.join("\n"));
  run("index", "hostile.jsonl", "-q", "-o", "hostile");
  const [hostileServer, hostileSite] = await serve("--index", "hostile");
  servers.push(hostileServer);
  await look(browser, "hostile", `${hostileSite}?q=ferry`, async (page, label) => {
    let seen = 0;
    for (;;) {
      seen += await page.locator(".hits li").count();
      check((await page.locator("main img, main svg, main iframe, main script, main b").count()) === 0, `${label}: markup of a row`);
      const next = page.locator("a[rel=next]");
      if ((await next.count()) === 0) break;
      await next.click();
    }
    check(seen === 500, `${label}: ${seen} of 500 rows`);
    await page.click(".hits a");
    check((await page.innerText(".text")).includes("ferry"), `${label}: the row is shown`);
  });
} finally {
  for (const server of servers) server.kill();
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? "explain, report and serve are as they should be" : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
