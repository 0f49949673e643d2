import { randomBytes } from 'node:crypto';
import { type Kind, type KubeClient, type KubeObject, kinds } from '@karpenter/kube/client';
import type { CustomResourceConversion } from 'kubernetes-types/apiextensions/v1.js';
import { expect, onTestFinished, vi } from 'vitest';
import { patience } from './kube-connection.ts';

export interface CustomKindOptions {
  /** The first is the stored one; defaults to `v1`. */
  readonly versions?: readonly string[];
  readonly conversion?: CustomResourceConversion;
}

/** A custom kind for this test, whose objects may have any fields; one kind per version. */
export async function createCustomKinds<T extends KubeObject>(
  client: KubeClient,
  { versions = ['v1'], conversion }: CustomKindOptions = {},
): Promise<readonly Kind<T>[]> {
  const group = `t${randomBytes(4).toString('hex')}.karpenter.test`;
  const name = `things.${group}`;
  await client.create(kinds.customResourceDefinition, {
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
      versions: versions.map((version, index) => ({
        name: version,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      })),
      ...(conversion === undefined ? {} : { conversion }),
    },
  });
  onTestFinished(() => client.delete(kinds.customResourceDefinition, { name }));
  const made = versions.map((version): Kind<T> => {
    return { group, version, kind: 'Thing', plural: 'things', namespaced: true };
  });
  await vi.waitFor(async () => {
    const { status } = await client.get(kinds.customResourceDefinition, { name });
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Established', status: 'True' }),
    );
    for (const kind of made) await client.list(kind, { limit: 1 });
  }, patience);
  return made;
}
