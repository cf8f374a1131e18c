// Goal: people read the number the server sent, to the last digit. Method: tables of text in, text out.

import { describe, expect, test } from "vitest";
import {
  curlCommand,
  formatDuration,
  formatPercent,
  formatScore,
  formatSentence,
  formatSlug,
  hueOf,
  initialOf,
  shellQuote,
  windowLabel,
} from "../src/format";

describe("formatScore", () => {
  test.each([
    ["0", "0"],
    ["999", "999"],
    ["1000", "1,000"],
    ["-1234567", "\u22121,234,567"],
    ["1234.50", "1,234.50"],
    ["0.123456", "0.123456"],
    ["-0.5", "\u22120.5"],
    ["9007199254740993", "9,007,199,254,740,993"],
    ["123456789012345678901234567890", "123,456,789,012,345,678,901,234,567,890"],
    ["not a number", "not a number"],
    ["1e400", "1e400"],
    ["", ""],
  ])("%s -> %s", (score, shown) => {
    expect(formatScore(score)).toBe(shown);
  });
});

describe("formatPercent", () => {
  test.each([
    [100, "100\u00a0%"],
    [99.999999, "99.99\u00a0%"],
    [16.666666666666668, "16.67\u00a0%"],
    [33.333333333333336, "33.33\u00a0%"],
    [98.2, "98.2\u00a0%"],
    [0.004, "<0.01\u00a0%"],
    [0, "0\u00a0%"],
    [2.1, "2.1\u00a0%"],
    [1.16, "1.16\u00a0%"],
  ])("%d -> %s", (percent, shown) => {
    expect(formatPercent(percent)).toBe(shown);
  });
});

describe("formatDuration", () => {
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  test.each([
    [-5, "0\u00a0s"],
    [1, "1\u00a0s"],
    [59 * second, "59\u00a0s"],
    [minute, "1\u00a0min"],
    [hour - second, "59\u00a0min"],
    [3 * hour + 5 * minute, "3\u00a0h 05\u00a0min"],
    [2 * day + 4 * hour, "2\u00a0d 4\u00a0h"],
  ])("%d ms -> %s", (milliseconds, shown) => {
    expect(formatDuration(milliseconds)).toBe(shown);
  });
});

test.each([
  ["this server does not know that key", "This server does not know that key."],
  ["Wait a moment.", "Wait a moment."],
])("the message %j becomes a sentence", (message, sentence) => {
  expect(formatSentence(message)).toBe(sentence);
});

test("slugs and windows read like words", () => {
  expect(formatSlug("high-scores")).toBe("High scores");
  expect(formatSlug("--")).toBe("--");
  expect(windowLabel("all")).toBe("All time");
  expect(windowLabel("weekly")).toBe("Weekly");
});

describe("commands", () => {
  test("a quote in an id does not end the argument", () => {
    expect(shellQuote("o'brien; rm -rf $HOME")).toBe("'o'\\''brien; rm -rf $HOME'");
  });

  test("the key travels in the header, not in the address", () => {
    expect(curlCommand("http://127.0.0.1:8080/v1/boards", "KEY")).toBe(
      "curl -sS -H 'Authorization: Bearer KEY' \\\n  'http://127.0.0.1:8080/v1/boards'; echo",
    );
  });
});

test("initials are whole graphemes", () => {
  expect(initialOf("ana")).toBe("A");
  expect(initialOf("e\u0301mile")).toBe("E\u0301");
  expect(initialOf("\u{1F1EA}\u{1F1F8} Team")).toBe("\u{1F1EA}\u{1F1F8}");
  expect(initialOf("")).toBe("");
});

test("hues are stable and in the circle", () => {
  for (const id of ["", "p1", "p2", "مريم", "\u{1F680}".repeat(200)]) {
    expect(hueOf(id)).toBe(hueOf(id));
    expect(hueOf(id)).toBeGreaterThanOrEqual(0);
    expect(hueOf(id)).toBeLessThan(360);
  }
});
