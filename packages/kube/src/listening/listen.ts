import type { Server } from 'node:net';
import { CodedError } from '@karpenter/core/errors';

const highestPort = 65_535;

interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** All addresses if undefined. */
  readonly host?: string | undefined;
  /** The name of the setting with the port, for the details of the error. */
  readonly setting?: string;
  /** Formats the error message; `why` is the reason that the system gives. */
  readonly sentence: (why: string) => string;
}

/** Resolves with the port that the server listens on; rejects with the code `port-in-use` if it cannot. */
export function listenOn(server: Server, options: ListenOptions): Promise<number> {
  const { port, host, setting, sentence } = options;
  return new Promise((resolve, reject) => {
    const refuse = (why: string, cause?: Error) => {
      const details = { port, ...(setting !== undefined && { setting }) };
      reject(new CodedError('port-in-use', sentence(why), { details, cause }));
    };
    // Node throws synchronously for these, with a stack trace instead of a message for the user.
    if (!Number.isInteger(port) || port < 0 || port > highestPort) {
      refuse(`a port is a whole number up to ${highestPort}`);
      return;
    }
    server.once('error', (cause: NodeJS.ErrnoException) =>
      refuse(cause.code === 'EADDRINUSE' ? 'another program uses it' : cause.message, cause),
    );
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
