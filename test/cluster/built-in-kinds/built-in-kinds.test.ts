import type { JsonObject } from '@karpenter/core/schema';
import type { ApiResponse } from '@karpenter/testkit/control-plane';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, sharedControlPlane } from '../shared-control-plane.ts';
import { clusterCases } from './cases/cluster-cases.ts';
import { decodingCases } from './cases/decoding-cases.ts';
import type { KindCase } from './cases/kind-case.ts';
import { podCases } from './cases/pod-cases.ts';
import { workloadCases } from './cases/workload-cases.ts';
import { collectionPath, ourVerdict, realVerdict, type Verdict } from './verdict.ts';

const plane = sharedControlPlane();
const dryRun = '?dryRun=All&fieldValidation=Strict';
let namespace = '';

const nameOf = ({ metadata }: JsonObject) => String((metadata as JsonObject)['name']);

/** Controllers may write to the stored object at any time, so an update that lost the race is retried. */
async function putCurrent(path: string, object: JsonObject): Promise<ApiResponse> {
  for (;;) {
    const { body } = await plane.request('GET', path);
    const { metadata } = body as { readonly metadata: { readonly resourceVersion: string } };
    const sent = {
      ...object,
      metadata: { ...(object['metadata'] as JsonObject), resourceVersion: metadata.resourceVersion },
    };
    const answer = await plane.request('PUT', path + dryRun, sent);
    if (answer.status !== 409) return answer;
  }
}

/** Stores the old object for this case only, because the next case may need another. */
async function askAboutUpdate(old: JsonObject, object: JsonObject): Promise<Verdict> {
  const name = `sample-${Math.random().toString(36).slice(2)}`;
  const named = (entry: JsonObject) => ({
    ...entry,
    metadata: { ...(entry['metadata'] as JsonObject), name },
  });
  const collection = collectionPath(old, namespace);
  const stored = await plane.request('POST', collection, named(old));
  if (stored.status !== 201) throw new Error(`cannot store ${collection}: ${JSON.stringify(stored.body)}`);
  try {
    const verdict = realVerdict(await putCurrent(`${collection}/${name}`, named(object)));
    return JSON.parse(JSON.stringify(verdict).replaceAll(name, nameOf(object)));
  } finally {
    await plane.request('DELETE', `${collection}/${name}?gracePeriodSeconds=0`);
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
  { group: 'malformed objects', cases: decodingCases },
  { group: 'pods', cases: podCases },
  { group: 'workloads', cases: workloadCases },
  { group: 'the rest of a cluster', cases: clusterCases },
])('$group as a real API server sees them', ({ cases }) => {
  it.each(cases)('$title', async (kindCase) => {
    const real = await askRealServer(kindCase);
    expect(ourVerdict(kindCase.object, kindCase.old)).toEqual(real);
  });
});
