import { labelKeys } from '@karpenter/core/api';
import type { PodView, Snapshot } from '@karpenter/core/scheduling';
import { SeededRandom } from '../random-clusters/index.ts';
import { pods as equalPods, type PodParts, pool, snapshot } from '../snapshots/index.ts';
import { smallCloudTypes } from './small-cloud-types.ts';

/** Many pods of one kind of workload, in an empty cluster. */
export interface Workload {
  readonly name: string;
  readonly snapshot: (pods: number) => Snapshot;
}

const requests: readonly [PodParts, ...PodParts[]] = [
  { cpu: '100m', memory: '128Mi' },
  { cpu: '250m', memory: '512Mi' },
  { cpu: '500m', memory: '1Gi' },
  { cpu: '1', memory: '2Gi' },
  { cpu: '2', memory: '8Gi' },
];

const isApp = (app: string) => ({ matchLabels: { app } });

function spreadOver(topologyKey: string, app: string) {
  const whenUnsatisfiable = 'DoNotSchedule';
  return {
    topologySpreadConstraints: [{ topologyKey, maxSkew: 1, whenUnsatisfiable, labelSelector: isApp(app) }],
  };
}

function required(kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, app: string) {
  const term = { topologyKey, labelSelector: isApp(app) };
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

/** One deployment. */
function uniform(pods: number): readonly PodView[] {
  return equalPods(pods, 'web', { cpu: '1', memory: '1536Mi' });
}

/**
 * Deployments of several sizes: some spread over zones, some with anti-affinity, some with node requirements.
 */
function services(pods: number): readonly PodView[] {
  const chance = new SeededRandom(1);
  const made: PodView[] = [];
  for (let service = 0; made.length < pods; service++) {
    const app = `service-${service}`;
    const parts: PodParts = {
      ...chance.pick(requests),
      labels: { app },
      ...chance.maybe(0.4, () => spreadOver(labelKeys.zone, app)),
      ...chance.maybe(0.15, () => ({ nodeSelector: { [labelKeys.architecture]: 'arm64' } })),
      ...chance.maybe(0.1, () => ({ nodeSelector: { [labelKeys.capacityType]: 'on-demand' } })),
      ...chance.maybe(0.1, () => required('podAntiAffinity', labelKeys.hostname, app)),
    };
    made.push(...equalPods(Math.min(chance.integer(1, 20), pods - made.length), app, parts));
  }
  return made;
}

/** Jobs of many shapes, some with a GPU. */
function batch(pods: number): readonly PodView[] {
  const chance = new SeededRandom(2);
  return Array.from({ length: pods }, (_, index) => {
    const gpu = chance.maybe(0.1, () => ({ extra: { 'nvidia.com/gpu': '1' } }));
    const parts = {
      cpu: `${chance.integer(1, 40) * 100}m`,
      memory: `${chance.integer(1, 60) * 256}Mi`,
      ...gpu,
    };
    return equalPods(1, `job-${index}`, parts);
  }).flat();
}

/**
 * In equal parts: unconstrained, spread over zones, spread over hosts, together in one zone, and with host
 * anti-affinity.
 */
function diverse(pods: number): readonly PodView[] {
  const rules: readonly ((app: string) => PodParts)[] = [
    () => ({}),
    (app) => spreadOver(labelKeys.zone, app),
    (app) => spreadOver(labelKeys.hostname, app),
    (app) => required('podAffinity', labelKeys.zone, app),
    (app) => required('podAntiAffinity', labelKeys.hostname, app),
  ];
  const chance = new SeededRandom(3);
  return rules.flatMap((rule, part) =>
    Array.from({ length: Math.ceil(pods / rules.length) }, (_, index) => {
      const app = `part-${part}`;
      return equalPods(1, `${app}-${index}`, { ...chance.pick(requests), labels: { app }, ...rule(app) });
    }).flat(),
  );
}

/** Pods with preferences, one of which cannot be met. */
function preferring(pods: number): readonly PodView[] {
  const apart = (topologyKey: string) => ({
    weight: 10,
    podAffinityTerm: { topologyKey, labelSelector: isApp('preferring') },
  });
  return equalPods(pods, 'preferring', {
    labels: { app: 'preferring' },
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 5,
            preference: { matchExpressions: [{ key: labelKeys.zone, operator: 'In', values: ['b'] }] },
          },
        ],
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [apart(labelKeys.zone), apart(labelKeys.hostname)],
      },
    },
  });
}

const types = smallCloudTypes();
const twoPools = [
  pool('spot', {
    weight: 10,
    requirements: [{ key: labelKeys.capacityType, operator: 'In', values: ['spot'] }],
  }),
  pool('any'),
];

export const workloads: readonly Workload[] = [
  { name: 'uniform', snapshot: (count) => snapshot({ pods: uniform(count), types }) },
  { name: 'services', snapshot: (count) => snapshot({ pods: services(count), types }) },
  { name: 'batch', snapshot: (count) => snapshot({ pods: batch(count), types, pools: twoPools }) },
  { name: 'diverse', snapshot: (count) => snapshot({ pods: diverse(count), types }) },
  { name: 'preferences', snapshot: (count) => snapshot({ pods: preferring(count), types }) },
];
