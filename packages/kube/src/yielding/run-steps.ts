import type { Steps } from '@karpenter/core/yielding';
import type { Clock, Instant } from '../runtime/index.ts';
import { type SliceClock, TimeSlice, yieldToEventLoop } from './time-slice.ts';

export interface StepOptions {
  readonly clock: SliceClock & Pick<Clock, 'now'>;
  /** When to stop early with what is decided so far. Defaults to never. */
  readonly deadline?: Instant;
  /** Stops the steps as the deadline does. */
  readonly signal?: AbortSignal;
  /** Called before each yield to the event loop but the first. */
  readonly onYield?: () => void;
}

/**
 * Runs steps and yields to the event loop after each time slice. At the deadline, or when the signal aborts, it
 * passes `stop` to the steps, which then return what they have decided.
 */
export async function runSteps<T>(steps: Steps<T>, options: StepOptions): Promise<T> {
  const { clock, deadline = Number.POSITIVE_INFINITY, signal, onYield } = options;
  const isStopped = () => signal?.aborted === true || clock.now() >= deadline;
  await yieldToEventLoop();
  return untilDone(() => steps.next(isStopped() ? 'stop' : undefined), { clock, onYield });
}

/**
 * Runs steps to their end and yields to the event loop after each time slice. Without a deadline: a search that
 * stops early would never reach some nodes. Undefined when the signal aborts first.
 */
export function runStepsUntilAborted<T>(
  steps: Steps<T>,
  { clock, signal }: { readonly clock: SliceClock; readonly signal: AbortSignal },
): Promise<T | undefined> {
  return untilDoneUnless(() => signal.aborted, steps, clock);
}

/** As `runStepsUntilAborted`, for a command whose user waits: undefined after that many milliseconds. */
export function runStepsWithin<T>(
  milliseconds: number,
  steps: Steps<T>,
  clock: SliceClock,
): Promise<T | undefined> {
  const end = clock.monotonic() + milliseconds;
  return untilDoneUnless(() => clock.monotonic() > end, steps, clock);
}

async function untilDoneUnless<T>(
  isAbandoned: () => boolean,
  steps: Steps<T>,
  clock: SliceClock,
): Promise<T | undefined> {
  await yieldToEventLoop();
  return untilDone<T | undefined>(() => (isAbandoned() ? abandoned : steps.next()), { clock });
}

const abandoned = { done: true, value: undefined } as const;

interface LoopOptions {
  readonly clock: SliceClock;
  readonly onYield?: (() => void) | undefined;
}

/** Runs `next` until it is done. Callers yield before, because the code before them may have used up a slice. */
async function untilDone<T>(
  next: () => IteratorResult<void, T>,
  { clock, onYield }: LoopOptions,
): Promise<T> {
  const slice = new TimeSlice(clock);
  for (;;) {
    const { done, value } = slice.run(next);
    if (done) return value;
    if (!slice.isOver) continue;
    onYield?.();
    await slice.renew();
  }
}
