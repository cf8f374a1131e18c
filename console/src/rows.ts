// What changed between two answers for the same board, window and period. Pure: no page, no clock.

export interface Row {
  rank: number;
  player_id: string;
  name?: string | null;
  score: string;
  columns?: Record<string, string>;
}

export type Movement = { kind: "up" | "down"; places: number } | { kind: "entered" };

export interface Change {
  movement: Movement | null;
  scoreChanged: boolean;
}

/**
 * Compare two lists of rows by player.
 *
 * `before` is null for the first answer: then nothing has moved, because nothing was known. Movement is a
 * change of *rank*, not of the place in the list: under shared ranks two players may swap lines and neither
 * has moved. Players who left the list are simply absent from the result.
 */
export function diffRows(before: readonly Row[] | null, after: readonly Row[]): Map<string, Change> {
  const known = before && new Map(before.map((row) => [row.player_id, row]));
  return new Map(after.map((row) => [row.player_id, changeOf(known, row)]));
}

function changeOf(known: ReadonlyMap<string, Row> | null, row: Row): Change {
  if (known === null) return { movement: null, scoreChanged: false };
  const old = known.get(row.player_id);
  if (old === undefined) return { movement: { kind: "entered" }, scoreChanged: false };
  const places = old.rank - row.rank;
  return {
    movement: places === 0 ? null : { kind: places > 0 ? "up" : "down", places: Math.abs(places) },
    scoreChanged: old.score !== row.score,
  };
}

/** The name to show: a player without one, or with an empty one, goes by the id. */
export function displayName(row: { player_id: string; name?: string | null }): string {
  return row.name?.trim() || row.player_id;
}

/**
 * Which player a person means. Ids win over names, because ids are unique; a name matches in any case.
 * Text that matches nothing seen so far is taken as an id: the server knows more players than this page.
 */
export function resolvePlayer(text: string, seen: ReadonlyMap<string, string>): string {
  const wanted = text.trim();
  if (wanted === "" || seen.has(wanted)) return wanted;
  const folded = wanted.toLocaleLowerCase();
  for (const [playerId, name] of seen) {
    if (name.toLocaleLowerCase() === folded) return playerId;
  }
  return wanted;
}
