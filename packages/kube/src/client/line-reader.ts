const lineEnd = 0x0a;

/**
 * Splits a byte stream into lines. It reads the next chunk only when the caller needs another line, which
 * gives watches backpressure. The last line need not end with a newline; empty lines are skipped.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, start)) {
      pending.push(chunk.subarray(start, end));
      start = end + 1;
      // Join the bytes before decoding: a UTF-8 character may span two chunks.
      const line = Buffer.concat(pending).toString('utf8');
      pending = [];
      if (line !== '') yield line;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) yield Buffer.concat(pending).toString('utf8');
}
