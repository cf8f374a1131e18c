// Text for people. Pure: everything that varies comes in as an argument.

const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?$/;
const MINUS = "\u2212";

/** Group the digits of a score. Scores are text and may exceed what a float holds, so they stay text. */
export function formatScore(score: string): string {
  const match = NUMBER.exec(score);
  if (match === null) return score;
  const [, sign, whole = "", fraction] = match;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return (sign === "-" ? MINUS : "") + grouped + (fraction === undefined ? "" : `.${fraction}`);
}

export function formatCount(count: number): string {
  return formatScore(String(count));
}

/** Rounded, with one exception: only the first of a board may read 100 %. */
export function formatPercent(percent: number): string {
  if (percent > 0 && percent < 0.01) return "<0.01\u00a0%";
  const rounded = Math.round(percent * 100) / 100;
  return `${percent < 100 ? Math.min(rounded, 99.99) : rounded}\u00a0%`;
}

/** "2 d 4 h", "3 h 05 min", "12 min", "40 s": two units at most, the way a countdown is read. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 60) return `${seconds}\u00a0s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}\u00a0min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}\u00a0h ${String(minutes % 60).padStart(2, "0")}\u00a0min`;
  const days = Math.floor(hours / 24);
  return `${days}\u00a0d ${hours % 24}\u00a0h`;
}

/** "high-scores" -> "High scores": for boards and windows without a title of their own. */
export function formatSlug(slug: string): string {
  const words = slug.replace(/[-_]+/g, " ").trim();
  return words === "" ? slug : words.charAt(0).toLocaleUpperCase("en") + words.slice(1);
}

export function windowLabel(window: string): string {
  return window === "all" ? "All time" : formatSlug(window);
}

/** A message of the server's, which are written as parts of a line, as a sentence. */
export function formatSentence(message: string): string {
  const sentence = message.charAt(0).toLocaleUpperCase("en") + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** One argument for a POSIX shell, whatever it holds: ids come from games and may hold quotes. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function curlCommand(url: string, key: string): string {
  return `curl -sS -H ${shellQuote(`Authorization: Bearer ${key}`)} \\\n  ${shellQuote(url)}; echo`;
}

/** A stable hue for a player, so that the eye can follow a row. Not a secret, not a checksum. */
export function hueOf(playerId: string): number {
  let hash = 0;
  for (const character of playerId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360_007;
  return hash % 360;
}

/** The first letter as a person sees it: one grapheme, not half of a flag or an accent without its letter. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return (first?.segment ?? "").toLocaleUpperCase();
}
