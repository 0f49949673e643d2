import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/** Called before data is written to a connection. If it throws, the connection is destroyed instead. */
export type Guard = () => void;

type Connected = (error: Error | null, connection: Duplex) => void;

/** The defaults of the SDK. */
const agentOptions = { keepAlive: true, maxSockets: 50 };

/**
 * Agents whose connections call the guard before each write (ADR 0036). A request may wait for a connection, or for
 * another request on it, and the lease may run out meanwhile; so a check when the request is made is not enough.
 */
export function guardedAgents(guard: Guard): { readonly httpAgent: Agent; readonly httpsAgent: SecureAgent } {
  return { httpAgent: new GuardedAgent(guard), httpsAgent: new GuardedSecureAgent(guard) };
}

class GuardedAgent extends Agent {
  readonly #guard: Guard;

  constructor(guard: Guard) {
    super(agentOptions);
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
    super(agentOptions);
    this.#guard = guard;
  }

  override createConnection(...[options, connected]: Parameters<SecureAgent['createConnection']>) {
    const connection = super.createConnection(options);
    return guarded(connection, 'secureConnect', this.#guard, connected);
  }
}

/** Hands out the connection only once it is open: data written before would be buffered and sent without a check. */
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
    guardWrites(connection, guard);
    connected?.(null, connection);
  });
}

function guardWrites(connection: Duplex, guard: Guard): void {
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
