import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { constants, createDeflate } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { headerDictionary, lengthPrefixed } from './dictionary.ts';
import {
  type ControlFrame,
  controlFrame,
  type DataFrame,
  dataFrame,
  FrameCutter,
  fin,
  frameTypes,
  uint32,
} from './frames.ts';
import { type SpdyStream, serveSpdy } from './spdy-session.ts';

let server: Server;
let client: WebSocket;
let streams: SpdyStream[];
let frames: (ControlFrame | DataFrame)[];
const headers = createDeflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });

beforeEach(async () => {
  [streams, frames] = [[], []];
  server = createServer().listen(0, '127.0.0.1');
  new WebSocketServer({ server }).on('connection', (connection) =>
    serveSpdy(connection, (stream) => streams.push(stream)),
  );
  await once(server, 'listening');
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const cutter = new FrameCutter();
  client.on('message', (bytes: Buffer) => frames.push(...cutter.cut(bytes)));
  await once(client, 'open');
});

afterEach(() => {
  client.terminate();
  server.close();
});

/** As a client compresses them: one compression for the whole session. */
async function synStream(streamId: number, pairs: Readonly<Record<string, string>>): Promise<Buffer> {
  const texts = Object.entries(pairs).flat().map(lengthPrefixed);
  const block = Buffer.concat([uint32(texts.length / 2), ...texts]);
  await new Promise((resolve) => headers.write(block, resolve));
  const compressed: Buffer = headers.read();
  const payload = Buffer.concat([uint32(streamId, 0), Buffer.alloc(2), compressed]);
  return controlFrame({ type: frameTypes.synStream, flags: 0, payload });
}

describe('a SPDY session', () => {
  it('has the dictionary of SPDY/3, by its checksum in the header of zlib', () => {
    const deflate = createDeflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
    deflate.write('x', () => undefined);
    deflate.once('readable', () => expect(deflate.read().subarray(2, 6).toString('hex')).toBe('e3c6a7c2'));
    return once(deflate, 'readable');
  });

  it('opens streams with headers and carries their data both ways', async () => {
    const opened = Buffer.concat([
      await synStream(1, { StreamType: 'error', port: '80' }),
      await synStream(3, { StreamType: 'data', port: '80' }),
      dataFrame({ streamId: 3, flags: fin, payload: Buffer.from('hello') }),
    ]);
    // In pieces: frames need not end with messages.
    for (let at = 0; at < opened.length; at += 7) client.send(opened.subarray(at, at + 7));
    await expect.poll(() => streams.length).toBe(2);
    expect(streams.map((stream) => Object.fromEntries(stream.headers))).toEqual([
      { streamtype: 'error', port: '80' },
      { streamtype: 'data', port: '80' },
    ]);
    const data = streams[1]?.data ?? new PassThrough();
    expect(String((await once(data, 'data'))[0])).toBe('hello');
    data.end('bye');
    await expect.poll(() => frames.length).toBe(4);
    expect(frames.slice(0, 2)).toMatchObject([{ type: frameTypes.synReply }, { type: frameTypes.synReply }]);
    expect(frames.slice(2)).toMatchObject([
      { streamId: 3, flags: 0, payload: Buffer.from('bye') },
      { streamId: 3, flags: fin },
    ]);
  });

  it('answers pings', async () => {
    const ping = { type: frameTypes.ping, flags: 0, payload: uint32(7) };
    client.send(controlFrame(ping));
    await expect.poll(() => frames).toEqual([ping]);
  });

  it.each([
    [
      'headers that cannot be read',
      controlFrame({ type: frameTypes.synStream, flags: 0, payload: Buffer.alloc(20) }),
    ],
    [
      'a frame that is cut short',
      controlFrame({ type: frameTypes.synStream, flags: 0, payload: Buffer.alloc(2) }),
    ],
    ['a frame of 16 MB', Buffer.from('800300010fffffff', 'hex')],
  ])('ends at %s', async (_, bytes) => {
    client.send(bytes);
    await once(client, 'close');
    expect(streams).toEqual([]);
  });
});
