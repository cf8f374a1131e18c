// The client key a person typed in. It lives as long as the tab and is never written anywhere else.

const NAME = "toprung.client-key";
const HOW = "Make one with the command below.";

/**
 * Why a text is no key for this page; null when it may be one. The page shows its key in commands to copy, so it
 * takes only the kind that can do no harm: tr_<role>_<id>_<secret> says the role.
 */
export function keyTrouble(text: string): string | null {
  const role = /^tr_([a-z]+)_/.exec(text)?.[1];
  if (role === "client") return null;
  const only = "This page takes client keys only, which can read and never write.";
  if (role === "server") return `That is a server key: it can write scores. ${only} ${HOW}`;
  if (role === "admin") return `That is an admin key: it can change everything. ${only} ${HOW}`;
  return `That is no client key: those begin with tr_client_. ${HOW}`;
}

export function storedKey(): string | null {
  try {
    const key = sessionStorage.getItem(NAME);
    return key === null || keyTrouble(key) !== null ? null : key;
  } catch {
    return null; // storage may be switched off; then the key is asked for again
  }
}

export function storeKey(key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, key);
  } catch {
    // Without storage the key still works until the page is left.
  }
}
