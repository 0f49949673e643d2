import type { JsonObject } from '@karpenter/core/schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, sharedControlPlane } from '../shared-control-plane.ts';
import { clusterCases } from './cases/cluster-cases.ts';
import type { KindCase } from './cases/kind-case.ts';
import { podCases } from './cases/pod-cases.ts';
import { workloadCases } from './cases/workload-cases.ts';
import { collectionPath, ourVerdict, realVerdict, type Verdict } from './verdict.ts';

const plane = sharedControlPlane();
const dryRun = '?dryRun=All&fieldValidation=Strict';
let namespace = '';

const nameOf = ({ metadata }: JsonObject) => String((metadata as JsonObject)['name']);

/** Stores the old object for the time of the question: the next one may need it otherwise. */
async function askAboutUpdate(old: JsonObject, object: JsonObject): Promise<Verdict> {
  const collection = collectionPath(old, namespace);
  const path = `${collection}/${nameOf(old)}`;
  const stored = await plane.request('POST', collection, old);
  const { metadata: { resourceVersion } = {} } = stored.body as { metadata?: { resourceVersion?: string } };
  if (stored.status !== 201) throw new Error(`cannot store ${path}: ${JSON.stringify(stored.body)}`);
  try {
    const sent = { ...object, metadata: { ...(object['metadata'] as JsonObject), resourceVersion } };
    return realVerdict(await plane.request('PUT', path + dryRun, sent));
  } finally {
    await plane.request('DELETE', `${path}?gracePeriodSeconds=0`);
  }
}

async function askRealServer({ object, old }: KindCase): Promise<Verdict> {
  if (old) return askAboutUpdate(old, object);
  return realVerdict(await plane.request('POST', collectionPath(object, namespace) + dryRun, object));
}

beforeAll(async () => {
  namespace = await createNamespace(plane);
});

describe.each([
  { group: 'pods', cases: podCases },
  { group: 'workloads', cases: workloadCases },
  { group: 'the rest of a cluster', cases: clusterCases },
])('$group as a real API server sees them', ({ cases }) => {
  it.each(cases)('$title', async (kindCase) => {
    const real = await askRealServer(kindCase);
    expect(ourVerdict(kindCase.object, kindCase.old)).toEqual(real);
  });
});
