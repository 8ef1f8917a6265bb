import { createParser } from "eventsource-parser";
import { credentials } from "./client";
import { problemOf } from "./problem";

/** How far something is: done of a total. */
export interface Step {
  done: number;
  total: number;
}

interface Sent {
  signal: AbortSignal;
  /** How much of the file has arrived at the server. */
  onSent?: (step: Step) => void;
  /** How much of it the server has done. */
  onStep?: (step: Step) => void;
}

/** Send a file, or ask about one that was sent before. `fetch` tells nothing of how far that is; the server's own answer may come in events. */
export function sendFile<T>(
  path: string,
  query: Record<string, string>,
  file: Blob | null,
  { signal, onSent, onStep }: Sent,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let read = 0;
    const events = createParser({
      onEvent({ event, data }) {
        const told: unknown = JSON.parse(data);
        if (event === "progress") onStep?.(told as Step);
        else if (event === "done") resolve(told as T);
        else if (event === "error") reject(problemOf(statusIn(told), told));
      },
    });
    const isEvents = () => request.getResponseHeader("Content-Type")?.startsWith("text/event-stream");
    const readEvents = () => {
      events.feed(request.responseText.slice(read));
      read = request.responseText.length;
    };
    request.open("POST", `${path}?${new URLSearchParams(query)}`);
    for (const [name, value] of Object.entries(credentials())) request.setRequestHeader(name, value);
    if (file) request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onSent?.({ done: loaded, total });
    request.onprogress = () => isEvents() && readEvents();
    request.onload = () => {
      if (isEvents()) {
        readEvents();
        reject(new TypeError());
        return;
      }
      const told = parsed(request.responseText);
      if (request.status >= 400) reject(problemOf(request.status, told));
      else resolve(told as T);
    };
    request.onerror = () => reject(new TypeError());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const statusIn = (problem: unknown): number =>
  typeof problem === "object" && problem !== null && "status" in problem ? Number(problem.status) : 500;
