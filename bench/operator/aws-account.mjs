// A simulated AWS account with the kubelets of its instances in a separate process: on EKS neither runs in
// the process of the controllers. Serves one operation per HTTP request.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import { startSimulatedRun } from '@karpenter/cli/embedded';
import { loadConfig } from '@karpenter/kube/config';
import { systemClock } from '@karpenter/kube/runtime';
import { inheritInstances } from './inherited-instances.mjs';

const quiet = { debug() {}, info() {}, error() {} };
const run = startSimulatedRun({
  config: await loadConfig(),
  clusterName: 'dev',
  clock: systemClock,
  log: quiet,
});
const { account } = run;
const inherited = inheritInstances(account.cloud, Number(process.env.KARPENTER_BENCH_INHERITED ?? 0));

async function answered({ url }, body) {
  const [, service, operation] = url.split('/');
  const [input, options] = deserialize(body);
  try {
    return { output: await account.services[service][operation](input, options) };
  } catch (error) {
    return { error: { ...error, message: error.message, stack: undefined, cause: undefined } };
  }
}

const server = createServer(async (request, response) => {
  response.end(serialize(await answered(request, await buffer(request))));
});
// Long polling of a queue may take longer than the default timeout.
server.requestTimeout = 0;
// The agent of the controllers keeps connections, and a request may meet the closing of an idle one.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  /** @type {any} */
  const { port } = server.address();
  process.send({ port, region: account.region, ...inherited });
});
process.on('disconnect', () => process.exit(0));
