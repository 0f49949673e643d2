import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';

const agent = new Agent({ keepAlive: true });

/**
 * The AWS ports; every call goes to the process of the account. Like the SDK clients, they check the fence
 * before sending.
 */
export function remoteServices(port) {
  const service = (name) =>
    new Proxy(
      {},
      { get: (_, operation) => (input, options) => call(port, [name, operation], input, options) },
    );
  return new Proxy({}, { get: (_, name) => service(String(name)) });
}

async function call(port, [service, operation], input, { signal, beforeAttempt } = {}) {
  const target = { port, path: `/${service}/${String(operation)}`, signal };
  const { output, error } = deserialize(await exchange(target, serialize([input]), beforeAttempt));
  if (error === undefined) return output;
  throw Object.assign(new Error(error.message), error);
}

function exchange(target, body, beforeAttempt) {
  return new Promise((resolve, reject) => {
    const sent = request({ ...target, host: '127.0.0.1', method: 'POST', agent }, (response) =>
      resolve(buffer(response)),
    );
    const send = () => {
      try {
        beforeAttempt?.();
        sent.end(body);
      } catch (error) {
        reject(error);
        sent.destroy();
      }
    };
    sent.on('error', reject);
    sent.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()));
  });
}
