import { convert } from '@karpenter/aws/conversion';
import type { JsonObject } from '@karpenter/core/schema';
import { samples } from '@karpenter/testkit/custom-resources';
import { rounds, seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { convertText, manifestPairs } from '../conversion/pairs.ts';
import { RandomManifests } from '../conversion/random-manifests.ts';

const count = { quick: 60, full: 300 };
const group = (object: JsonObject) => String(object['apiVersion']).split('/')[0];

const storedObjects = (seed: number): readonly JsonObject[] => {
  const random = new RandomManifests(seed);
  return [random.nodePool(), random.nodeClaim(), random.nodeClass()];
};

/** The object, and it with other values of the fields that differ between the versions. */
function variants(object: JsonObject): readonly JsonObject[] {
  const spec = object['spec'] as JsonObject;
  const disruption = spec['disruption'] as JsonObject | undefined;
  const changes: Readonly<Record<string, readonly JsonObject[]>> = {
    NodePool: ['0s', '5m', 'Never'].flatMap((consolidateAfter) =>
      ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'].map((consolidationPolicy) => ({
        disruption: { ...disruption, consolidateAfter, consolidationPolicy },
      })),
    ),
    NodeClaim: ['720h', 'Never', '1h'].map((expireAfter) => ({ expireAfter })),
    EC2NodeClass: [
      { amiFamily: 'Custom', amiSelectorTerms: [{ alias: 'al2023@v20250920' }] },
      { amiFamily: 'AL2', amiSelectorTerms: [{ alias: 'al2@v20250920' }] },
      { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-1' }] },
    ],
  };
  const withHopLimit: JsonObject =
    object['kind'] === 'EC2NodeClass' ? { metadataOptions: { httpPutResponseHopLimit: 1 } } : {};
  return [{}, ...(changes[String(object['kind'])] ?? [])].map((change) => ({
    ...object,
    spec: { ...spec, ...withHopLimit, ...change },
  }));
}

describe('the conversion of a stored object', () => {
  it(`from v1beta1 to v1 and back returns the same object, in ${rounds(count)} rounds`, () => {
    for (const seed of seeds(count)) {
      for (const object of storedObjects(seed)) {
        const upgraded = convert(object, `${group(object)}/v1`);
        expect(upgraded['apiVersion']).toBe(`${group(object)}/v1`);
        expect(convert(upgraded, `${group(object)}/v1beta1`), `seed ${seed}`).toEqual(object);
      }
    }
  });

  it.each(
    samples
      .filter(({ object }) => ['NodePool', 'NodeClaim', 'EC2NodeClass'].includes(String(object['kind'])))
      .flatMap(({ title, object }) => variants(object).map((each) => ({ title, object: each }))),
  )('from v1 to v1beta1 and back returns $title', ({ object }) => {
    const older = convert(object, `${group(object)}/v1beta1`);
    expect(convert(older, `${group(object)}/v1`)).toEqual(object);
  });

  it('keeps the version of an alias while the object is read as v1beta1', () => {
    const nodeClass = {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'a' },
      spec: {
        amiSelectorTerms: [{ alias: 'bottlerocket@v1.20.3' }],
        role: 'r',
        metadataOptions: { httpPutResponseHopLimit: 1 },
      },
    };
    const older = convert(nodeClass, 'karpenter.k8s.aws/v1beta1');
    expect(older['spec']).toMatchObject({ amiFamily: 'Bottlerocket' });
    expect(convert(older, 'karpenter.k8s.aws/v1')).toEqual(nodeClass);
  });

  it('ignores a reference that was stored before the object was changed', () => {
    const [nodePool] = storedObjects(1);
    const upgraded = convert(nodePool as JsonObject, 'karpenter.sh/v1') as unknown as {
      spec: { template: { spec: { nodeClassRef: { name: string } } } };
    };
    const changed = structuredClone(upgraded);
    changed.spec.template.spec.nodeClassRef.name = 'other';
    const older = convert(changed as unknown as JsonObject, 'karpenter.sh/v1beta1');
    expect(older).toMatchObject({
      spec: {
        template: { spec: { nodeClassRef: { name: 'other', apiVersion: 'karpenter.k8s.aws/v1beta1' } } },
      },
    });
  });
});

describe('karpenter convert', () => {
  it.each(manifestPairs().filter(({ exitCode }) => exitCode !== 1))(
    'changes nothing when $name is converted again',
    async ({ expected }) => {
      expect((await convertText(expected)).out).toBe(expected);
    },
  );

  it(`changes nothing the second time, in ${rounds(count)} rounds`, async () => {
    for (const seed of seeds(count)) {
      const random = new RandomManifests(seed);
      const objects = [
        random.provisioner(),
        random.nodeTemplate(),
        random.nodePool(),
        random.nodeClass(),
        random.nodeClaim(),
      ];
      const named = objects.map((object, index) => ({
        ...object,
        metadata: { ...(object['metadata'] as JsonObject), name: `n${index}` },
      }));
      const once = await convertText(named.map((object) => stringify(object)).join('---\n'));
      const isRefused = once.code === 1;
      const versions = parseAllDocuments(once.out).map((document) =>
        String((document.toJS() as JsonObject)['apiVersion']),
      );
      expect(isRefused || versions.every((version) => version.endsWith('/v1')), `seed ${seed}`).toBe(true);
      expect((await convertText(once.out)).out, `seed ${seed}`).toBe(once.out);
    }
  });
});
