import {
  allocatableOf,
  amiFamilies,
  type DescribedType,
  instanceShape,
  type NodeFacts,
  RequirementPool,
  typeRequirements,
} from '@karpenter/aws';
import { type QuantityTexts, resourceTexts } from '@karpenter/core/values';
import { describe, expect, it } from 'vitest';
import { recordedLines } from '../recordings/recording.ts';

/** A record of DescribeInstanceTypes, and what Karpenter 1.14.1 makes of it for several NodeClasses. */
interface Recorded {
  readonly describe: DescribedType;
  readonly results: readonly Result[];
}

interface Result {
  readonly variant: string;
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
  readonly capacity: QuantityTexts;
  readonly kubeReserved: QuantityTexts;
  readonly systemReserved: QuantityTexts;
  readonly evictionThreshold: QuantityTexts;
  readonly allocatable: QuantityTexts;
}

const al2023 = { family: amiFamilies.AL2023 };

const variants: Readonly<Record<string, NodeFacts>> = {
  al2023,
  bottlerocket: { family: amiFamilies.Bottlerocket },
  windows2022: { family: amiFamilies.Windows2022 },
  'al2023-maxpods110': { ...al2023, kubelet: { maxPods: 110 } },
  'al2023-tuned': {
    ...al2023,
    kubelet: {
      podsPerCore: 4,
      kubeReserved: { cpu: '200m', memory: '1Gi' },
      systemReserved: { memory: '100Mi' },
      evictionHard: { 'memory.available': '5%', 'nodefs.available': '10%' },
    },
  },
  'al2023-raid0': { ...al2023, instanceStorePolicy: 'RAID0' },
};

const settings = { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 };
const place = {
  region: 'us-east-1',
  zones: [
    { name: 'us-east-1a', id: 'use1-az1' },
    { name: 'us-east-1b', id: 'use1-az2' },
    { name: 'us-east-1c', id: 'use1-az4' },
  ],
  reservations: [],
};

const recording = recordedLines<Recorded>('spec/aws-types.jsonl', 'KARPENTER_TYPES');
const cases = recording.flatMap(({ describe: type, results }) =>
  results.map((result) => ({ name: `${type.InstanceType} for ${result.variant}`, type, result })),
);

describe.skipIf(recording.length === 0)('recorded instance types', () => {
  it.each(cases)('$name match those of Karpenter', ({ type, result }) => {
    expect(made(type, result.variant)).toEqual(result);
  });
});

function made(type: DescribedType, variant: string): Result {
  const facts = variants[variant];
  if (facts === undefined) throw new Error(`no NodeClass for the variant ${variant}`);
  const shape = instanceShape(type, facts, settings);
  const items = typeRequirements(type, facts.family, place, new RequirementPool());
  const { kubeReserved = {}, systemReserved = {}, evictionThreshold = {} } = shape.overhead;
  return {
    variant,
    labels: Object.fromEntries(items.map(({ key, operator, values }) => [key, values ?? operator])),
    capacity: withoutZeros(shape.capacity),
    kubeReserved: withoutZeros(kubeReserved),
    systemReserved: withoutZeros(systemReserved),
    evictionThreshold: withoutZeros(evictionThreshold),
    allocatable: withoutZeros(resourceTexts(allocatableOf(shape))),
  };
}

function withoutZeros(amounts: QuantityTexts): QuantityTexts {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== '0'));
}
