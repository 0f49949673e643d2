import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ResourceCall } from '../../api-context.ts';
import { badRequest } from '../../status/status-errors.ts';

/** The largest message of a client; kubectl sends at most 32 KiB at once. */
const maxPayload = 4 * 1024 * 1024;

/** The connection of an upgrade request. */
export interface UpgradeSocket {
  readonly socket: Duplex;
  /** Bytes of the new protocol that came with the request. */
  readonly head: Buffer;
}

/**
 * Turns the request into a WebSocket in one of the subprotocols, the first one preferred. Throws a 400 for a client that
 * supports none of them, such as kubectl before 1.31, which uses SPDY without WebSocket.
 */
export function acceptWebSocket(
  { request, upgrade }: ResourceCall,
  subprotocols: readonly string[],
): Promise<WebSocket> {
  const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
  if (upgrade === undefined || !isWebSocket)
    throw badRequest(
      'Upgrade request required: the embedded cluster serves this over WebSocket only; use kubectl 1.31 or newer',
    );
  const offered = offeredProtocols(request.headers['sec-websocket-protocol']);
  const chosen = subprotocols.find((each) => offered.includes(each));
  if (chosen === undefined)
    throw badRequest(
      `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${subprotocols.join(' ')}]`,
    );
  const server = new WebSocketServer({ noServer: true, maxPayload });
  // Negotiated here: the name for port forwarding has a slash, which the library refuses in such a header.
  delete request.headers['sec-websocket-protocol'];
  server.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${chosen}`));
  return new Promise((resolve) => {
    const { socket, head } = upgrade();
    server.handleUpgrade(request as never, socket, head, (connection) => {
      // A client that disconnects emits an error event, which would crash the process without a listener.
      connection.on('error', () => {});
      resolve(connection);
    });
  });
}

function offeredProtocols(header: string | string[] | undefined): readonly string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text.split(',').map((each) => each.trim());
}
