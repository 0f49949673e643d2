// The controllers as `karpenter controller` runs them, with an AWS account in another process. Loads the AWS
// SDK clients without using them, because on EKS they are part of the process.
import { readFileSync } from 'node:fs';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { awsServices } from '@karpenter/aws';
import { runControllerProcess, settingsWith } from '@karpenter/cli/controller';
import { JsonLog } from '@karpenter/controllers';
import { loadConfig } from '@karpenter/kube/config';
import { systemClock } from '@karpenter/kube/runtime';
import { remoteServices } from './remote-services.mjs';
import { residentBytes } from './resident-bytes.mjs';

const tickMs = 10;
/** Longer stretches without a turn are listed with their end, on the clock of a CPU profile, which shows what ran. */
const longMicroseconds = 50_000;
const maxLongest = 1_000;

/** Takes CPU time and memory itself, a tenth of what the controllers of a small cluster take. */
class LoopDelays {
  #delays = monitorEventLoopDelay({ resolution: 10 });
  /**
   * The CPU time of the main thread between two turns of the event loop. On a quiet machine it equals the delay
   * of a late turn; on a shared machine the delay is longer for reasons outside the process.
   */
  #busy = createHistogram();
  #longest = [];

  constructor() {
    this.#delays.enable();
    let lastCpu = mainThreadMicroseconds();
    setInterval(() => {
      const cpu = mainThreadMicroseconds();
      this.#note(Math.max(1, Math.round(cpu - lastCpu)));
      lastCpu = cpu;
    }, tickMs).unref();
  }

  #note(spent) {
    this.#busy.record(spent);
    if (spent > longMicroseconds && this.#longest.length < maxLongest)
      this.#longest.push({ endedAt: Number(process.hrtime.bigint() / 1000n), microseconds: spent });
  }

  figures() {
    return {
      delayP99: this.#delays.percentile(99) / 1e6,
      delayMax: this.#delays.max / 1e6,
      busyP99: this.#busy.percentile(99) / 1e3,
      busyMax: this.#busy.max / 1e3,
      longest: this.#longest,
    };
  }

  reset() {
    this.#delays.reset();
    this.#busy.reset();
    this.#longest = [];
  }
}

/** Garbage-collection threads do not count: they do not block the main thread. */
function mainThreadMicroseconds() {
  const [nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
  return Number(nanoseconds) / 1e3;
}

/** Makes one call of each service that fails, so that its client is loaded. */
async function loadSdk(region) {
  const credentials = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' };
  Object.assign(process.env, credentials);
  const { ec2, sqs, ssm, iam, pricing, eks, sts } = awsServices({
    region,
    version: 'bench',
    endpoint: 'http://127.0.0.1:9',
  });
  const once = { retries: 'none' };
  await Promise.allSettled([
    ec2.describeInstances({}, once),
    sqs.getQueueUrl({ QueueName: 'none' }, once),
    ssm.getParameter({ Name: 'none' }, once),
    iam.getInstanceProfile({ InstanceProfileName: 'none' }, once),
    pricing.getProducts({ ServiceCode: 'AmazonEC2' }, once),
    eks.describeCluster({ name: 'none' }, once),
    sts.getCallerIdentity({}, once),
  ]);
}

function figures() {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    rss,
    peak: residentBytes(process.pid).peak,
    heapUsed,
    heapTotal,
    external,
    arrayBuffers,
    cpuSeconds: (user + system) / 1e6,
    ...delays?.figures(),
  };
}

const { port, region, flags, measuresDelays } = JSON.parse(process.argv[2]);
const delays = measuresDelays ? new LoopDelays() : undefined;
const ended = new AbortController();
process.on('message', ({ ask, reset }) => {
  process.send({ ask, figures: figures() });
  if (reset) delays?.reset();
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => ended.abort());
await loadSdk(region);
await runControllerProcess({
  config: await loadConfig(),
  settings: settingsWith({
    // There is no other replica, and a busy machine could lose the lease.
    'disable-leader-election': 'true',
    'cluster-name': 'dev',
    'interruption-queue': 'dev',
    'metrics-port': '0',
    'health-probe-port': '0',
    ...flags,
  }),
  account: { services: remoteServices(port), region },
  clock: systemClock,
  log: new JsonLog({
    level: 'info',
    now: () => systemClock.now(),
    write: (line) => process.stdout.write(line),
  }),
  signal: ended.signal,
  onListening: ({ metricsPort, healthPort }) => process.send({ metricsPort, healthPort }),
});
process.disconnect();
