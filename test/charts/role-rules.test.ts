import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { type RenderedObject, rendered } from './rendered-chart.ts';

let helm: Helm;
let objects: ReadonlyMap<string, RenderedObject>;
beforeAll(async () => {
  helm = await helmFor('/dev/null');
  objects = await rendered(helm, {
    chart: chartPaths.karpenter,
    values: { settings: { clusterName: 'dev' } },
  });
});
afterAll(() => helm.close());

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What a role allows, as `group/resource` or `group/resource=name` with all verbs. */
function allowedBy(role: string): Readonly<Record<string, readonly string[]>> {
  const { rules } = objects.get(role) as unknown as { readonly rules: readonly Rule[] };
  const allowed = new Map<string, Set<string>>();
  for (const { resource, verbs } of rules.flatMap(resourcesOf))
    allowed.set(resource, new Set([...(allowed.get(resource) ?? []), ...verbs]));
  return Object.fromEntries([...allowed].map(([resource, verbs]) => [resource, [...verbs].sort()]));
}

function resourcesOf({ apiGroups, resources, resourceNames = [], verbs }: Rule) {
  const kinds = apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`));
  const named = kinds.flatMap((kind) => resourceNames.map((name) => `${kind}=${name}`));
  return (resourceNames.length === 0 ? kinds : named).map((resource) => ({ resource, verbs }));
}

const reads = ['get', 'list', 'watch'];
const readsAnd = (...verbs: readonly string[]) => [...reads, ...verbs].sort();
const readable = (group: string, ...resources: readonly string[]) =>
  Object.fromEntries(resources.map((resource) => [`${group}/${resource}`, reads]));

/** Those of Karpenter's chart, and reading Jobs. Written by hand, so that another permission shows here. */
const expected: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'ClusterRole/karpenter': {
    'karpenter.k8s.aws/ec2nodeclasses': readsAnd('patch', 'update'),
    'karpenter.k8s.aws/ec2nodeclasses/status': ['patch', 'update'],
  },
  'ClusterRole/karpenter-core': {
    'karpenter.sh/nodepools': readsAnd('patch', 'update'),
    'karpenter.sh/nodepools/status': readsAnd('patch', 'update'),
    'karpenter.sh/nodeclaims': readsAnd('create', 'delete', 'patch', 'update'),
    'karpenter.sh/nodeclaims/status': readsAnd('create', 'delete', 'patch', 'update'),
    'karpenter.sh/nodeoverlays': reads,
    'karpenter.sh/nodeoverlays/status': readsAnd('patch', 'update'),
    'autoscaling.x-k8s.io/capacitybuffers': reads,
    'autoscaling.x-k8s.io/capacitybuffers/status': readsAnd('patch', 'update'),
    ...readable('', 'persistentvolumes', 'persistentvolumeclaims', 'replicationcontrollers'),
    ...readable('', 'namespaces', 'podtemplates'),
    ...readable('storage.k8s.io', 'storageclasses', 'csinodes', 'volumeattachments'),
    ...readable('apps', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'),
    ...readable('batch', 'jobs'),
    ...readable('policy', 'poddisruptionbudgets'),
    '/events': readsAnd('create', 'patch'),
    '/nodes': readsAnd('delete', 'patch', 'update'),
    '/pods': readsAnd('delete'),
    '/pods/eviction': ['create'],
  },
  'ClusterRole/karpenter-admin': Object.fromEntries(
    [
      'karpenter.sh/nodepools',
      'karpenter.sh/nodepools/status',
      'karpenter.sh/nodeclaims',
      'karpenter.sh/nodeclaims/status',
      'karpenter.k8s.aws/ec2nodeclasses',
    ].map((resource) => [resource, readsAnd('create', 'delete', 'patch')]),
  ),
  'Role/karpenter': {
    'coordination.k8s.io/leases': ['create', 'get', 'watch'],
    'coordination.k8s.io/leases=karpenter-leader-election': ['patch', 'update'],
  },
  'Role/karpenter-dns': { '/services=kube-dns': ['get'] },
};

describe('the roles of the chart', () => {
  it('are these', () => {
    const roles = [...objects.keys()].filter((name) => /^(Cluster)?Role\//.test(name));
    expect(roles.sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.keys(expected))('%s allows exactly what it must', (role) => {
    expect(allowedBy(role)).toEqual(expected[role]);
  });

  it('are bound to the service account, apart from that of people', () => {
    const bindings = [...objects].filter(([name]) => /^(Cluster)?RoleBinding\//.test(name));
    const account = { kind: 'ServiceAccount', name: 'karpenter', namespace: 'kube-system' };
    expect(bindings.map(([name]) => name.replace('Binding', '')).sort()).toEqual(
      Object.keys(expected)
        .filter((role) => role !== 'ClusterRole/karpenter-admin')
        .sort(),
    );
    for (const [name, binding] of bindings) {
      const [kind, role] = name.replace('Binding', '').split('/');
      expect(binding).toMatchObject({ roleRef: { kind, name: role }, subjects: [account] });
    }
    expect(objects.get('ClusterRole/karpenter-admin')?.metadata.labels).toMatchObject({
      'rbac.authorization.k8s.io/aggregate-to-admin': 'true',
    });
  });

  it('are in the namespaces of what they allow', () => {
    expect(objects.get('Role/karpenter-dns')?.metadata.namespace).toBe('kube-system');
    expect(objects.get('Role/karpenter')?.metadata.namespace).toBe('kube-system');
  });
});
