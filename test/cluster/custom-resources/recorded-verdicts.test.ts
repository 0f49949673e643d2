import { beforeAll, describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../shared-control-plane.ts';
import { definitionOf, installCustomResources } from './installed-kinds.ts';
import { recordedVerdicts } from './recorded-verdicts.ts';
import { ourVerdict, realVerdict } from './verdict.ts';

const plane = sharedControlPlane();
const recording = recordedVerdicts();

describe.skipIf(recording.length === 0)('recorded objects', () => {
  beforeAll(() => installCustomResources(plane));

  it.each(recording)(
    '$name gets the recorded verdict from a real API server with our definitions',
    async (recorded) => {
      const answer = await plane.request(
        'POST',
        `${recorded.path}?dryRun=All&fieldValidation=Strict`,
        recorded.object,
      );
      expect(realVerdict(answer)).toEqual(recorded.verdict);
    },
  );

  it.each(recording)('$name gets the recorded verdict from our own validation', ({ object, verdict }) => {
    expect(ourVerdict({ definition: definitionOf(object), object })).toEqual(verdict);
  });
});
