import type { CreateFleetError } from '@aws-sdk/client-ec2';
import type { NodePool, RequirementField } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import { RecordedLogText, soldType } from '@karpenter/testkit/aws-calls';
import { pool } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OfferingName } from '../offerings/index.ts';
import { SuspectOfferings, suspectOfferings } from './suspect-offerings.ts';
import { chooseTypes } from './type-choice.ts';

const isIn = (key: string, ...values: string[]): RequirementField => ({ key, operator: 'In', values });
const typeKey = 'node.kubernetes.io/instance-type';
const capacityKey = 'karpenter.sh/capacity-type';
const zoneKey = 'topology.kubernetes.io/zone';
const archKey = 'kubernetes.io/arch';
const shortOf = (...codes: string[]): CreateFleetError[] => codes.map((ErrorCode) => ({ ErrorCode }));
const noCapacity = shortOf('InsufficientInstanceCapacity');

const zones = ['zone-a', 'zone-b'];
const offerings = zones.flatMap((zone) => [
  { zone, price: 2 },
  { zone, as: 'spot' as const, price: 1 },
]);
const sizes = ['large', 'xlarge', '2xlarge'];
const cpus = ['2', '4', '8'];

/** Families of three sizes, the odd ones for arm. */
function catalogue(families: number): readonly InstanceType[] {
  return Array.from({ length: families }, (_, family) =>
    sizes.map((size, index) =>
      soldType(`f${family}.${size}`, {
        architecture: family % 2 === 0 ? 'amd64' : 'arm64',
        capacity: { cpu: cpus[index] ?? '' },
        offerings,
      }),
    ),
  ).flat();
}

interface LaunchParts {
  readonly types?: readonly InstanceType[];
  readonly requirements?: readonly RequirementField[];
  readonly requests?: Readonly<Record<string, string>>;
  readonly nodePool?: NodePool | undefined;
  readonly errors?: readonly CreateFleetError[];
}

const anyPool = pool('any', {});

function suspects(parts: LaunchParts = {}): readonly OfferingName[] {
  const { types = catalogue(20), requests = { cpu: '1' }, errors = noCapacity } = parts;
  const { requirements = [isIn(capacityKey, 'spot')] } = parts;
  const nodePool = 'nodePool' in parts ? parts.nodePool : anyPool;
  const nodeClassRef = { group: 'g', kind: 'k', name: 'n' };
  const spec = {
    requirements: [...requirements],
    resources: { requests },
    nodeClassRef,
    expireAfter: 'Never',
  };
  const chosen = chooseTypes({ spec }, types, 'Strict');
  return suspectOfferings(errors, { chosen, capacityType: 'spot', nodePool });
}

const namesOf = (all: readonly OfferingName[]) => new Set(all.map(({ instanceType }) => instanceType));

describe('after a launch that got none of many types', () => {
  it('all other types in its zones and capacity type are suspect', () => {
    const all = suspects();
    expect(all).toHaveLength(20 * sizes.length * zones.length);
    expect(new Set(all.map(({ capacityType }) => capacityType))).toEqual(new Set(['spot']));
    const inZone = suspects({ requirements: [isIn(capacityKey, 'spot'), isIn(zoneKey, 'zone-b')] });
    expect(new Set(inZone.map(({ zone }) => zone))).toEqual(new Set(['zone-b']));
  });

  it('so are instances too small for its pods together, since they may be put apart', () => {
    const listed = catalogue(20).flatMap(({ name }) => (name.endsWith('.2xlarge') ? [name] : []));
    const requirements = [isIn(capacityKey, 'spot'), isIn(typeKey, ...listed)];
    expect(namesOf(suspects({ requirements, requests: { cpu: '6' } })).size).toBe(60);
  });

  it('types that the pool excludes are not', () => {
    const large = catalogue(20).flatMap(({ name }) => (name.endsWith('.large') ? [name] : []));
    const nodePool = pool('large', { requirements: [isIn(typeKey, ...large)] });
    expect(namesOf(suspects({ nodePool }))).toEqual(new Set(large));
  });

  it('only the types that the claim lists are, if its NodePool is gone', () => {
    const listed = catalogue(20)
      .slice(0, 20)
      .map(({ name }) => name);
    const requirements = [isIn(capacityKey, 'spot'), isIn(typeKey, ...listed)];
    expect(namesOf(suspects({ requirements, nodePool: undefined }))).toEqual(new Set(listed));
  });

  it('instances without the devices that were asked for are not', () => {
    const gpus = { 'nvidia.com/gpu': '1' };
    const withGpu = Array.from({ length: 15 }, (_, index) =>
      soldType(`g${index}.large`, { capacity: gpus, offerings }),
    );
    const types = [...catalogue(20), ...withGpu];
    expect(namesOf(suspects({ types, requests: gpus }))).toEqual(new Set(withGpu.map(({ name }) => name)));
    expect(namesOf(suspects({ types, requests: { 'nvidia.com/gpu': '0' } })).size).toBe(75);
  });

  it.each([
    ['few types were asked for', { types: catalogue(20).slice(0, 14) }],
    ['EC2 says nothing of why', { errors: [] }],
    ['subnets are full', { errors: shortOf('InsufficientFreeAddressesInSubnet') }],
    ['some types are not sold there', { errors: shortOf('InsufficientInstanceCapacity', 'Unsupported') }],
  ])('nothing is where %s', (_reason, parts) => {
    expect(suspects(parts)).toEqual([]);
  });

  it('nothing ever is that the claim does not allow, whatever it asks for', () => {
    const some = <T>(of: readonly T[]) => fc.subarray([...of], { minLength: 1 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        some(zones),
        some(['amd64', 'arm64']),
        fc.constantFrom(...cpus),
        (families, inZones, architectures, cpu) => {
          const types = catalogue(families + 1);
          const requirements = [
            isIn(capacityKey, 'spot', 'on-demand'),
            isIn(zoneKey, ...inZones),
            isIn(archKey, ...architectures),
          ];
          const requests = { cpu: String(Number(cpu) - 1) };
          const all = suspects({ types, requirements, requests });
          const wanted = types.filter(({ name }) =>
            architectures.includes(Number(/\d+/.exec(name)?.[0]) % 2 === 0 ? 'amd64' : 'arm64'),
          );
          const fitting = wanted.filter(({ capacity }) => Number(capacity['cpu']) >= Number(cpu));
          const names = fitting.length >= 15 ? wanted.map(({ name }) => name) : [];
          expect(namesOf(all)).toEqual(new Set(names));
          expect(all).toHaveLength(names.length * inZones.length);
          expect(all.every(({ zone }) => inZones.includes(zone))).toBe(true);
        },
      ),
    );
  });
});

describe('suspect offerings', () => {
  it('are marked once for all launches that shared a request and asked for the same', () => {
    const log = new RecordedLogText();
    const marked: number[] = [];
    const markSuspect = (all: readonly OfferingName[]) => {
      marked.push(all.length);
      return durationMs(180_000);
    };
    const suspects = new SuspectOfferings({ unavailableOfferings: { markSuspect }, log });
    const types = catalogue(20);
    const nodeClassRef = { group: 'g', kind: 'k', name: 'n' };
    const launchIn = (...requirements: RequirementField[]) => ({
      chosen: chooseTypes({ spec: { requirements, nodeClassRef, expireAfter: 'Never' } }, types, 'Strict'),
      capacityType: 'spot' as const,
      nodePool: anyPool,
    });
    const answer = { FleetId: 'fleet-1', Errors: noCapacity };
    suspects.note(answer, launchIn(isIn(capacityKey, 'spot')));
    suspects.note(answer, launchIn(isIn(capacityKey, 'spot')));
    suspects.note(answer, launchIn(isIn(capacityKey, 'spot'), isIn(zoneKey, 'zone-a')));
    suspects.note({ Errors: shortOf('InsufficientInstanceCapacity'), Instances: [{}] }, launchIn());
    expect(marked).toEqual([120, 60]);
    expect(log.lines).toHaveLength(2);
    expect(log.fields[0]).toEqual({
      reason: 'InsufficientInstanceCapacity',
      'capacity-type': 'spot',
      'instance-types-requested': 60,
      'instance-types-suspect': 60,
      ttl: '3m0s',
      'fleet-id': 'fleet-1',
    });
  });
});
