import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import type { AwsServices } from '@karpenter/aws/ports';
import type { Records } from './records.ts';

export interface RecordedAccountOptions {
  readonly services: AwsServices;
  readonly writer: string;
  readonly records: Records;
}

/**
 * An AWS account over HTTP for one process; records every call that changes something under the name of the
 * process.
 */
export async function recordedAccount(options: RecordedAccountOptions) {
  const server = createServer(async (request, response) => {
    const [, service = '', operation = ''] = request.url?.split('/') ?? [];
    const body = await buffer(request);
    options.records.cloudCall(options.writer, service, operation);
    response.end(serialize(await answerOf(options.services, [service, operation], body)));
  });
  // Long polling of a queue may take longer than the default timeout.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerOf(
  services: AwsServices,
  [service, operation]: readonly [string, string],
  body: Buffer,
): Promise<object> {
  const port: unknown = Reflect.get(services, service);
  const call: unknown = typeof port === 'object' && port !== null ? Reflect.get(port, operation) : undefined;
  if (typeof call !== 'function') return { error: { message: `there is no ${service} ${operation}` } };
  try {
    // One attempt per call: retries must stop when the process is stopped.
    const [input] = deserialize(body);
    return { output: await Reflect.apply(call, port, [input, { retries: 'none' }]) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { error: { ...error, message: error.message, stack: undefined, cause: undefined } };
  }
}
