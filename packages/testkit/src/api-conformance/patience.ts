import assert from 'node:assert/strict';

/** The longest that anything a server does at once may take; a case that waits longer has failed. */
export const patienceMs = 45_000;

const betweenAttemptsMs = 25;

/** Tries until it holds: for what a server does a moment after it has answered. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, betweenAttemptsMs));
  }
}
