import type { JsonObject } from '@karpenter/core/schema';
import {
  type RefusalCase,
  refusalCases,
  samples,
  unmetConstraints,
} from '@karpenter/testkit/custom-resources';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../shared-control-plane.ts';
import {
  collectionPath,
  definitionOf,
  definitions,
  installCustomResources,
  storeWithStatus,
} from './installed-kinds.ts';
import { ourVerdict, realVerdict, type Verdict } from './verdict.ts';

const plane = sharedControlPlane();
const dryRun = '?dryRun=All&fieldValidation=Strict';
const stored = new Map<string, JsonObject>();

const nameOf = (object: JsonObject) => String((object['metadata'] as JsonObject)['name']);
const pathOf = (object: JsonObject) => `${collectionPath(definitionOf(object))}/${nameOf(object)}`;

const withStoredMetadata = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: stored.get(pathOf(object))?.['metadata'] ?? {},
});

interface Answers {
  readonly real: Verdict;
  readonly ours: Verdict;
}

async function answersTo({ object, oldObject, field }: RefusalCase): Promise<Answers> {
  const definition = definitionOf(object);
  if (field.startsWith('status')) return answersToUpdate(object, 'status');
  if (oldObject !== undefined) return answersToUpdate(object, undefined);
  const answer = await plane.request('POST', `${collectionPath(definition)}${dryRun}`, object);
  return { real: realVerdict(answer), ours: ourVerdict({ definition, object }) };
}

async function answersToUpdate(sent: JsonObject, subresource: 'status' | undefined): Promise<Answers> {
  const object = withStoredMetadata(sent);
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  const answer = await plane.request('PUT', `${pathOf(object)}${suffix}${dryRun}`, object);
  const oldObject = stored.get(pathOf(object));
  return {
    real: realVerdict(answer),
    ours: ourVerdict({ definition: definitionOf(object), object, oldObject, subresource }),
  };
}

beforeAll(async () => {
  await installCustomResources(plane);
  const first = new Map(samples.toReversed().map(({ object }) => [pathOf(object), object]));
  for (const sample of first.values()) stored.set(pathOf(sample), await storeWithStatus(plane, sample));
});

describe.each(definitions)('$spec.names.kind on a real API server', (definition) => {
  it.each(samples.filter(({ object }) => object['kind'] === definition.spec.names.kind))(
    'accepts $title, and our own validation stores the same',
    async ({ object }) => {
      const answer = await plane.request('POST', `${collectionPath(definition)}${dryRun}`, {
        ...object,
        metadata: { ...(object['metadata'] as JsonObject), name: 'fresh' },
      });
      const real = realVerdict(answer);
      expect(real.code).toBe(201);
      expect(ourVerdict({ definition, object })).toEqual(real);
    },
  );

  it('has an accepted sample for each constraint', () => {
    expect(unmetConstraints(definition)).toEqual([]);
  });

  it.each(refusalCases(definition))(
    'rejects an object that violates $title, as our own validation does',
    async (refusal) => {
      const { real, ours } = await answersTo(refusal);
      const named = (real.causes ?? []).filter((cause) => cause.startsWith(`${refusal.field}: `));
      expect(
        named.some((cause) => matches(cause, refusal.message)),
        JSON.stringify(real),
      ).toBe(true);
      expect(ours).toEqual(real);
    },
  );
});

const matches = (text: string, expected: string | RegExp) =>
  typeof expected === 'string' ? text.endsWith(expected) : expected.test(text);
