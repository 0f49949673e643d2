import type { ControlPlaneClient } from '@karpenter/testkit/control-plane';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { comparable } from './comparable-text.ts';

/** One kubectl command in the namespace of its scenario. */
export interface Step {
  /** The arguments of `kubectl`, separated by spaces, with quotes around arguments that contain spaces. */
  readonly run: string;
  /** Standard input as text, or objects to send as JSON. */
  readonly input?: string | object;
  /** The editor command; kubectl calls it with the name of the file to change. */
  readonly editor?: string;
  /** Expected output for both servers, so that two servers with the same mistake do not pass. */
  readonly prints?: string | RegExp;
  /** Expected standard error. */
  readonly complains?: string | RegExp;
  /** Defaults to 0. */
  readonly code?: number;
  /** Repeats the command until the output is as expected, because controllers and kubelets take a moment. */
  readonly eventually?: boolean;
  /** Why the outputs of the two servers cannot be compared, only checked separately. */
  readonly differs?: string;
}

export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** The result of a step, without what differs on each run. */
export interface Exchange {
  readonly run: string;
  readonly code: number;
  readonly stdout: unknown;
  readonly stderr: string;
}

const patience = { timeout: 40_000, interval: 200 };

/** Runs the steps in sequence; an unexpected result fails the test. */
export async function transcriptOf(
  plane: ControlPlaneClient,
  namespace: string,
  { steps }: Scenario,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const step of steps) exchanges.push(await exchange(plane, namespace, step));
  return exchanges;
}

async function exchange(plane: ControlPlaneClient, namespace: string, step: Step): Promise<Exchange> {
  const call = () => kubectl(plane, namespace, step);
  const wanted = {
    code: step.code ?? 0,
    ...(step.prints === undefined ? {} : { stdout: matching(step.prints, namespace) }),
    ...(step.complains === undefined ? {} : { stderr: matching(step.complains, namespace) }),
  };
  let result = await call();
  if (step.eventually) {
    await expect
      .poll(async () => {
        result = await call();
        return result;
      }, patience)
      .toMatchObject(wanted);
  } else expect(result, `${step.run} on ${plane.url}: ${result.stderr}`).toMatchObject(wanted);
  if (step.differs !== undefined) return { run: step.run, code: result.code, stdout: '', stderr: '' };
  return {
    run: step.run,
    code: result.code,
    stdout: comparableOutput(step.run, result.stdout),
    stderr: comparable(result.stderr),
  };
}

function matching(pattern: string | RegExp, namespace: string): unknown {
  return typeof pattern === 'string'
    ? expect.stringContaining(pattern.replaceAll('$NAMESPACE', namespace))
    : expect.stringMatching(pattern);
}

async function kubectl(plane: ControlPlaneClient, namespace: string, { run, input, editor }: Step) {
  const place = (text: string) => text.replaceAll('$NAMESPACE', namespace);
  return plane.kubectl([`--namespace=${namespace}`, ...wordsOf(place(run))], {
    ...(input === undefined ? {} : { input: place(typeof input === 'string' ? input : manifest(input)) }),
    ...(editor === undefined ? {} : { editor }),
  });
}

function manifest(input: object): string {
  return (Array.isArray(input) ? input : [input]).map((object) => JSON.stringify(object)).join('\n---\n');
}

/** Splits `get pods -l 'a in (b)'` as a shell does. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

/** Compares objects as data: the order of fields may differ between the servers. */
function comparableOutput(run: string, text: string): unknown {
  const normal = comparable(text);
  const isObject = /(-o|--output)[ =](yaml|json)\b/.test(run);
  return isObject ? parse(normal, sortedOwners) : normal;
}

/** managedFields are ordered by time in seconds, which differs between two runs. */
function sortedOwners(name: unknown, value: unknown): unknown {
  if (name !== 'managedFields' || !Array.isArray(value)) return value;
  return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
