import assert from 'node:assert/strict';

/** Upper bound for anything that a server does immediately; a case that waits longer fails. */
export const patienceMs = 45_000;

const betweenAttemptsMs = 25;

/** Polls until the check passes, for effects that a server applies shortly after its reply. */
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
