import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@karpenter/core/schema';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  builtInKinds,
} from '@karpenter/sim/apiserver';
import { describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../shared-control-plane.ts';

const plane = sharedControlPlane();
// metrics-server is not part of a control plane, and the real server also serves an older version of
// autoscalers.
const kinds = builtInKinds().filter(({ group }) => group !== 'metrics.k8s.io');
const served = new Set(kinds.map(({ group, version, plural }) => `${group}/${version}/${plural}`));
const groupVersions = [...new Map(kinds.map((kind) => [`${kind.group}/${kind.version}`, kind])).values()];

interface Version {
  readonly version: string;
  readonly resources: readonly { readonly resource: string }[];
}
interface Group {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly Version[];
}

function onlyServed({ metadata, versions }: Group): readonly Group[] {
  const kept = versions.flatMap((entry) => {
    const resources = entry.resources.filter(({ resource }) =>
      served.has(`${metadata.name ?? ''}/${entry.version}/${resource}`),
    );
    return resources.length === 0 ? [] : [{ ...entry, resources }];
  });
  return kept.length === 0 ? [] : [{ metadata, versions: kept }];
}

describe('discovery compared with a real API server', () => {
  it.each([
    { path: '/api', part: 'core' as const },
    { path: '/apis', part: 'named' as const },
  ])('is the same in one document at $path', async ({ path, part }) => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { body } = await plane.request('GET', path, undefined, { accept });
    const real = body as { readonly items: readonly Group[] };
    expect(aggregatedDiscovery(kinds, part, 'v2')).toEqual({
      ...real,
      items: real.items.flatMap(onlyServed),
    });
  });

  it.each(groupVersions)('is the same for the resources of $group/$version', async ({ group, version }) => {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const { body } = await plane.request('GET', path);
    const real = body as { readonly resources: readonly JsonObject[] };
    const resources = real.resources.filter(({ name }) =>
      served.has(`${group}/${version}/${String(name).split('/')[0]}`),
    );
    const ours = apiResourceList(kinds, group, version) as unknown as typeof real;
    // The real server has a special hash for kinds that it stores in an older version; ours has no older
    // versions.
    const plain = (list: readonly JsonObject[]) =>
      list.map(({ storageVersionHash: _, ...resource }) => resource);
    expect({ ...ours, resources: plain(ours.resources) }).toEqual({ ...real, resources: plain(resources) });
    const same = ours.resources.filter((entry, index) => isDeepStrictEqual(entry, resources[index]));
    expect(same.length).toBeGreaterThanOrEqual(ours.resources.length - 2);
  });

  it.each(groupVersions.filter(({ group }) => group !== '' && group !== 'autoscaling'))(
    'is the same for the group $group',
    async ({ group }) => {
      const { body } = await plane.request('GET', `/apis/${group}`);
      expect(apiGroup(kinds, group)).toEqual(body);
      const { groups } = apiGroupList(kinds) as unknown as { readonly groups: readonly JsonObject[] };
      expect(groups.map(({ name }) => name)).toContain(group);
    },
  );
});
