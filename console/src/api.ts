// The part of the HTTP API these pages read. Addresses are relative, so a proxy may move the whole site.

import { formatSentence } from "./format";
import type { Row } from "./rows";

export interface BoardWindow {
  window: string;
  period: string;
  start: string | null;
  end: string | null;
  next_change: string | null;
}

export interface Board {
  board: string;
  title?: string | null;
  columns: { name: string; order: string; decimals: number }[];
  windows: BoardWindow[];
}

export interface Standings {
  period: { key: string; start: string | null; end: string | null };
  total: number;
  rows: Row[];
}

export interface PlayerRank {
  player_id: string;
  name?: string | null;
  rank: number;
  score: string;
  percentile: number;
  top_percent: number;
  total: number;
}

export interface Demo {
  key: string;
  boards: string[];
}

/** The server answered, and said no. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

/** No usable answer came at all. */
export class AwayError extends Error {}

const ANSWER_SECONDS_MAX = 5;
const BOARD_PAGES_MAX = 10;

export function apiUrl(path: string, parameters: Record<string, string> = {}): string {
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export const boardPath = (board: string, rest: string) => `v1/boards/${encodeURIComponent(board)}/${rest}`;
export const topUrl = (board: string, window: string, k: number) =>
  apiUrl(boardPath(board, "top"), { k: String(k), window });
export const rankUrl = (board: string, window: string, player: string) =>
  apiUrl(boardPath(board, `rank/${encodeURIComponent(player)}`), { window });
export const aroundUrl = (board: string, window: string, player: string, n: number) =>
  apiUrl(boardPath(board, `around/${encodeURIComponent(player)}`), { n: String(n), window });

/** Null when the server is not in demo mode. */
export async function readDemo(): Promise<Demo | null> {
  try {
    return await getJson<Demo>(apiUrl("demo.json"), null);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

export async function readBoards(key: string): Promise<Board[]> {
  const boards: Board[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < BOARD_PAGES_MAX; page++) {
    const parameters: Record<string, string> = cursor === null ? {} : { cursor };
    const answer: { boards: Board[]; next: string | null } = await getJson(apiUrl("v1/boards", parameters), key);
    boards.push(...answer.boards);
    cursor = answer.next;
    if (cursor === null) break;
  }
  return boards;
}

export async function getJson<T>(url: string, key: string | null, signal?: AbortSignal): Promise<T> {
  const timeout = AbortSignal.timeout(ANSWER_SECONDS_MAX * 1000);
  const headers: Record<string, string> = { Accept: "application/json" };
  if (key !== null) headers["Authorization"] = `Bearer ${key}`;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      headers,
      cache: "no-store",
      credentials: "omit",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (error) {
    // Leaving on purpose is not a fault of the server's.
    if (signal?.aborted) throw error;
    throw new AwayError("The server does not answer.");
  }
  return parseAnswer<T>(response, text);
}

function parseAnswer<T>(response: Response, text: string): T {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  if (response.ok && body !== null) return body as T;
  if (response.ok || response.status >= 500) {
    throw new AwayError(`The server has trouble (status ${response.status}).`);
  }
  const error = (body as { error?: { code?: string; message?: string } } | null)?.error;
  const wait = Number.parseFloat(response.headers.get("Retry-After") ?? "");
  throw new ApiError(
    response.status,
    error?.code ?? "unknown",
    formatSentence(error?.message || `The server refused (status ${response.status}).`),
    Number.isFinite(wait) ? wait : null,
  );
}
