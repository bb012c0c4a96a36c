/** A text to be translated, and where it is shown. */
export interface Text {
  msgid: string;
  plural: string | null;
  context: string | null;
  comment: string | null;
  places: string[];
}

/** Paths and sources. */
type Files = [string, string][];

export function sources(folder?: string): Files;
export function texts(files?: Files): Text[];
export function bare(files?: Files): string[];
