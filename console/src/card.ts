// One live board: title, window picker, rows, and how long the period still runs.

import { ApiError, getJson, topUrl, type Board, type Standings } from "./api";
import { h, setText } from "./dom";
import { formatCount, formatDuration, formatSlug, windowLabel } from "./format";
import type { Row } from "./rows";
import { createStandings } from "./standings";

export const ROWS_SHOWN = 10;

export interface Pick {
  board: string;
  window: string;
  player: string;
}

export interface Card {
  element: HTMLElement;
  board: string;
  window(): string;
  refresh(key: string, signal: AbortSignal): Promise<readonly Row[]>;
}

export const boardTitle = (board: Board) => board.title?.trim() || formatSlug(board.board);

let cardCount = 0;

export function createCard(board: Board, onPick: (pick: Pick) => void, onChoice: () => void): Card {
  const title = boardTitle(board);
  const titleId = `board-${cardCount++}`;
  let chosen = board.windows[0]?.window ?? "all";
  const table = createStandings({
    caption: title,
    marksEntries: true,
    onPick: (player) => onPick({ board: board.board, window: chosen, player }),
  });
  const message = h("p", { class: "card-message", hidden: true });
  const total = h("span");
  const closing = h("span");
  const picker = createWindowPicker(board, titleId, (window) => {
    chosen = window;
    onChoice();
  });
  const element = h(
    "article",
    { class: "card", "aria-labelledby": titleId, "aria-busy": "true" },
    h("header", {}, h("h2", { id: titleId }, h("bdi", {}, title)), picker),
    h("div", { class: "card-body" }, table.element, message),
    h("footer", {}, total, closing),
  );

  function say(text: string): void {
    setText(message, text);
    message.hidden = text === "";
  }

  async function refresh(key: string, signal: AbortSignal): Promise<readonly Row[]> {
    const asked = chosen;
    try {
      const answer = await getJson<Standings>(topUrl(board.board, asked, ROWS_SHOWN), key, signal);
      if (asked !== chosen) return []; // chosen anew meanwhile: this answer is for another picture
      element.removeAttribute("aria-busy");
      table.show(answer.rows, `${asked} ${answer.period.key}`);
      say(answer.rows.length === 0 ? "No scores in this window yet." : "");
      setText(total, answer.total === 1 ? "1 player" : `${formatCount(answer.total)} players`);
      setText(closing, closingText(answer.period.end));
      return answer.rows;
    } catch (error) {
      if (!(error instanceof ApiError) || [401, 403, 429].includes(error.status)) throw error;
      element.removeAttribute("aria-busy");
      table.show([], `${asked} ${error.code}`);
      say(error.message);
      return [];
    }
  }

  return { element, board: board.board, window: () => chosen, refresh };
}

function closingText(end: string | null): string {
  if (end === null) return "";
  const leftMs = Date.parse(end) - Date.now();
  if (Number.isNaN(leftMs)) return "";
  return leftMs > 0 ? `closes in ${formatDuration(leftMs)}` : "closing";
}

/** A board with one window says which; so all cards have this line, and their rows stand side by side. */
function createWindowPicker(board: Board, titleId: string, onChoose: (window: string) => void): HTMLElement {
  if (board.windows.length < 2) {
    return h("p", { class: "windows" }, h("span", {}, windowLabel(board.windows[0]?.window ?? "all")));
  }
  const group = h("div", { class: "windows", role: "radiogroup", "aria-label": `Window of ${boardTitle(board)}` });
  board.windows.forEach(({ window }, index) => {
    const radio = h("input", { type: "radio", name: titleId, value: window, checked: index === 0 });
    radio.addEventListener("change", () => onChoose(window));
    group.append(h("label", {}, radio, h("span", {}, windowLabel(window))));
  });
  return group;
}
