// Goal: no key that can write is ever shown. Method: texts in, what the gate says out.

import { describe, expect, test } from "vitest";
import { keyTrouble } from "../src/key";

const rest = `0123456789ab_${"0".repeat(64)}`;

describe("keyTrouble", () => {
  test("a client key is taken", () => {
    expect(keyTrouble(`tr_client_${rest}`)).toBeNull();
  });

  test.each([
    [`tr_server_${rest}`, "That is a server key"],
    [`tr_admin_${rest}`, "That is an admin key"],
    [`tr_other_${rest}`, "That is no client key"],
    [`Bearer tr_client_${rest}`, "That is no client key"],
    ["wrong", "That is no client key"],
    ["", "That is no client key"],
  ])("%s is not, and what to make is said", (key, said) => {
    expect(keyTrouble(key)).toContain(said);
    expect(keyTrouble(key)).toMatch(/Make one with the command below\.$/);
  });

  test("the key itself is not repeated", () => {
    expect(keyTrouble(`tr_admin_${rest}`)).not.toContain(rest);
  });
});
