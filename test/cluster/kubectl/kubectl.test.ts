import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCluster, startEmbedded } from '../../clients/running-clusters.ts';
import { sharedControlPlane } from '../shared-control-plane.ts';
import { prepareNamespace } from './prepared-namespace.ts';
import { readingScenarios } from './scenarios-reading.ts';
import { writingScenarios } from './scenarios-writing.ts';
import { transcriptOf } from './transcript.ts';

const real = sharedControlPlane();
let embedded: RunningCluster;

beforeAll(async () => {
  embedded = await startEmbedded();
});

afterAll(() => embedded.stop());

describe('kubectl on the embedded server does what it does on a real one:', () => {
  it.each([...writingScenarios, ...readingScenarios])('$title', async (scenario) => {
    const namespace = `kubectl-${randomBytes(4).toString('hex')}`;
    for (const plane of [real, embedded]) await prepareNamespace(plane, namespace);
    const theirs = await transcriptOf(real, namespace, scenario);
    const ours = await transcriptOf(embedded, namespace, scenario);
    expect(ours).toEqual(theirs);
  });
});
