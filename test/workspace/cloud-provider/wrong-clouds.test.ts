import type { NodeClaim, NodePool } from '@karpenter/core/api';
import { type CloudInstance, instanceNotFound, type Termination } from '@karpenter/core/ports';
import { cloudConformanceCases, type ProviderUnderTest } from '@karpenter/testkit/cloud-conformance';
import { MemoryCloud } from '@karpenter/testkit/fake-cloud';
import { describe, expect, it } from 'vitest';
import { memoryCloud } from './clouds-under-test.ts';

class HastyCloud extends MemoryCloud {
  override async delete(claim: NodeClaim): Promise<Termination> {
    await super.delete(claim);
    return 'gone';
  }
}

class CloudWithoutTerminatingInstances extends MemoryCloud {
  override async list(): Promise<readonly CloudInstance[]> {
    return (await super.list()).filter(({ isDeleting }) => !isDeleting);
  }
}

class RepeatingCloud extends MemoryCloud {
  #calls = 0;

  override create(claim: NodeClaim): Promise<CloudInstance> {
    this.#calls += 1;
    return super.create({ ...claim, metadata: { ...claim.metadata, uid: `call-${this.#calls}` } });
  }
}

class CarelessCloud extends MemoryCloud {
  override create(claim: NodeClaim): Promise<CloudInstance> {
    return super.create({ ...claim, spec: { ...claim.spec, requirements: [] } });
  }
}

class ThrowingCloud extends MemoryCloud {
  override async get(providerId: string): Promise<CloudInstance> {
    const found = await super.get(providerId);
    if (found === undefined) throw instanceNotFound(`${providerId} does not exist`);
    return found;
  }
}

class CopyingCloud extends MemoryCloud {
  override async instanceTypes(nodePool: NodePool) {
    return [...(await super.instanceTypes(nodePool))];
  }
}

class AvailableTypesCloud extends MemoryCloud {
  override async instanceTypes(nodePool: NodePool) {
    const types = await super.instanceTypes(nodePool);
    const isOffered = types.every(({ offerings }) => offerings.some(({ available }) => available));
    return isOffered ? types : [];
  }
}

async function failedCases(create: () => ProviderUnderTest): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { area, title, run } of cloudConformanceCases) {
    await run(create()).catch(() => failed.push(`${area}: ${title}`));
  }
  return failed;
}

describe('the conformance cases', () => {
  it.each([
    [
      'returns gone while the instance exists',
      HastyCloud,
      [
        'get: returns undefined for an instance that is gone',
        'list: does not contain an instance that is gone',
        'delete: returns gone only when the instance no longer exists',
        'delete: ends an instance that an earlier process launched',
      ],
    ],
    [
      'lists no terminating instances',
      CloudWithoutTerminatingInstances,
      [
        'delete: returns gone only when the instance no longer exists',
        'delete: leaves a terminating instance in the list, with isDeleting',
        'delete: ends an instance that an earlier process launched',
      ],
    ],
    [
      'launches again for the same claim',
      RepeatingCloud,
      [
        'repeated create: returns the same instance to the next process',
        'repeated create: returns each of several claims its own instance in the next process',
      ],
    ],
    [
      'ignores the requirements of a claim',
      CarelessCloud,
      [
        'create: returns labels that satisfy the requirements of the claim',
        'create: launches no instance type that the claim excludes',
        'create: rejects with insufficient-capacity when no instance type satisfies the requirements',
      ],
    ],
    [
      'rejects where there is no instance',
      ThrowingCloud,
      [
        'get: returns undefined for a provider ID that no instance has',
        'get: returns undefined for a provider ID of another cloud',
        'get: returns undefined for an instance that is gone',
      ],
    ],
    [
      'copies its instance types',
      CopyingCloud,
      ['instance types: are the same array while nothing has changed'],
    ],
    [
      'leaves out unavailable instance types',
      AvailableTypesCloud,
      ['instance types: include offerings that became unavailable'],
    ],
  ])('fail for a cloud that %s', async (_, cloudClass, expected) => {
    expect(await failedCases(() => memoryCloud({ cloudClass }))).toEqual(expected);
  });
});
