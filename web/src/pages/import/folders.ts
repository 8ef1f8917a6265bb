/** Folders, as one zip archive each: the server reads archives, and takes no more than one file at a time. */

/** A file with its path from the folder that was chosen. */
interface Placed {
  path: string;
  file: File;
}

export interface Folder {
  name: string;
  files: readonly Placed[];
}

/** What no format is read from; it stays here. */
const SILENT = /\.(png|jpe?g|gif|webp|heic|svg|mp4|mov|webm|mp3|m4a|wav|ogg|opus|pdf)$/i;
/** The list in a folder of Markdown that Recollect exported; all else that begins with a dot stays here. */
const LIST = ".recollect.jsonl";
/** What the plain format of archives can hold. */
const MOST_FILES = 65_000;
const MOST_BYTES = 2 ** 32 - 2 ** 24;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF8 = 1 << 11;
/** 1 January 1980: archives know no earlier day, and the server reads none. */
const DAY = 0x0021;

/** A folder as an archive; null when it is more than one can hold. */
export async function zipped({ files }: Folder): Promise<Blob | null> {
  const wanted = files.filter(({ path }) => isRead(path));
  const size = wanted.reduce((sum, { file }) => sum + file.size, 0);
  if (wanted.length > MOST_FILES || size > MOST_BYTES) return null;
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let place = 0;
  for (const { path, file } of wanted) {
    const name = new TextEncoder().encode(path);
    const about = [UTF8, 0, 0, DAY, await sumOf(file), file.size, file.size, name.length, 0] as const;
    const head = header([[LOCAL, 4], [VERSION, 2], ...fields(about)], name);
    directory.push(
      header(
        [
          [CENTRAL, 4],
          [VERSION, 2],
          [VERSION, 2],
          ...fields(about),
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [place, 4],
        ],
        name,
      ),
    );
    parts.push(head, file);
    place += head.length + file.size;
  }
  const length = directory.reduce((sum, one) => sum + one.length, 0);
  const count = wanted.length;
  const end = header([
    [END, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [length, 4],
    [place, 4],
    [0, 2],
  ]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

function isRead(path: string): boolean {
  const names = path.split("/");
  const hidden = names.some(
    (name, at) => name.startsWith(".") && !(name === LIST && at === names.length - 1),
  );
  return !hidden && !SILENT.test(path);
}

type Field = readonly [value: number, bytes: number];

/** What both headers of a file say: flags, method, time, day, sum, sizes, the length of its name and of more. */
const fields = (values: readonly number[]): Field[] =>
  values.map((value, at) => [value, at >= 4 && at <= 6 ? 4 : 2]);

function header(values: readonly Field[], name = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const length = values.reduce((sum, [, bytes]) => sum + bytes, 0);
  const made = new Uint8Array(length + name.length);
  const view = new DataView(made.buffer);
  let at = 0;
  for (const [value, bytes] of values) {
    if (bytes === 4) view.setUint32(at, value, true);
    else view.setUint16(at, value, true);
    at += bytes;
  }
  made.set(name, length);
  return made;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The CRC-32 of a file. */
async function sumOf(file: Blob): Promise<number> {
  let sum = -1;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return ~sum >>> 0;
    for (const byte of value) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 255] ?? 0);
  }
}

/** The single files and the folders that were dropped. */
export async function dropped(data: DataTransfer): Promise<(File | Folder)[]> {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  return Promise.all(
    files.map(async (file, at) => {
      const entry = entries[at];
      return entry?.isDirectory
        ? { name: entry.name, files: await below(entry as FileSystemDirectoryEntry) }
        : file;
    }),
  );
}

async function below(folder: FileSystemDirectoryEntry, above = ""): Promise<Placed[]> {
  const reader = folder.createReader();
  const found: Placed[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return found;
    for (const entry of some) {
      const path = `${above}${entry.name}`;
      if (!isRead(path)) continue;
      if (entry.isDirectory) found.push(...(await below(entry as FileSystemDirectoryEntry, `${path}/`)));
      else found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    }
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((done, failed) => entry.file(done, failed));

/** The folder of a field for folders. */
export function chosen(files: readonly File[]): Folder[] {
  const [first] = files;
  if (!first) return [];
  const paths = files.map((file) => file.webkitRelativePath.split("/"));
  const name = paths[0]?.[0] ?? first.name;
  return [
    { name, files: files.map((file, at) => ({ path: paths[at]?.slice(1).join("/") ?? file.name, file })) },
  ];
}
