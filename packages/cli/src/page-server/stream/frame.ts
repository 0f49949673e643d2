import type { StreamEvents } from '@karpenter/core/page-api';

/**
 * An event of the stream as bytes, built once for all clients. JSON has no line break inside, so no name of an object
 * can end the event or begin another.
 */
export function frame<Name extends keyof StreamEvents>(
  id: number,
  name: Name,
  data: StreamEvents[Name],
): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
