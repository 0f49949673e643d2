// The embedded API server in a process of its own, which measures how long it blocks its event loop. Each
// message asks for the figures since the one before.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startApiServer } from '@karpenter/sim/apiserver';

const server = await startApiServer({});
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let cpu = process.cpuUsage();

// What the process computes between two timers: on a machine that is busy with other programs, a block also has
// the time in which they run.
let longestTurn = 0;
let turn = process.cpuUsage();
setInterval(() => {
  const { user, system } = process.cpuUsage(turn);
  turn = process.cpuUsage();
  longestTurn = Math.max(longestTurn, user + system);
}, 1).unref();

process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu);
  process.send({
    longestBlockMs: delay.max / 1e6,
    blockCpuMs: longestTurn / 1e3,
    cpuMs: (user + system) / 1e3,
  });
  longestTurn = 0;
  delay.reset();
  cpu = process.cpuUsage();
});
process.on('disconnect', () => server.stop().then(() => process.exit(0)));
process.send({ url: server.url, caPem: server.caPem, token: server.token });
