import type { Clock } from './clock.ts';

/** `setTimeout` fires at once if the delay is longer than this. */
const maxTimerMs = 2 ** 31 - 1;

/** The clock of the host. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(duration, signal) {
    const end = performance.now() + duration;
    for (let left: number = duration; left > 0 && signal?.aborted !== true; left = end - performance.now()) {
      await timer(Math.min(left, maxTimerMs), signal);
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
