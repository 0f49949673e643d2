import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';

const agent = new Agent({ keepAlive: true });

/** The AWS ports; every call goes to the process of the account. */
export function remoteServices(port) {
  const service = (name) =>
    new Proxy(
      {},
      {
        get: (_, operation) => (input, options) =>
          call(port, `/${name}/${String(operation)}`, input, options),
      },
    );
  return new Proxy({}, { get: (_, name) => service(String(name)) });
}

async function call(port, path, input, options) {
  const { signal, retries } = options ?? {};
  const answer = await exchange({ port, path, signal }, serialize([input, { retries }]));
  const { output, error } = deserialize(answer);
  if (error === undefined) return output;
  throw Object.assign(new Error(error.message), error);
}

function exchange(target, body) {
  return new Promise((resolve, reject) => {
    const sent = request({ ...target, host: '127.0.0.1', method: 'POST', agent }, (response) =>
      resolve(buffer(response)),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
