import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@karpenter/core/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCluster, startEmbedded } from '../../clients/running-clusters.ts';
import { convertedObjects } from '../../conversion/pairs.ts';
import { collectionPath, definitionOf, installCustomResources } from '../custom-resources/installed-kinds.ts';
import { sharedControlPlane } from '../shared-control-plane.ts';

const real = sharedControlPlane();
let embedded: RunningCluster;

beforeAll(async () => {
  embedded = await startEmbedded();
  for (const plane of [real, embedded]) await installCustomResources(plane);
});

afterAll(() => embedded.stop());

const strictly = '?dryRun=All&fieldValidation=Strict';

/** Other tests keep objects of the usual names on the control plane that all share. */
function underAnotherName({ metadata = {}, ...object }: JsonObject): JsonObject {
  const name = `converted-${randomBytes(4).toString('hex')}`;
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), name } };
}

describe.each([
  ['the real API server', () => real],
  ['the embedded API server', () => embedded],
])('%s', (_, plane) => {
  it.each(convertedObjects())('accepts $object.kind of $name', async ({ object }) => {
    const path = `${collectionPath(definitionOf(object))}${strictly}`;
    const { status, body } = await plane().request('POST', path, underAnotherName(object));
    expect({ status, message: status === 201 ? '' : JSON.stringify(body) }).toEqual({
      status: 201,
      message: '',
    });
  });
});
