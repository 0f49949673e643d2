import type { Clock } from './clock.ts';

/** Timers fire at once when asked for more than this. */
const longestTimer = 2 ** 31 - 1;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(duration, signal) {
    const end = performance.now() + duration;
    for (let left: number = duration; left > 0 && signal?.aborted !== true; left = end - performance.now()) {
      await timer(Math.min(left, longestTimer), signal);
    }
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timeout = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
  });
}
