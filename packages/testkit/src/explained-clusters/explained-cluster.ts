import { coreLabelPolicy, type NodePool } from '@karpenter/core/api';
import type { ExplainedCluster, Explanation, Finding } from '@karpenter/core/explanation';
import { requirementPolicy } from '@karpenter/core/requirements';
import { type ClusterParts, disruptableCluster, disruptedPool } from '../disruptable-clusters/index.ts';
import { instanceType, planOptions } from '../snapshots/index.ts';

const ready = {
  type: 'Ready',
  status: 'True' as const,
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

/** A NodePool that is ready and allows disruption of all its nodes at once. */
export function readyPool(name: string, parts: Parameters<typeof disruptedPool>[1] = {}): NodePool {
  return disruptedPool(name, { conditions: [ready], ...parts });
}

const twoSizes = [
  instanceType('medium', { cpu: '4', memory: '16Gi', price: 0.2 }),
  instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 }),
];

/** A cluster of one ready NodePool with a medium and a large type, unless the parts say otherwise. */
export function explainedWith(parts: Partial<ClusterParts> = {}): ExplainedCluster {
  const cluster = disruptableCluster({
    managedNodes: [],
    types: twoSizes,
    pools: [readyPool('default')],
    ...parts,
  });
  return {
    cluster,
    environment: {
      policy: requirementPolicy(coreLabelPolicy),
      defaultSpread: [],
      spreadSources: () => {
        throw new Error('there are no default constraints');
      },
      isManaged: () => true,
      bufferPods: [],
    },
    options: planOptions,
    disruption: {
      options: {
        ...planOptions,
        reservedCapacity: { idLabel: planOptions.reservedCapacity?.idLabel ?? '', mode: 'fallback' },
      },
      allowsSpotToSpot: false,
    },
  };
}

/** All findings of an explanation with their details, each as its verdict and text. */
export function findingTexts({ sections }: Explanation): readonly string[] {
  const texts = ({ verdict, text, details = [] }: Finding): readonly string[] => [
    `${verdict}: ${text}`,
    ...details.flatMap(texts),
  ];
  return sections.flatMap(({ findings }) => findings.flatMap(texts));
}
