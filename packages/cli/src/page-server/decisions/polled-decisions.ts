import type { Decision } from '@karpenter/core/decisions';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { DecisionList } from './decision-list.ts';
import type { DecisionSource } from './decision-source.ts';

export interface PollOptions {
  /** Of the controller's metrics port, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly clock: Clock;
  /** Ends the polling. */
  readonly signal: AbortSignal;
}

const interval = durationMs(2_000);
const answerWithinMs = 10_000;
/** Decisions of one answer; the rest follows with the next. */
const pageSize = 500;

/** The decisions of a controller elsewhere, asked for until the signal aborts. */
export function polledDecisions({ url, clock, signal }: PollOptions): DecisionSource {
  const decisions = new DecisionList();
  const address = url.replace(/\/+$/, '');
  let failure: string | undefined = `asking ${address} for decisions`;
  const poll = async () => {
    while (!signal.aborted) {
      failure = await read(address, decisions, signal).then(
        () => undefined,
        (error: unknown) => `cannot read decisions from ${address}: ${reasonOf(error)}`,
      );
      await clock.sleep(interval, signal);
    }
  };
  void poll();
  return {
    list: () => decisions.list(),
    subscribe: (listener) => decisions.subscribe(listener),
    unavailable: () => failure,
    replayCommand: ({ id, isReplayable }) =>
      isReplayable && isPlainId(id) ? `karpenter replay ${id} --from ${address}` : undefined,
  };
}

async function read(address: string, decisions: DecisionList, signal: AbortSignal): Promise<void> {
  const since = decisions.newest === undefined ? '' : `&since=${encodeURIComponent(decisions.newest.id)}`;
  const response = await fetch(`${address}/decisions?limit=${pageSize}${since}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
  });
  if (!response.ok) throw new Error(`it answered with status ${response.status}`);
  const answer: unknown = await response.json();
  if (!Array.isArray(answer)) throw new Error('it answered with something else than a list');
  // The endpoint lists the newest first.
  for (const decision of answer.filter(isDecision).reverse()) decisions.add(decision);
}

const kinds: ReadonlySet<unknown> = new Set(['plan', 'launch', 'disruption', 'refusal', 'notice']);

function isDecision(value: unknown): value is Decision {
  if (typeof value !== 'object' || value === null) return false;
  const { id, at, kind, summary } = value as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && typeof at === 'number' && typeof summary === 'string' && kinds.has(kind);
}

/** The command is there to be copied into a shell. */
function isPlainId(id: string): boolean {
  return /^[\w.:-]+$/.test(id);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
