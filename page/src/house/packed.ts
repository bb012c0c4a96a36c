/** Files that are stored compressed, with `.gz` after their names: not every web host compresses such files. */
const PACKED = /\.(wasm|zip|so|files)$/;

/** Lets this worker, and what runs in it, fetch packed files by their plain names. */
export function unpackFetched(): void {
  const fetched = self.fetch.bind(self);
  self.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!PACKED.test(address)) return fetched(input, init);
    const answer = await fetched(`${address}.gz`, init);
    return answer.ok ? unpacked(await answer.blob(), address.endsWith(".wasm") ? "application/wasm" : "application/octet-stream") : answer;
  };
}

async function unpacked(content: Blob, type: string): Promise<Response> {
  const [first, second] = new Uint8Array(await content.slice(0, 2).arrayBuffer());
  // Some hosts declare such a file to be compressed, and the browser has unpacked it already.
  const isPacked = first === 0x1f && second === 0x8b;
  const stream = isPacked ? content.stream().pipeThrough(new DecompressionStream("gzip")) : content.stream();
  return new Response(stream, { headers: { "Content-Type": type } });
}
