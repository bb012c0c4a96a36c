/** The tables of a browser in IndexedDB, as `upcard.browser.store` reads and writes them. */

/** What a write answers when the entries' numbers are not the next ones. */
const TAKEN = "taken";

interface Row {
  id: string;
  created: number;
  count: number;
  text: string;
}

export class Database {
  private opened: Promise<IDBDatabase> | null = null;

  constructor(private readonly name: string) {}

  /** Stores entries and the row of their table in one transaction, or nothing at all. */
  async write(id: string, created: number, first: number, entries: string, text: string): Promise<string> {
    let why = "";
    try {
      const transaction = (await this.open()).transaction(["tables", "entries"], "readwrite");
      const tables = transaction.objectStore("tables");
      const known = tables.get(id) as IDBRequest<Row | undefined>;
      known.onsuccess = () => {
        if ((known.result?.count ?? 0) !== first - 1) {
          why = TAKEN;
          transaction.abort();
          return;
        }
        const added = JSON.parse(entries) as string[];
        tables.put({ id, created, count: first - 1 + added.length, text } satisfies Row);
        added.forEach((entry, index) => transaction.objectStore("entries").add(entry, [id, first + index]));
      };
      await ended(transaction);
      return "";
    } catch (error) {
      return why || words(error);
    }
  }

  async row(id: string): Promise<string> {
    const known = await this.read<Row | undefined>("tables", (store) => store.get(id));
    return known?.text ?? "";
  }

  async rows(before: number, most: number): Promise<string> {
    const transaction = (await this.open()).transaction("tables");
    const texts: string[] = [];
    const cursor = transaction.objectStore("tables").index("created").openCursor(IDBKeyRange.upperBound(before, true), "prev");
    cursor.onsuccess = () => {
      if (!cursor.result) return;
      texts.push((cursor.result.value as Row).text);
      if (texts.length < most) cursor.result.continue();
    };
    await ended(transaction);
    return `[${texts.join(",")}]`;
  }

  async entries(id: string, after: number): Promise<string> {
    const texts = await this.read<string[]>("entries", (store) => store.getAll(IDBKeyRange.bound([id, after + 1], [id, Infinity])));
    return `[${texts.join(",")}]`;
  }

  private async read<T>(name: string, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
    const transaction = (await this.open()).transaction(name);
    const request = ask(transaction.objectStore(name)) as IDBRequest<T>;
    await ended(transaction);
    return request.result;
  }

  private open(): Promise<IDBDatabase> {
    this.opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("tables", { keyPath: "id" }).createIndex("created", "created");
        request.result.createObjectStore("entries");
      };
      request.onsuccess = () => {
        const database = request.result;
        // A browser closes it when its files are deleted, another window when it has a newer form of it.
        database.onclose = () => (this.opened = null);
        database.onversionchange = () => (database.close(), (this.opened = null));
        resolve(database);
      };
      request.onerror = () => reject(request.error);
    });
    this.opened.catch(() => (this.opened = null));
    return this.opened;
  }
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function words(error: unknown): string {
  if (error instanceof DOMException && error.name === "QuotaExceededError") return "this browser has no room left for it";
  return error instanceof Error ? error.message : "the browser does not say why";
}
