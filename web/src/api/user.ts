import { useSyncExternalStore } from "react";

const USER = "recollect.user";
const KEY = "recollect.key";
const listeners = new Set<() => void>();

function read(storage: Storage, name: string): string {
  try {
    return storage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function write(storage: Storage, name: string, value: string): void {
  try {
    if (value) storage.setItem(name, value);
    else storage.removeItem(name);
  } catch {
    // No storage: it holds until the page is left.
  }
}

let user = read(localStorage, USER);
let key = read(sessionStorage, KEY);

/** Whose memories are asked for; nobody named leaves it to the key, or to the server. */
export const owner = (): { user_id?: string } => (user ? { user_id: user } : {});
export const currentUser = (): string => user;
/** The access key; it lives as long as the tab. */
export const currentKey = (): string => key;

function changed(): void {
  for (const listener of listeners) listener();
}

export function setUser(next: string): void {
  user = next.trim();
  write(localStorage, USER, user);
  changed();
}

export function setKey(next: string): void {
  key = next.trim();
  write(sessionStorage, KEY, key);
  changed();
}

/** Calls back when somebody else's memories are meant from now on. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useUser = (): string => useSyncExternalStore(subscribe, currentUser);
export const useKey = (): string => useSyncExternalStore(subscribe, currentKey);
