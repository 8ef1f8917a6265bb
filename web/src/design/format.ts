const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const moment = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const count = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

export const dayOf = (at: string | number | Date): string => day.format(new Date(at));
export const momentOf = (at: string | number | Date): string => moment.format(new Date(at));
export const counted = (value: number): string => count.format(value);
export const shortly = (value: number): string => compact.format(value);
export const percent = (share: number): string => `${Math.round(share * 100)}%`;
export const scored = (score: number): string => score.toFixed(2);

/** "3.4 MB". */
export function sizeOf(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${units[step]}`;
}

/** "1 memory", "2 memories". */
export function many(number: number, one: string, more = `${one}s`): string {
  return `${counted(number)} ${number === 1 ? one : more}`;
}

/** A name of the server's such as `long-term` or `words_session`, for people. */
export function plain(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "40 seconds", "3 minutes", "2 hours": how long something takes yet. */
export function leftFor(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 90) return many(seconds, "second");
  return seconds < 5_400
    ? many(Math.round(seconds / 60), "minute")
    : many(Math.round(seconds / 3_600), "hour");
}
