import type { Json, JsonObject } from '@karpenter/core/schema';
import { recordedLines } from '../../recordings/recording.ts';
import type { Verdict } from './verdict.ts';

/** An object, and the verdict of an API server with the definitions of Karpenter 1.14.1. */
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

export function recordedVerdicts(): readonly Recorded[] {
  return recordedLines<Line>('spec/crd-verdicts.jsonl', 'KARPENTER_VERDICTS').map(recorded);
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
