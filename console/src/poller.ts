// One loop for the whole page: a round each second while somebody looks, slower while the server is away.

import { ApiError, AwayError } from "./api";

const ROUND_MS = 1000;
const AWAY_WAIT_MS = [1000, 2000, 4000, 5000];

export type Health = { kind: "live" } | { kind: "slowed" } | { kind: "away"; message: string };

export interface Poller {
  start(): void;
  stop(): void;
  /** A round now: after a choice that should show at once. */
  wake(): void;
}

/**
 * `round` fetches and shows everything once. Rounds never overlap. A hidden page stops the loop and aborts
 * what is under way; showing it again begins with a round at once.
 */
export function createPoller(
  round: (signal: AbortSignal) => Promise<void>,
  onHealth: (health: Health) => void,
  onRefusal: (error: unknown) => void,
): Poller {
  let current: AbortController | null = null;
  let timer = 0;
  let failures = 0;

  async function run(controller: AbortController): Promise<void> {
    const began = performance.now();
    let waitMs = ROUND_MS;
    try {
      await round(controller.signal);
      failures = 0;
      onHealth({ kind: "live" });
    } catch (error) {
      if (controller.signal.aborted) return;
      if (error instanceof ApiError && error.status === 429) {
        waitMs = Math.min(30, error.retryAfterSeconds ?? 2) * 1000 + ROUND_MS;
        onHealth({ kind: "slowed" });
      } else if (error instanceof AwayError) {
        waitMs = AWAY_WAIT_MS[Math.min(failures++, AWAY_WAIT_MS.length - 1)] ?? ROUND_MS;
        onHealth({ kind: "away", message: error.message });
      } else {
        stop();
        onRefusal(error);
        return;
      }
    }
    if (controller.signal.aborted) return;
    const spentMs = performance.now() - began;
    timer = window.setTimeout(() => void run(controller), Math.max(0, waitMs - spentMs));
  }

  function halt(): void {
    window.clearTimeout(timer);
    current?.abort();
    current = null;
  }

  function begin(): void {
    halt();
    if (document.hidden) return;
    current = new AbortController();
    void run(current);
  }

  function start(): void {
    document.addEventListener("visibilitychange", begin);
    begin();
  }

  function stop(): void {
    document.removeEventListener("visibilitychange", begin);
    halt();
  }

  return { start, stop, wake: begin };
}
