const lineEnd = 0x0a;

/** The lines of a stream of bytes; nothing is read ahead of whoever takes them. The last may lack its end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, start)) {
      pending.push(chunk.subarray(start, end));
      start = end + 1;
      // Bytes are joined before they become text: a character may lie across two chunks.
      const line = Buffer.concat(pending).toString('utf8');
      pending = [];
      if (line !== '') yield line;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) yield Buffer.concat(pending).toString('utf8');
}
