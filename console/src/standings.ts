// A table of rows that is kept, not rebuilt: rows belong to players, glide to their new line, and keep focus.

import { h, setText } from "./dom";
import { formatCount, formatScore, formatSlug, hueOf, initialOf } from "./format";
import { diffRows, displayName, type Change, type Movement, type Row } from "./rows";

const MOVEMENT_SHOWN_MS = 6000;
const SHORT_SCORE_CHARACTERS_MAX = 13;
const GLIDE_MS = 520;
const GLIDE_EASING = "cubic-bezier(.2,.75,.25,1)";

interface Line {
  row: HTMLTableRowElement;
  rank: HTMLElement;
  disc: HTMLElement;
  name: HTMLElement;
  details: HTMLElement;
  move: HTMLElement;
  score: HTMLElement;
  movedAtMs: number;
}

export interface StandingsTable {
  element: HTMLTableElement;
  /** `subject` names what is listed (board, window, period); when it changes, nothing counts as movement. */
  show(rows: readonly Row[], subject: string, highlighted?: string): void;
}

export interface StandingsOptions {
  caption: string;
  /** Around one player, others come and go because that player moves; calling them new would be noise. */
  marksEntries: boolean;
  onPick: (playerId: string) => void;
}

export function createStandings({ caption, marksEntries, onPick }: StandingsOptions): StandingsTable {
  const body = h("tbody");
  const element = h(
    "table",
    { class: "standings" },
    h("caption", { class: "visually-hidden" }, caption),
    h(
      "thead",
      { class: "visually-hidden" },
      h("tr", {}, ...["Rank", "Player", "Movement", "Score"].map((name) => h("th", { scope: "col" }, name))),
    ),
    body,
  );
  const lines = new Map<string, Line>();
  let shownRows: readonly Row[] | null = null;
  let shownSubject = "";

  function show(rows: readonly Row[], subject: string, highlighted?: string): void {
    const changes = diffRows(subject === shownSubject ? shownRows : null, rows);
    const isNewSubject = subject !== shownSubject;
    [shownRows, shownSubject] = [rows, subject];
    const tops = isNewSubject ? new Map<string, number>() : topsOf(lines);
    for (const [playerId, line] of lines) {
      if (!changes.has(playerId)) {
        line.row.remove();
        lines.delete(playerId);
      }
    }
    for (const row of rows) {
      const line = lines.get(row.player_id) ?? addLine(row.player_id);
      fillLine(line, row, row.player_id === highlighted);
      showChange(line, changes.get(row.player_id), marksEntries, isNewSubject);
    }
    arrange(rows);
    if (!isNewSubject) glide(tops);
  }

  function addLine(playerId: string): Line {
    const line = createLine(() => onPick(playerId));
    line.disc.style.setProperty("--hue", String(hueOf(playerId)));
    lines.set(playerId, line);
    return line;
  }

  /** Moving a node takes its focus away, so only nodes that must move are moved, and focus is given back. */
  function arrange(rows: readonly Row[]): void {
    const focused = document.activeElement;
    rows.forEach((row, index) => {
      const line = lines.get(row.player_id);
      const there = body.rows[index] ?? null;
      if (line && there !== line.row) body.insertBefore(line.row, there);
    });
    if (focused instanceof HTMLElement && focused !== document.activeElement && body.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }

  /** Start each row where the eye last saw it, then let it run to where it belongs. */
  function glide(tops: ReadonlyMap<string, number>): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const line of lines.values()) for (const animation of line.row.getAnimations()) animation.cancel();
    const now = topsOf(lines);
    for (const [playerId, line] of lines) {
      const before = tops.get(playerId);
      const distance = before === undefined ? 0 : before - (now.get(playerId) ?? before);
      if (before === undefined) line.row.animate({ opacity: [0, 1] }, { duration: GLIDE_MS });
      else if (Math.abs(distance) > 0.5) {
        line.row.animate(
          { transform: [`translateY(${distance}px)`, "none"] },
          { duration: GLIDE_MS, easing: GLIDE_EASING },
        );
      }
    }
  }

  function topsOf(of: ReadonlyMap<string, Line>): Map<string, number> {
    // Against the table, not the window: the page may have scrolled or grown between two answers.
    const origin = element.getBoundingClientRect().top;
    return new Map([...of].map(([playerId, line]) => [playerId, line.row.getBoundingClientRect().top - origin]));
  }

  return { element, show };
}

function createLine(onPick: () => void): Line {
  const rank = h("span");
  const disc = h("span", { class: "disc", "aria-hidden": "true" });
  const name = h("span");
  const details = h("span", { class: "details" });
  const move = h("div", { class: "move" });
  // A number reads from the left in every language; without this, the minus changes sides.
  const score = h("bdi", { dir: "ltr" });
  const scoreCell = h("td", { class: "score" }, score);
  // Each name in its own direction, set apart from its surroundings, so that a long one is cut at its own end.
  const pick = h("button", { type: "button", class: "pick", dir: "auto" }, name);
  pick.addEventListener("click", onPick);
  const who = h("span", { class: "who" }, pick, details);
  const player = h("td", { class: "player" }, h("div", { class: "player-box" }, disc, who));
  const row = h("tr", {}, h("td", { class: "rank" }, rank), player, h("td", {}, move), scoreCell);
  return { row, rank, disc, name, details, move, score, movedAtMs: Number.NEGATIVE_INFINITY };
}

function fillLine(line: Line, row: Row, isHighlighted: boolean): void {
  const name = displayName(row);
  setText(line.rank, formatCount(row.rank));
  line.row.dataset["rank"] = String(row.rank);
  line.row.classList.toggle("is-highlighted", isHighlighted);
  line.row.toggleAttribute("aria-current", isHighlighted);
  setText(line.disc, initialOf(name));
  setText(line.name, name);
  line.name.title = name === row.player_id ? name : `${name} (${row.player_id})`;
  setText(line.details, detailsOf(row));
  const score = formatScore(row.score);
  setText(line.score, score);
  line.score.parentElement?.toggleAttribute("data-long", score.length > SHORT_SCORE_CHARACTERS_MAX);
}

/** The columns behind the first, which is the score itself. */
function detailsOf(row: Row): string {
  return Object.entries(row.columns ?? {})
    .slice(1)
    .map(([name, value]) => `${formatSlug(name)} ${formatScore(value)}`)
    .join(" \u00b7 ");
}

function showChange(line: Line, change: Change | undefined, marksEntries: boolean, forget: boolean): void {
  const nowMs = performance.now();
  if (change?.movement && (marksEntries || change.movement.kind !== "entered")) {
    line.movedAtMs = nowMs;
    showMovement(line.move, change.movement);
  } else if (forget || nowMs - line.movedAtMs > MOVEMENT_SHOWN_MS) {
    delete line.move.dataset["kind"];
    line.move.removeAttribute("title");
    line.move.replaceChildren();
  }
  if (change?.scoreChanged) flash(line.score);
}

function showMovement(cell: HTMLElement, movement: Movement): void {
  cell.dataset["kind"] = movement.kind;
  if (movement.kind === "entered") {
    cell.replaceChildren("new");
    cell.title = "Came onto this list a moment ago";
    return;
  }
  const [glyph, word] = movement.kind === "up" ? ["\u25b2", "up "] : ["\u25bc", "down "];
  cell.title = `${movement.places} ${movement.places === 1 ? "place" : "places"} ${word}a moment ago`;
  cell.replaceChildren(
    h("span", { class: "glyph", "aria-hidden": "true" }, glyph),
    h("span", { class: "visually-hidden" }, word),
    String(movement.places),
  );
}

function flash(cell: HTMLElement): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const accent = getComputedStyle(cell).getPropertyValue("--accent");
  cell.animate({ color: [accent, getComputedStyle(cell).color] }, { duration: 900, easing: "ease-in" });
}
