// The client key a person typed in. It lives as long as the tab and is never written anywhere else.

const NAME = "toprung.client-key";

export function storedKey(): string | null {
  try {
    return sessionStorage.getItem(NAME);
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
