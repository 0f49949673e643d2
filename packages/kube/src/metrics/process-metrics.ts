import { readdirSync, readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { processMetrics } from '@karpenter/core/api';
import type { MetricRegistry } from './metric-registry.ts';

const pageBytes = 4096;

/**
 * Sampling interval of the event loop monitor, whose timer wakes the process. At 20 ms it used 2.5 ms of CPU time per
 * second, as much as everything else in an idle controller, and termination handlers run on every node.
 */
const delaySampleMs = 100;

/** Updates the metrics of the process at each scrape. The returned function stops the event loop monitor. */
export function measureProcess(registry: MetricRegistry): () => void {
  const delays = monitorEventLoopDelay({ resolution: delaySampleMs });
  delays.enable();
  let cpuSeconds = 0;
  registry.set(processMetrics.startTime, {}, performance.timeOrigin / 1000);
  registry.beforeScrape(() => {
    const { user, system } = process.cpuUsage();
    const now = (user + system) / 1e6;
    registry.increment(processMetrics.cpuSeconds, {}, now - cpuSeconds);
    cpuSeconds = now;
    const { rss, heapUsed, heapTotal } = process.memoryUsage();
    registry.set(processMetrics.residentMemory, {}, rss);
    registry.set(processMetrics.heapUsed, {}, heapUsed);
    registry.set(processMetrics.heapTotal, {}, heapTotal);
    registry.set(processMetrics.loopDelay, {}, delayedSeconds(delays));
    delays.reset();
    showSystem(registry);
  });
  return () => delays.disable();
}

/** The monitor measures the time between samples, so the sampling interval is subtracted. */
function delayedSeconds(delays: IntervalHistogram): number {
  return Math.max(0, delays.percentile(99) / 1e9 - delaySampleMs / 1e3);
}

/** Memory and file metrics from /proc, which exists on Linux only; elsewhere they are left out. */
function showSystem(registry: MetricRegistry): void {
  if (process.platform !== 'linux') return;
  const [pages = '0'] = readFileSync('/proc/self/statm', 'utf8').split(' ');
  registry.set(processMetrics.virtualMemory, {}, Number(pages) * pageBytes);
  registry.set(processMetrics.openFiles, {}, readdirSync('/proc/self/fd').length);
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const maxOpenFiles = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  if (maxOpenFiles !== undefined) registry.set(processMetrics.mostFiles, {}, Number(maxOpenFiles));
}
