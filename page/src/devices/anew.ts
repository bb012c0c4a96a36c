/** What is said once after the page has begun anew, as whoever this browser is then. */
const KEPT = "upcard.word";

export function beginAnew(word: string): void {
  try {
    sessionStorage.setItem(KEPT, word);
  } catch {
    // Then it begins anew without a word.
  }
  location.reload();
}

export function wordAfter(): string {
  try {
    const word = sessionStorage.getItem(KEPT) ?? "";
    sessionStorage.removeItem(KEPT);
    return word;
  } catch {
    return "";
  }
}
