// Commands to paste: the three questions of a leaderboard, with the key and the player at hand.

import { apiUrl, aroundUrl, rankUrl, topUrl } from "./api";
import { ROWS_SHOWN, type Pick } from "./card";
import { byId, h, setText } from "./dom";
import { NEIGHBOURS } from "./finder";
import { curlCommand } from "./format";

const COPIED_SHOWN_MS = 1600;

export interface Commands {
  show(key: string, pick: Pick): void;
}

export function createCommands(): Commands {
  const parts = ["Who is on top?", "What is my rank?", "Who is around me?", "Which boards are there?"].map(createCommand);
  byId("commands", HTMLElement).replaceChildren(...parts.map((part) => part.element));
  return {
    show(key, { board, window, player }) {
      const urls = [
        topUrl(board, window, ROWS_SHOWN),
        rankUrl(board, window, player),
        aroundUrl(board, window, player, NEIGHBOURS),
        apiUrl("v1/boards"),
      ];
      urls.forEach((url, index) => parts[index]?.set(curlCommand(url, key)));
    },
  };
}

function createCommand(question: string) {
  const code = h("code");
  const block = h("pre", { dir: "ltr", role: "group", "aria-label": `Command: ${question}` }, code);
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy the command: ${question}` }, "Copy");
  const said = h("span", { class: "visually-hidden", role: "status" });
  let timer = 0;

  button.addEventListener("click", async () => {
    const done = await copy(code);
    button.textContent = done ? "Copied" : "Selected";
    said.textContent = done ? "Copied" : "Selected: copy it with the keyboard";
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      button.textContent = "Copy";
      said.textContent = "";
    }, COPIED_SHOWN_MS);
  });
  return {
    element: h("figure", { class: "command" }, h("figcaption", {}, question, button, said), block),
    set: (text: string) => setText(code, text),
  };
}

/** Clipboards are closed to plain-HTTP pages on other machines; then the text is selected instead. */
async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
