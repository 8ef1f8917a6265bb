// A real server, whose address is in RECOLLECT_URL, or in the address of a page; tests/clients/ starts it.
import { Recollect } from "../dist/index.js";

export const url = globalThis.process?.env.RECOLLECT_URL ?? new URLSearchParams(location.search).get("server");
const run = crypto.randomUUID();
let users = 0;

/** A client for a user who has no memories yet. */
export const fresh = () => new Recollect({ url, userId: `${run}-${(users += 1)}` });
