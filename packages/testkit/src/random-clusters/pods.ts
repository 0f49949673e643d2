import { labelKeys } from '@karpenter/core/api';
import type { PodView } from '@karpenter/core/scheduling';
import type { ContainerLike, Labels } from '@karpenter/core/values';
import type { ConstrainedSpec } from '../plan-checker/index.ts';
import type { SeededRandom } from './chance.ts';
import { apps, architectures, capacityTypes, namespaces, teamLabel, teams, zones } from './label-choices.ts';
import { tolerationChoices } from './node-pools.ts';
import { nodeAffinity, podAffinity, spread } from './pod-constraints.ts';

/** The properties that the pods of one group share. */
interface PodShape {
  readonly namespace: string;
  readonly labels: Labels;
  readonly spec: ConstrainedSpec;
}

function container(chance: SeededRandom): ContainerLike {
  const requests = {
    ...chance.maybe(0.95, () => ({ cpu: chance.pick(['100m', '500m', '1', '2', '3']) })),
    ...chance.maybe(0.95, () => ({ memory: chance.pick(['128Mi', '512Mi', '2Gi', '6Gi']) })),
    ...chance.maybe(0.06, () => ({ 'example.com/gpu': '1' })),
  };
  const port = () => ({ ports: [{ containerPort: 80, hostPort: chance.pick([80, 81]) }] });
  return { name: 'main', resources: { requests }, ...chance.maybe(0.08, port) };
}

function initContainer(chance: SeededRandom): ContainerLike {
  return {
    name: 'init',
    resources: { requests: { cpu: chance.pick(['50m', '2']), memory: '256Mi' } },
    ...chance.maybe(0.5, () => ({ restartPolicy: 'Always' })),
  };
}

/** A node selector on labels that the node affinity of the same pod does not use. */
function nodeSelector(chance: SeededRandom) {
  return chance.pick<Record<string, string>>([
    { [labelKeys.zone]: chance.pick(zones) },
    { [labelKeys.capacityType]: chance.pick(capacityTypes) },
    { [labelKeys.architecture]: chance.pick(architectures) },
    { 'beta.kubernetes.io/arch': chance.pick(architectures) },
    { [teamLabel]: chance.pick(teams) },
  ]);
}

function affinity(chance: SeededRandom, app: string, mayAskNodes: boolean) {
  return {
    affinity: {
      ...chance.maybe(mayAskNodes ? 0.35 : 0, () => ({ nodeAffinity: nodeAffinity(chance) })),
      ...chance.maybe(0.25, () => ({ podAffinity: podAffinity(chance, app) })),
      ...chance.maybe(0.35, () => ({ podAntiAffinity: podAffinity(chance, app) })),
    },
  };
}

function spec(chance: SeededRandom, app: string): ConstrainedSpec {
  const hasSelector = chance.happens(0.2);
  return {
    containers: [container(chance)],
    ...chance.maybe(0.12, () => ({ initContainers: [initContainer(chance)] })),
    ...chance.maybe(0.05, () => ({ overhead: { cpu: '100m' } })),
    ...(hasSelector && { nodeSelector: nodeSelector(chance) }),
    ...chance.maybe(0.4, () => ({ tolerations: chance.some(tolerationChoices, 0.3) })),
    ...chance.maybe(0.6, () => affinity(chance, app, !hasSelector)),
    ...chance.maybe(0.3, () => ({
      topologySpreadConstraints: chance.times(1, 2, () => spread(chance, app)),
    })),
  };
}

export function podShape(chance: SeededRandom): PodShape {
  const app = chance.pick(apps);
  return {
    namespace: chance.happens(0.85) ? 'default' : chance.pick(namespaces),
    labels: { app, v: chance.pick(['1', '2']) },
    spec: spec(chance, app),
  };
}

export function podOf({ namespace, labels, spec }: PodShape, name: string): PodView {
  return { metadata: { name, namespace, uid: `uid-${name}`, labels }, spec } as PodView;
}

/** Pods in groups, as workload controllers create them. */
export function pods(chance: SeededRandom): readonly PodView[] {
  return chance
    .times(1, 5, (group) => {
      const shape = podShape(chance);
      return chance.times(1, 6, (index) => podOf(shape, `p-${group}-${index}`));
    })
    .flat();
}

export function daemonPods(chance: SeededRandom): readonly PodView[] {
  return chance.times(0, 2, (index) => {
    const requests = { cpu: chance.pick(['100m', '250m']), memory: '100Mi' };
    const port = () => ({ ports: [{ containerPort: 80, hostPort: 80 }] });
    const shape: PodShape = {
      namespace: 'default',
      labels: { daemon: String(index) },
      spec: {
        containers: [{ name: 'main', resources: { requests }, ...chance.maybe(0.2, port) }],
        ...chance.maybe(0.5, () => ({ tolerations: [{ operator: 'Exists' }] })),
        ...chance.maybe(0.3, () => ({ nodeSelector: nodeSelector(chance) })),
      },
    };
    return podOf(shape, `daemon-${index}`);
  });
}
