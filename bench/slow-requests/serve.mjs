// The embedded API server in a process of its own, which measures how long it blocks its event loop. Each
// message asks for the figures since the one before.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startApiServer } from '@karpenter/sim/apiserver';

const server = await startApiServer({});
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let cpu = process.cpuUsage();

process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu);
  process.send({ longestBlockMs: delay.max / 1e6, cpuMs: (user + system) / 1e3 });
  delay.reset();
  cpu = process.cpuUsage();
});
process.on('disconnect', () => server.stop().then(() => process.exit(0)));
process.send({ url: server.url, caPem: server.caPem, token: server.token });
