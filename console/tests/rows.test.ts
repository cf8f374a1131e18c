// Goal: what the arrows say is what happened. Method: two answers in, the changes out; no page involved.

import { describe, expect, test } from "vitest";
import { diffRows, displayName, resolvePlayer, type Row } from "../src/rows";

const row = (rank: number, playerId: string, score = "10"): Row => ({ rank, player_id: playerId, score });

describe("diffRows", () => {
  test("nothing has moved in the first answer", () => {
    expect(diffRows(null, [row(1, "ana"), row(2, "bo")])).toEqual(
      new Map([
        ["ana", { movement: null, scoreChanged: false }],
        ["bo", { movement: null, scoreChanged: false }],
      ]),
    );
  });

  test("an equal answer changes nothing", () => {
    const rows = [row(1, "ana"), row(2, "bo")];
    for (const change of diffRows(rows, structuredClone(rows)).values()) {
      expect(change).toEqual({ movement: null, scoreChanged: false });
    }
  });

  test("who passes others goes up, who is passed goes down", () => {
    const before = [row(1, "ana", "30"), row(2, "bo", "20"), row(3, "cy", "10")];
    const after = [row(1, "cy", "40"), row(2, "ana", "30"), row(3, "bo", "20")];
    const changes = diffRows(before, after);
    expect(changes.get("cy")).toEqual({ movement: { kind: "up", places: 2 }, scoreChanged: true });
    expect(changes.get("ana")).toEqual({ movement: { kind: "down", places: 1 }, scoreChanged: false });
    expect(changes.get("bo")).toEqual({ movement: { kind: "down", places: 1 }, scoreChanged: false });
  });

  test("a player who was not listed has entered, one who left is absent", () => {
    const changes = diffRows([row(1, "ana"), row(2, "bo")], [row(1, "ana"), row(2, "cy")]);
    expect(changes.get("cy")).toEqual({ movement: { kind: "entered" }, scoreChanged: false });
    expect(changes.has("bo")).toBe(false);
  });

  test("entering an empty board is entering", () => {
    expect(diffRows([], [row(1, "ana")]).get("ana")?.movement).toEqual({ kind: "entered" });
  });

  test("a changed line under a shared rank is no movement", () => {
    const changes = diffRows([row(1, "ana"), row(1, "bo")], [row(1, "bo"), row(1, "ana")]);
    expect([...changes.values()].every((change) => change.movement === null)).toBe(true);
  });

  test("scores are compared as text, beyond what a float can tell apart", () => {
    const changes = diffRows([row(1, "ana", "9007199254740992")], [row(1, "ana", "9007199254740993")]);
    expect(changes.get("ana")).toEqual({ movement: null, scoreChanged: true });
  });

  test("ids that are names of object members are ids like others", () => {
    const changes = diffRows([row(1, "__proto__"), row(2, "constructor")], [row(1, "constructor"), row(2, "__proto__")]);
    expect(changes.get("constructor")?.movement).toEqual({ kind: "up", places: 1 });
    expect(changes.get("__proto__")?.movement).toEqual({ kind: "down", places: 1 });
  });
});

describe("displayName", () => {
  test.each([
    [{ player_id: "p1", name: "Ana" }, "Ana"],
    [{ player_id: "p1", name: "  " }, "p1"],
    [{ player_id: "p1", name: null }, "p1"],
    [{ player_id: "p1" }, "p1"],
  ])("%j is shown as %s", (player, shown) => {
    expect(displayName(player)).toBe(shown);
  });
});

describe("resolvePlayer", () => {
  const seen = new Map([
    ["p1", "Ana"],
    ["p2", "p1"],
    ["p3", "Émile"],
  ]);

  test.each([
    ["an id wins over another player's name", "p1", "p1"],
    ["a name in any case", "ANA", "p1"],
    ["an accented name in any case", "émile", "p3"],
    ["blanks around", "  Ana ", "p1"],
    ["unknown text is an id", "p999", "p999"],
    ["nothing is nobody", "   ", ""],
  ])("%s", (_, text, expected) => {
    expect(resolvePlayer(text, seen)).toBe(expected);
  });
});
