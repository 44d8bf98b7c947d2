// Opens what `huller explain` makes of large pages, and times it.
//
//   node large.mjs HULLER BROWSER
//
// Two pages are made: one of 20,000 blocks, and one of 2 MB in fewer, longer ones. For each, with all methods, the time is told from asking for the file to the
// first frame with blocks, and from each of three clicks to the frame that shows what came of it: a block, another method, the tree. Fails if one takes a second.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [program, browserPath] = process.argv.slice(2);
const MOST = 1000;
const folder = mkdtempSync(join(tmpdir(), "huller-large-"));
const words = "the ferry runs again with a new winch, louder bells and a price rise. ";

function page(blocks, times) {
  const lines = Array.from({ length: blocks }, (_, n) => (n % 7 === 3 ? `<ul><li><a href="/${n}">Link ${n}</a></ul>` : `<p>${n} ${words.repeat(times)}</p>`));
  return `<html><title>Large</title><body><article>${lines.join("\n")}</article></body></html>`;
}

/** Milliseconds that `act` takes in the page, up to the second frame after it: the first may have begun before. */
const timed = (view, selector, kind) =>
  view.evaluate(
    ([selector, kind]) =>
      new Promise((done) => {
        const element = document.querySelector(selector);
        const began = performance.now();
        if (kind === "click") element.click();
        else {
          element.value = kind;
          element.dispatchEvent(new Event("change"));
        }
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
      }),
    [selector, kind],
  );

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
let slow = 0;
try {
  for (const [name, html] of [
    ["20,000 blocks", page(20_000, 1)],
    ["2 MB", page(3_000, 10)],
  ]) {
    const source = join(folder, "page.html");
    const explained = join(folder, "explain.html");
    writeFileSync(source, html);
    const ran = spawnSync(absolute(program), ["explain", source, "-o", explained], { encoding: "utf8" });
    if (ran.status !== 0) throw new Error(ran.stderr);
    const view = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await view.goto(pathToFileURL(explained).href);
    await view.waitForSelector(".block");
    const opened = await view.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => done(Math.max(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0, performance.timing.loadEventEnd - performance.timing.navigationStart)))),
    );
    const times = { opens: opened, block: await timed(view, ".block", "click"), method: await timed(view, "#method", "nb") };
    times.tree = await timed(view, "nav button:nth-of-type(3), [role=tab]:nth-of-type(3)", "click");
    const sizes = `${(html.length / 1e6).toFixed(1)} MB of HTML, ${(statSync(explained).size / 1e6).toFixed(1)} MB explained`;
    console.log(`${name} (${sizes}): ${Object.entries(times).map(([what, time]) => `${what} ${Math.round(time)} ms`).join(", ")}`);
    slow += Object.values(times).filter((time) => !(time < MOST)).length;
    await view.context().close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
if (slow > 0) console.error(`${slow} times of a second or more`);
process.exitCode = slow === 0 ? 0 : 1;
