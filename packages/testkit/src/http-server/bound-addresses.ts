import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:net';

const listened = 'tracing:net.server.listen:asyncEnd';

/** The addresses on which servers of this process start to listen while `run` runs, in order. */
export async function boundAddresses(run: () => Promise<unknown>): Promise<readonly string[]> {
  const addresses: string[] = [];
  const note = (message: unknown): void => {
    const address = addressIn(message);
    if (address !== undefined) addresses.push(address);
  };
  subscribe(listened, note);
  try {
    await run();
  } finally {
    unsubscribe(listened, note);
  }
  return addresses;
}

function addressIn(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('server' in message)) return undefined;
  const { server } = message;
  const address = server instanceof Server ? server.address() : null;
  return typeof address === 'object' && address !== null ? address.address : undefined;
}
