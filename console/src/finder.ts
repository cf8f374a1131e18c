// "What is my rank, and who is around me?" for one player, kept live.

import { ApiError, aroundUrl, getJson, rankUrl, type Board, type PlayerRank, type Standings } from "./api";
import { boardTitle, type Pick } from "./card";
import { byId, h, setText } from "./dom";
import { formatCount, formatPercent, formatScore, windowLabel } from "./format";
import { displayName, resolvePlayer, type Row } from "./rows";
import { createStandings } from "./standings";

/** Rows shown above and below the player. */
export const NEIGHBOURS = 3;
const SEEN_PLAYERS_MAX = 500;

export interface Finder {
  setBoards(boards: readonly Board[]): void;
  learn(rows: readonly Row[]): void;
  pick(pick: Pick): void;
  picked(): Pick | null;
  refresh(key: string, signal: AbortSignal): Promise<void>;
}

export function createFinder(onChoice: () => void): Finder {
  const form = byId("find-form", HTMLFormElement);
  const input = byId("find-player", HTMLInputElement);
  const boardSelect = byId("find-board", HTMLSelectElement);
  const windowSelect = byId("find-window", HTMLSelectElement);
  const seen = new Map<string, string>();
  const titleOf = (name: string) => {
    const board = boards.find((candidate) => candidate.board === name);
    return board ? boardTitle(board) : name;
  };
  const pickNeighbour = (player: string) => pick({ board: boardSelect.value, window: windowSelect.value, player });
  const view = createAnswerView(titleOf, pickNeighbour);
  let boards: readonly Board[] = [];
  let current: Pick | null = null;

  function setBoards(next: readonly Board[]): void {
    boards = next;
    const kept = boardSelect.value;
    boardSelect.replaceChildren(...boards.map((board) => h("option", { value: board.board }, boardTitle(board))));
    if (boards.some((board) => board.board === kept)) boardSelect.value = kept;
    setWindows();
  }

  function setWindows(): void {
    const kept = windowSelect.value;
    const windows = boards.find((board) => board.board === boardSelect.value)?.windows ?? [];
    windowSelect.replaceChildren(...windows.map(({ window }) => h("option", { value: window }, windowLabel(window))));
    if (windows.some(({ window }) => window === kept)) windowSelect.value = kept;
  }

  function pick(next: Pick): void {
    boardSelect.value = next.board;
    setWindows();
    windowSelect.value = next.window;
    input.value = seen.get(next.player) ?? next.player;
    current = next;
    view.expect(next);
    onChoice();
  }

  function submit(): void {
    const player = resolvePlayer(input.value, seen);
    if (player === "") {
      current = null;
      view.clear();
      onChoice();
    } else pick({ board: boardSelect.value, window: windowSelect.value, player });
  }

  function learn(rows: readonly Row[]): void {
    const known = seen.size;
    for (const row of rows) {
      if (seen.size < SEEN_PLAYERS_MAX || seen.has(row.player_id)) seen.set(row.player_id, displayName(row));
    }
    if (seen.size !== known) byId("seen-players", HTMLDataListElement).replaceChildren(...suggestions(seen));
  }

  async function refresh(key: string, signal: AbortSignal): Promise<void> {
    const asked = current;
    if (asked === null) return;
    try {
      const [rank, around] = await Promise.all([
        getJson<PlayerRank>(rankUrl(asked.board, asked.window, asked.player), key, signal),
        getJson<Standings>(aroundUrl(asked.board, asked.window, asked.player, NEIGHBOURS), key, signal),
      ]);
      if (asked !== current) return;
      learn(around.rows);
      view.show(asked, rank, around);
    } catch (error) {
      if (!(error instanceof ApiError) || [401, 403, 429].includes(error.status)) throw error;
      if (asked === current) view.refuse(asked, error);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  boardSelect.addEventListener("change", () => {
    setWindows();
    if (current) submit();
  });
  windowSelect.addEventListener("change", () => {
    if (current) submit();
  });
  input.addEventListener("search", () => {
    if (input.value === "") submit();
  });
  view.clear();
  return { setBoards, learn, pick, picked: () => current, refresh };
}

/** Offer names; where two players share one, their ids. */
function suggestions(seen: ReadonlyMap<string, string>): HTMLOptionElement[] {
  const counts = new Map<string, number>();
  for (const name of seen.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...seen].map(([playerId, name]) =>
    counts.get(name) === 1 ? h("option", { value: name }) : h("option", { value: playerId, label: name }),
  );
}

function createAnswerView(titleOf: (board: string) => string, onPick: (player: string) => void) {
  const region = byId("find-answer", HTMLElement);
  const hint = h("p", { class: "finder-hint", role: "status" });
  const name = h("bdi");
  const id = h("bdi", { class: "player-id" });
  const rank = h("span", { class: "big-rank" });
  const facts = {
    score: h("bdi", { dir: "ltr" }),
    top: h("bdi", { dir: "ltr" }),
    percentile: h("bdi", { dir: "ltr" }),
    total: h("bdi", { dir: "ltr" }),
  };
  const fact = (label: string, value: HTMLElement) => h("div", {}, h("dt", {}, label), h("dd", {}, value));
  const table = createStandings({ caption: "Around this player", marksEntries: false, onPick });
  const meter = h("div", { class: "meter", "aria-hidden": "true" }, h("span"));
  const summary = h(
    "div",
    { class: "summary" },
    h("h3", {}, name, id),
    h("p", { class: "big" }, h("span", { class: "visually-hidden" }, "Rank "), rank),
    meter,
    h(
      "dl",
      {},
      fact("Score", facts.score),
      fact("Top", facts.top),
      fact("Percentile", facts.percentile),
      fact("Players", facts.total),
    ),
  );
  const answer = h("div", { class: "answer" }, summary, h("div", { class: "around" }, table.element));
  region.append(hint, answer);

  function say(...text: (string | Node)[]): void {
    answer.hidden = true;
    hint.hidden = false;
    hint.replaceChildren(...text);
  }

  return {
    clear() {
      say("Choose a player on a board below, or search here. You see the exact rank and who is just above and below.");
    },
    expect(pick: Pick) {
      if (answer.hidden) say("Looking for ", h("bdi", {}, pick.player), ".");
    },
    refuse(pick: Pick, error: ApiError) {
      if (error.code === "unranked_player") {
        const board = h("bdi", {}, titleOf(pick.board));
        const rest = `, ${windowLabel(pick.window).toLowerCase()}. Names work for players this page has seen; ids always do.`;
        say(h("bdi", { class: "strong" }, pick.player), " has no score on ", board, rest);
      } else say(error.message);
    },
    show(pick: Pick, found: PlayerRank, around: Standings) {
      const shownName = displayName(found);
      setText(name, shownName);
      setText(id, shownName === found.player_id ? "" : found.player_id);
      setText(rank, formatCount(found.rank));
      setText(facts.score, formatScore(found.score));
      setText(facts.top, formatPercent(found.top_percent));
      setText(facts.percentile, formatPercent(found.percentile));
      setText(facts.total, formatCount(found.total));
      meter.style.setProperty("--share", String(found.percentile / 100));
      table.show(around.rows, `${pick.board} ${pick.window} ${pick.player} ${around.period.key}`, found.player_id);
      hint.hidden = true;
      answer.hidden = false;
    },
  };
}
