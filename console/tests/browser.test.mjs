// Goal: the built pages work in a real browser against a real server in demo mode.
// Method: TOPRUNG_URL names the server, which whoever calls this has started. Nothing waits for time:
// each step waits for what it expects to see. Answers are bent only to reach states a healthy server
// does not show (another score, no demo, no answer).

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";

const address = process.env.TOPRUNG_URL;
const origin = address ? new URL(address).origin : "";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic", "--no-first-run", "--disable-sync"];
const STEP_MS_MAX = 15_000;

const options = address ? {} : { skip: "TOPRUNG_URL is not set: the Python tests start the server and set it" };

describe("console", options, () => {
  let browser;

  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env.TOPRUNG_CHROMIUM ?? "/usr/bin/chromium",
      args: FLAGS,
    });
  });

  after(() => browser?.close());

  /** A fresh page of its own for each test; fails on script errors, blocked content and foreign requests. */
  async function withPage(settings, body) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...settings });
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS_MAX);
    const faults = [];
    page.on("pageerror", (error) => faults.push(`script error: ${error.message}`));
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) faults.push(message.text());
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith("http") && url.origin !== origin) faults.push(`foreign request: ${url.origin}`);
    });
    try {
      await body(page);
      assert.deepEqual(faults, []);
    } finally {
      await page.unrouteAll({ behavior: "ignoreErrors" }); // an answer may be half bent as the test ends
      await context.close();
    }
  }

  const open = async (page) => {
    await page.goto(`${origin}/`);
    await page.locator('#health[data-kind="live"]').waitFor();
    await page.locator(".card tbody tr").first().waitFor();
  };
  const firstBoard = (page) => page.locator(".card").first();
  const playerOf = (line) => line.locator(".pick");
  const plain = (shown) => shown.replace(/[,\s%<]/g, "").replace("\u2212", "-");
  const isRank = (url) => url.pathname.includes("/rank/");
  const isTop = (url) => url.pathname.endsWith("/top");

  /** Answer the requests that `matches` picks with what `bend` makes of the server's own answer. */
  const bend = (page, matches, change) =>
    page.route(matches, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change(await response.json()) });
    });

  test("shows the demo's boards live", () =>
    withPage({}, async (page) => {
      await open(page);
      const demo = await (await page.request.get(`${origin}/demo.json`)).json();
      assert.equal(await page.locator(".card").count(), Math.min(6, demo.boards.length));
      const again = page.waitForResponse((response) => isTop(new URL(response.url())) && response.ok());
      await again;
      assert.equal(await page.title(), "toprung");
    }));

  test("a window can be chosen with the keyboard", () =>
    withPage({}, async (page) => {
      await open(page);
      const radios = page.locator('.windows[role="radiogroup"]').first().locator('input[type="radio"]');
      const second = await radios.nth(1).getAttribute("value");
      const asked = page.waitForRequest((request) => {
        const url = new URL(request.url());
        return isTop(url) && url.searchParams.get("window") === second;
      });
      await radios.first().focus();
      await page.keyboard.press("ArrowRight");
      await asked;
      assert.equal(await radios.nth(1).isChecked(), true);
    }));

  test("finds a player: rank, percentile and neighbours agree with the API", () =>
    withPage({}, async (page) => {
      let rank = null;
      // The demo plays on; the first answer stays for good, so that page and answer can be compared.
      await bend(page, isRank, (answer) => (rank ??= answer));
      await open(page);
      const pick = playerOf(firstBoard(page).locator("tbody tr").nth(2));
      await pick.focus();
      await page.keyboard.press("Enter");
      await page.locator(".answer .is-highlighted").waitFor();
      assert.equal(await page.locator(".summary h3 bdi").first().textContent(), rank.name?.trim() || rank.player_id);
      assert.equal(plain(await page.locator(".big-rank").textContent()), String(rank.rank));
      const facts = await page.locator(".summary dd").allTextContents();
      const [score, top, percentile, total] = facts.map(plain);
      assert.equal(score, rank.score);
      assert.ok(Math.abs(Number(top) - rank.top_percent) < 0.011, `${top} is not ${rank.top_percent}`);
      assert.ok(Math.abs(Number(percentile) - rank.percentile) < 0.011, `${percentile} is not ${rank.percentile}`);
      assert.equal(total, String(rank.total));
      assert.equal(await page.locator(".around .is-highlighted").count(), 1);
      const commands = await page.locator("#commands").textContent();
      const n = Number(/[?&]n=(\d+)/.exec(commands)[1]);
      assert.ok(n > 0 && (await page.locator(".around tbody tr").count()) <= 2 * n + 1);
      assert.ok(commands.includes(`/rank/${encodeURIComponent(rank.player_id)}?`.replaceAll("'", "'\\''")));
    }));

  test("says so when a player has no score", () =>
    withPage({}, async (page) => {
      await open(page);
      await page.fill("#find-player", "nobody-by-this-id");
      await page.press("#find-player", "Enter");
      await page.locator(".finder-hint", { hasText: "has no score" }).waitFor();
      const title = await page.locator("#find-board option:checked").textContent();
      assert.ok((await page.locator(".finder-hint").textContent()).includes(`has no score on ${title}, `));
    }));

  test("rows move and say where to when ranks change", () =>
    withPage({}, async (page) => {
      let isSwapped = false;
      let rows = null;
      await bend(page, isTop, (answer) => {
        // The first answer stays for good; later its last row is sent as the first.
        rows ??= answer.rows.slice(0, 4);
        const order = isSwapped ? [rows[3], rows[0], rows[1], rows[2]] : rows;
        return { ...answer, rows: order.map((row, index) => ({ ...row, rank: index + 1 })) };
      });
      await open(page);
      const last = await playerOf(firstBoard(page).locator("tbody tr").nth(3)).textContent();
      isSwapped = true;
      const up = firstBoard(page).locator('tbody tr:first-child .move[data-kind="up"]');
      await up.waitFor();
      assert.equal(await playerOf(firstBoard(page).locator("tbody tr").first()).textContent(), last);
      assert.match(await up.textContent(), /up 3/);
      assert.equal(await up.getAttribute("title"), "3 places up a moment ago");
      assert.equal(await firstBoard(page).locator('.move[data-kind="down"]').count(), 3);
    }));

  test("boards with one window and with several stand side by side", () =>
    withPage({}, async (page) => {
      const isBoards = (url) => url.pathname.endsWith("/v1/boards");
      await bend(page, isBoards, (answer) => ({
        ...answer,
        boards: answer.boards.map((board, index) => (index === 0 ? { ...board, windows: board.windows.slice(0, 1) } : board)),
      }));
      await open(page);
      const boxes = await page.locator(".card").evaluateAll((cards) =>
        cards.slice(0, 2).map((card) => {
          const { top, height } = card.getBoundingClientRect();
          return { top, height, rows: card.querySelector(".card-body").getBoundingClientRect().top };
        }),
      );
      assert.deepEqual(boxes[0], boxes[1]);
    }));

  test("shows titles, keys and commands in full", () =>
    withPage({}, async (page) => {
      await open(page);
      const cut = await page.locator("#find-board, #find-window, .command pre").evaluateAll((elements) =>
        elements.filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.outerHTML),
      );
      assert.deepEqual(cut, []);
    }));

  test("names and ids are text, whatever they hold", () =>
    withPage({}, async (page) => {
      const hostile = '<img src="x" onerror="document.title=1"><b>\u202Ename</b>';
      await bend(page, isTop, (answer) => ({
        ...answer,
        rows: answer.rows.map((row, index) => (index === 0 ? { ...row, name: hostile } : row)),
      }));
      await open(page);
      await page.locator(".card .pick", { hasText: "<img" }).first().waitFor();
      assert.equal(await page.locator(".card img, .card b").count(), 0);
      assert.equal(await page.title(), "toprung");
    }));

  test("says when the server is away, and comes back by itself", () =>
    withPage({}, async (page) => {
      await open(page);
      await page.route("**/v1/**", (route) => route.abort());
      await page.locator('#health[data-kind="away"]').waitFor();
      assert.match(await page.locator("#notice").textContent(), /does not answer/);
      await page.unroute("**/v1/**");
      await page.locator('#health[data-kind="live"]').waitFor();
      assert.equal(await page.locator("#notice").isHidden(), true);
    }));

  test("asks nothing while hidden, and goes on when shown", () =>
    withPage({}, async (page) => {
      // Headless pages are never hidden, so the page is told; its clock is ours, so nothing waits.
      await page.clock.install();
      await open(page);
      const tell = (hidden) =>
        page.evaluate((value) => {
          Object.defineProperty(document, "hidden", { configurable: true, value });
          document.dispatchEvent(new Event("visibilitychange"));
        }, hidden);
      await tell(true);
      let asked = 0;
      page.on("request", () => asked++);
      await page.clock.runFor(10_000);
      assert.equal(asked, 0);
      const next = page.waitForRequest((request) => isTop(new URL(request.url())));
      await tell(false);
      await next;
    }));

  test("without a demo it asks for a key and keeps it for the tab only", () =>
    withPage({}, async (page) => {
      const { key } = await (await page.request.get(`${origin}/demo.json`)).json();
      const refusal = { error: { code: "not_found", message: "Not in demo mode." } };
      await page.route("**/demo.json", (route) => route.fulfill({ status: 404, json: refusal }));
      await page.goto(`${origin}/`);
      for (const role of ["admin", "server"]) {
        await page.locator("#gate-key").fill(key.replace("client", role));
        await page.keyboard.press("Enter");
        await page.locator("#gate-trouble", { hasText: `${role} key` }).waitFor();
        const command = await page.locator("#gate .hint code").textContent();
        assert.equal(command, "toprung keys create --role client --project NAME");
        assert.equal(await page.locator("#gate-key").inputValue(), "");
        assert.equal(await page.locator("#gate").isVisible(), true);
      }
      await page.locator("#gate-key").fill("tr_client_of_another_server");
      await page.keyboard.press("Enter");
      await page.locator("#notice", { hasText: "This server does not know that key." }).waitFor();
      assert.equal(await page.locator("#gate-trouble").isHidden(), true);
      await page.locator("#gate-key").fill(key);
      await page.keyboard.press("Enter");
      await page.locator(".card tbody tr").first().waitFor();
      await page.reload();
      await page.locator(".card tbody tr").first().waitFor();
      assert.equal(await page.evaluate(() => localStorage.length), 0);
      await page.locator("#forget-key").click();
      await page.locator("#gate").waitFor();
      assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    }));

  for (const direction of ["ltr", "rtl"]) {
    for (const colorScheme of ["light", "dark"]) {
      test(`fits 360 px: ${direction}, ${colorScheme}`, () =>
        withPage({ viewport: { width: 360, height: 740 }, colorScheme }, async (page) => {
          await open(page);
          await page.evaluate((value) => (document.documentElement.dir = value), direction);
          await playerOf(firstBoard(page).locator("tbody tr").first()).click();
          await page.locator(".answer .is-highlighted").waitFor();
          const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          assert.ok(excess <= 0, `${excess} px too wide`);
          const { width } = await firstBoard(page).locator(".who").first().boundingBox();
          assert.ok(width >= 60, `${width} px are too few for a name`);
        }));
    }
  }

  test("the reference shows the API and tries it with the demo's key", () =>
    withPage({}, async (page) => {
      await page.goto(`${origin}/docs`);
      const operation = page.locator(".opblock-get", { has: page.locator('[data-path="/v1/boards"]') });
      await operation.locator(".opblock-summary-control").click();
      await operation.getByRole("button", { name: "Try it out" }).click();
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/boards");
      await operation.getByRole("button", { name: "Execute" }).click();
      assert.equal((await answered).status(), 200);
      await operation.locator(".live-responses-table").waitFor();
    }));
});
