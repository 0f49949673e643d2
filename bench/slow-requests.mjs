import { fork } from 'node:child_process';
import { request as httpsRequest } from 'node:https';
import { fileURLToPath } from 'node:url';
import { table } from './harness/compare.mjs';
import { preparation, worstRequests } from './slow-requests/worst-requests.mjs';

// How long one request blocks the event loop of the embedded API server: each of the worst requests that
// Kubernetes' size limits allow, one after the other. No other client is answered during a block, and a lease
// that is not renewed in time is lost.

const goalMs = 250;

function startServer() {
  const file = fileURLToPath(new URL('slow-requests/serve.mjs', import.meta.url));
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const message = () => new Promise((resolve) => child.once('message', resolve));
  return { child, message, started: message() };
}

function send({ url, caPem, token }, { method, path, body, type = 'application/json', accept }) {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, ...(accept ? { accept } : {}) };
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(`${url}${path}`, { method, ca: caPem, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

export async function run() {
  const { child, message, started } = startServer();
  const figures = () => {
    const answer = message();
    child.send('figures');
    return answer;
  };
  const server = await started;
  for (const each of preparation) await send(server, each);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const rows = [];
  for (const [name, each] of Object.entries(worstRequests)) {
    await figures();
    const { status } = await send(server, each);
    const measured = await figures();
    rows.push({ name, status, ...measured });
  }
  child.disconnect();
  const longest = Math.max(...rows.map(({ longestBlockMs }) => longestBlockMs));
  return {
    exact: {},
    perSecond: {},
    bytes: {},
    report: [
      table([
        ['request', 'status', 'longest block, ms', 'its CPU, ms', 'CPU, ms'],
        ...rows.map(({ name, status, longestBlockMs, blockCpuMs, cpuMs }) => [
          name,
          String(status),
          longestBlockMs.toFixed(0),
          blockCpuMs.toFixed(0),
          cpuMs.toFixed(0),
        ]),
      ]),
      `longest block: ${longest.toFixed(0)} ms; the goal is ${goalMs} ms on an idle machine`,
    ].join('\n'),
  };
}
