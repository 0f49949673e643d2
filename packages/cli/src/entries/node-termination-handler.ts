#!/usr/bin/env node
// The termination handler, as its DaemonSet runs it: `npm run bundle` builds it from here. It carries no controller.
import { systemClock } from '@karpenter/kube/runtime';
import { agentMain } from '@karpenter/termination-handler';
import { stopSignal } from '../stop-signals.ts';
import { version } from '../version.ts';

const stopped = new AbortController();
void stopSignal().then(() => stopped.abort());
const code = await agentMain(process.argv.slice(2), {
  env: process.env,
  clock: systemClock,
  random: Math.random,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  signal: stopped.signal,
  version,
});
process.exit(code);
