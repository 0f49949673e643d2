import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Forwards bytes to another address until it is closed. */
export interface Relay {
  readonly url: string;
  readonly connections: number;
  /** Drops all further bytes of the open connections without closing them, as a broken network does. */
  swallow(): void;
  close(): Promise<void>;
}

export async function startRelay(target: string): Promise<Relay> {
  const { protocol, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    swallow: () => {
      for (const socket of sockets) socket.unpipe().resume();
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
