import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/** Called when something is about to leave over a connection; what it throws breaks the connection instead. */
export type Guard = () => void;

type Connected = (error: Error | null, connection: Duplex) => void;

/** As the SDK has them. */
const usualAgent = { keepAlive: true, maxSockets: 50 };

/**
 * Agents whose connections ask before each piece of data leaves. A request waits for a connection, or for another request
 * to be done with one, and is sent whenever that may be: that it was allowed when it was made says little.
 */
export function guardedAgents(guard: Guard): { readonly httpAgent: Agent; readonly httpsAgent: SecureAgent } {
  return { httpAgent: new GuardedAgent(guard), httpsAgent: new GuardedSecureAgent(guard) };
}

class GuardedAgent extends Agent {
  readonly #guard: Guard;

  constructor(guard: Guard) {
    super(usualAgent);
    this.#guard = guard;
  }

  override createConnection(...[options, connected]: Parameters<Agent['createConnection']>) {
    const connection = super.createConnection(options);
    return guarded(connection, 'connect', this.#guard, connected);
  }
}

class GuardedSecureAgent extends SecureAgent {
  readonly #guard: Guard;

  constructor(guard: Guard) {
    super(usualAgent);
    this.#guard = guard;
  }

  override createConnection(...[options, connected]: Parameters<SecureAgent['createConnection']>) {
    const connection = super.createConnection(options);
    return guarded(connection, 'secureConnect', this.#guard, connected);
  }
}

/** Handed out when it can send: what is written before would be kept, and sent without asking. */
function guarded(
  connection: Duplex | null | undefined,
  ready: 'connect' | 'secureConnect',
  guard: Guard,
  connected: Connected | undefined,
): undefined {
  if (connection === null || connection === undefined) return;
  const failed = (error: Error) => connected?.(error, connection);
  connection.once('error', failed);
  connection.once(ready, () => {
    connection.off('error', failed);
    askBeforeWriting(connection, guard);
    connected?.(null, connection);
  });
}

function askBeforeWriting(connection: Duplex, guard: Guard): void {
  connection.write = new Proxy(connection.write, {
    apply: (write, _self, args) => {
      try {
        guard();
      } catch (error) {
        connection.destroy(error instanceof Error ? error : new Error(String(error)));
        return false;
      }
      return Reflect.apply(write, connection, args);
    },
  });
}
