// The controllers in a separate process, so that it can be stopped and killed. Runs from the build. The API
// server and the AWS account are in the test process, which identifies this process by the ports that it
// uses.
import { runControllerProcess, settingsWith } from '@karpenter/cli/controller';
import { JsonLog } from '@karpenter/controllers';
import { tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { remoteServices } from './remote-services.mjs';

const { api, accountPort, region, election, missesStops } = JSON.parse(process.argv[2]);

/** A clock that does not advance while the process is stopped, which makes the fence ineffective. */
function clockWithoutStops() {
  const tickMs = 10;
  let last = performance.now();
  let missed = 0;
  const read = () => {
    const now = performance.now();
    if (now - last > 50 * tickMs) missed += now - last;
    last = now;
    return now - missed;
  };
  setInterval(read, tickMs).unref();
  return { ...systemClock, monotonic: read };
}

const ended = new AbortController();
process.on('SIGTERM', () => ended.abort());
process.on('disconnect', () => process.exit(0));
try {
  await runControllerProcess({
    config: { server: api.url, ca: api.ca, credentials: tokenCredentials(api.token) },
    settings: settingsWith({
      'cluster-name': 'dev',
      'cluster-ca-bundle': Buffer.from(api.nodesTrust).toString('base64'),
      'interruption-queue': 'dev',
      'leader-election-namespace': 'kube-system',
      'metrics-port': '0',
      'health-probe-port': '0',
    }),
    account: { services: remoteServices(accountPort), region },
    clock: missesStops ? clockWithoutStops() : systemClock,
    election,
    log: new JsonLog({
      level: 'info',
      now: () => systemClock.now(),
      write: (line) => process.stdout.write(line),
    }),
    signal: ended.signal,
  });
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
