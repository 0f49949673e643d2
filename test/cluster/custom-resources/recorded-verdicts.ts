import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '@karpenter/core/schema';
import type { Verdict } from './verdict.ts';

/** An object and what an API server with Karpenter 1.14.1's definitions made of it. */
export interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly object: JsonObject;
  readonly verdict: Verdict;
}

interface Line {
  readonly name: string;
  readonly path: string;
  readonly object: JsonObject;
  readonly code: number;
  readonly spec?: Json;
  readonly causes?: readonly string[];
  readonly message?: string;
}

/** The recording lies beside the checkout, not in it; KARPENTER_VERDICTS names another one. */
const file =
  process.env['KARPENTER_VERDICTS'] ??
  join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'spec', 'crd-verdicts.jsonl');

export const hasRecording = existsSync(file);

/** Empty without a recording, which is a failure where every tier must run. */
export function recordedVerdicts(): readonly Recorded[] {
  if (!hasRecording && process.env['KARPENTER_TEST'] !== 'all') return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => recorded(JSON.parse(line) as Line));
}

function recorded({ name, path, object, code, spec, causes = [], message }: Line): Recorded {
  const verdict: Verdict =
    spec !== undefined
      ? { code, spec }
      : causes.length > 0
        ? { code, causes: [...causes].sort() }
        : { code, ...(message === undefined ? {} : { message }) };
  return { name, path, object, verdict };
}
