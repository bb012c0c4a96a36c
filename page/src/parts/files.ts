/** Lets a browser save a file under a name. */
export function saveAs(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address)); // when the browser has begun to save it
}
