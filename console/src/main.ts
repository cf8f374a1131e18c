// The demo page: learn key and boards, then one round a second for everything that is shown.

import { ApiError, getJson, readBoards, readDemo, topUrl, type Board, type Standings } from "./api";
import { boardTitle, createCard, type Card, type Pick } from "./card";
import { createCommands } from "./commands";
import { byId, h, setText } from "./dom";
import { createFinder } from "./finder";
import { keyTrouble, storedKey, storeKey } from "./key";
import { createPoller, type Health } from "./poller";
import type { Row } from "./rows";

const CARDS_MAX = 6;
const NAMES_LEARNT_PER_BOARD = 100;

interface Session {
  key: string;
  isDemo: boolean;
  boards: Board[];
}

const gate = byId("gate", HTMLElement);
const content = byId("content", HTMLElement);
const notice = byId("notice", HTMLElement);
const commands = createCommands();
const finder = createFinder(() => {
  showCommands();
  poller.wake();
});
const poller = createPoller(round, showHealth, refuse);

let typedKey = storedKey();
let session: Session | null = null;
let cards: Card[] = [];
let firstPlayer: string | null = null;

class KeyNeeded extends Error {}

async function round(signal: AbortSignal): Promise<void> {
  if (session === null) {
    const opened = await openSession();
    if (signal.aborted) return;
    session = opened;
    showSession(session);
    void learnNames(session, signal);
  }
  const { key } = session;
  try {
    const lists = await Promise.all([...cards.map((card) => card.refresh(key, signal)), finder.refresh(key, signal)]);
    const rows = lists.flatMap((list) => (list as readonly Row[] | void) ?? []);
    finder.learn(rows);
    if (firstPlayer === null && rows[0]) {
      firstPlayer = rows[0].player_id;
      showCommands();
    }
  } catch (error) {
    // A restarted demo has a new key: open once more before bothering the person.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    session = null;
  }
}

async function openSession(): Promise<Session> {
  const demo = await readDemo();
  const key = demo?.key ?? typedKey;
  if (key === null) throw new KeyNeeded("");
  const boards = await readBoards(key);
  if (demo === null) return { key, isDemo: false, boards };
  const order = new Map(demo.boards.map((name, index) => [name, index]));
  const place = (board: Board) => order.get(board.board) ?? order.size;
  return { key, isDemo: true, boards: boards.filter((board) => order.has(board.board)).sort((a, b) => place(a) - place(b)) };
}

/** Boards find players by id only; so that a name works too, learn those of the upper hundred once. */
async function learnNames({ key, boards }: Session, signal: AbortSignal): Promise<void> {
  for (const { board, windows } of boards.slice(0, CARDS_MAX)) {
    try {
      const url = topUrl(board, windows[0]?.window ?? "all", NAMES_LEARNT_PER_BOARD);
      finder.learn((await getJson<Standings>(url, key, signal)).rows);
    } catch {
      return; // a comfort only: the rounds themselves report what is wrong
    }
  }
}

function showSession({ isDemo, boards }: Session): void {
  const shown = boards.filter((board) => cards.some((card) => card.board === board.board));
  const first = shown.length > 0 ? shown : boards.slice(0, CARDS_MAX);
  cards = first.map(newCard);
  byId("boards", HTMLElement).replaceChildren(...cards.map((card) => card.element));
  if (cards.length === 0) byId("boards", HTMLElement).append(h("p", { class: "empty" }, "This project has no boards yet."));
  finder.setBoards(boards);
  byId("forget-key", HTMLElement).hidden = isDemo;
  gate.hidden = true;
  content.hidden = false;
  showMore(boards);
  showCommands();
}

function newCard(board: Board): Card {
  return createCard(board, pickPlayer, () => poller.wake());
}

function pickPlayer(pick: Pick): void {
  finder.pick(pick);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  byId("find-title", HTMLElement).scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
}

/** More boards than fit: a chosen one comes first, the last one leaves. */
function showMore(boards: readonly Board[]): void {
  const select = byId("more-board", HTMLSelectElement);
  const hidden = boards.filter((board) => !cards.some((card) => card.board === board.board));
  byId("more", HTMLElement).hidden = hidden.length === 0;
  setText(byId("more-label", HTMLElement), `${cards.length} of ${boards.length} shown`);
  select.replaceChildren(
    h("option", { value: "" }, "Show another"),
    ...hidden.map((board) => h("option", { value: board.board }, boardTitle(board))),
  );
}

byId("more-board", HTMLSelectElement).addEventListener("change", (event) => {
  const name = (event.currentTarget as HTMLSelectElement).value;
  const board = session?.boards.find((candidate) => candidate.board === name);
  if (!session || !board) return;
  const added = newCard(board);
  for (const card of cards.slice(CARDS_MAX - 1)) card.element.remove();
  cards = [added, ...cards.slice(0, CARDS_MAX - 1)];
  byId("boards", HTMLElement).prepend(added.element);
  showMore(session.boards);
  poller.wake();
});

function showCommands(): void {
  const card = cards[0];
  if (session === null || card === undefined) return;
  const fallback: Pick = { board: card.board, window: card.window(), player: firstPlayer ?? "PLAYER_ID" };
  commands.show(session.key, finder.picked() ?? fallback);
}

function showHealth(health: Health): void {
  const pill = byId("health", HTMLElement);
  const words = { live: "Live", slowed: "Slowed down", away: "Server away" };
  pill.dataset["kind"] = health.kind;
  setText(pill, words[health.kind]);
  document.body.classList.toggle("is-stale", health.kind === "away");
  if (health.kind === "away") say(`${health.message} What you see may be old. Trying again by itself.`);
  else if (health.kind === "slowed") say("Too many requests for this key. Waiting as long as the server asked.");
  else say("");
}

function say(text: string): void {
  setText(notice, text);
  notice.hidden = text === "";
}

/** Nothing a retry would mend: a key is missing or refused, or this page has a bug. */
function refuse(error: unknown): void {
  const isKeyTrouble = error instanceof KeyNeeded || (error instanceof ApiError && [401, 403].includes(error.status));
  session = null;
  const pill = byId("health", HTMLElement);
  pill.dataset["kind"] = "stopped";
  setText(pill, isKeyTrouble ? "Key needed" : "Stopped");
  say(error instanceof Error ? error.message : String(error));
  if (isKeyTrouble) askForKey();
}

function askForKey(): void {
  typedKey = null;
  storeKey(null);
  cards = [];
  firstPlayer = null;
  content.hidden = true;
  gate.hidden = false;
  byId("forget-key", HTMLElement).hidden = true;
  byId("gate-key", HTMLInputElement).focus();
}

function showGateTrouble(text: string): void {
  const trouble = byId("gate-trouble", HTMLElement);
  setText(trouble, text);
  trouble.hidden = text === "";
  byId("gate-key", HTMLInputElement).toggleAttribute("aria-invalid", text !== "");
}

byId("gate-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const input = byId("gate-key", HTMLInputElement);
  const text = input.value.trim();
  input.value = ""; // whatever it is, it is not left lying on the screen
  const trouble = keyTrouble(text);
  showGateTrouble(trouble ?? "");
  if (trouble !== null) {
    say("");
    return;
  }
  typedKey = text;
  storeKey(typedKey);
  poller.start();
});

byId("forget-key", HTMLElement).addEventListener("click", () => {
  poller.stop();
  refuse(new KeyNeeded("The key is forgotten."));
});

poller.start();
