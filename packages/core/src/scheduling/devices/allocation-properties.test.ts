import type { DeviceTemplate } from '@karpenter/core/ports';
import type { ResourceClaimView } from '@karpenter/core/scheduling';
import { allocationFaults, isAllocatable, readPlainSelector } from '@karpenter/testkit/devices';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allocate,
  claimRequests,
  DeviceSelectors,
  DeviceUsage,
  isFailure,
  templateInventory,
} from './index.ts';

const driver = 'gpu.example.com';
const classes = new Map([['gpu', { metadata: { name: 'gpu' } }]]);

const models = fc.constantFrom('a', 'b');

const device = fc.record({
  attributes: fc.record(
    { model: fc.record({ string: models }), root: fc.record({ string: fc.constantFrom('r0', 'r1') }) },
    { requiredKeys: ['model'] },
  ),
  consumesCounters: fc.option(
    fc
      .integer({ min: 1, max: 3 })
      .map((value) => [{ counterSet: 'set', counters: { slots: { value: String(value) } } }]),
    { nil: undefined },
  ),
});

const template: fc.Arbitrary<DeviceTemplate> = fc
  .tuple(fc.constantFrom('one', 'two'), fc.array(device, { maxLength: 4 }), fc.integer({ min: 0, max: 4 }))
  .map(([pool, devices, slots]) => ({
    driver,
    pool,
    devices: devices.map(({ consumesCounters, ...rest }, index) => ({
      ...rest,
      name: `d${index}`,
      ...(consumesCounters !== undefined && { consumesCounters }),
    })),
    sharedCounters: [{ name: 'set', counters: { slots: { value: String(slots) } } }],
  }));

const exact = fc
  .record({
    model: fc.option(models, { nil: undefined }),
    count: fc.integer({ min: 1, max: 3 }),
    isAll: fc.boolean(),
  })
  .map(({ model, count, isAll }) => ({
    deviceClassName: 'gpu',
    selectors: model === undefined ? [] : [{ cel: { expression: `model == ${model}` } }],
    ...(isAll ? { allocationMode: 'All' } : { count }),
  }));

const request = fc.oneof(
  exact.map((exactly) => ({ exactly })),
  fc
    .array(exact, { minLength: 1, maxLength: 2 })
    .map((all) => ({ firstAvailable: all.map((each, index) => ({ ...each, name: `s${index}` })) })),
);

const constraint = fc.constantFrom(
  { matchAttribute: `${driver}/root` },
  { matchAttribute: `${driver}/model`, requests: ['r0'] },
  { distinctAttribute: `${driver}/root` },
);

const claims: fc.Arbitrary<readonly ResourceClaimView[]> = fc
  .array(
    fc.record({
      requests: fc.array(request, { minLength: 1, maxLength: 2 }),
      constraints: fc.array(constraint, { maxLength: 1 }),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((all) =>
    all.map(({ requests, constraints }, index) => ({
      metadata: { name: `c${index}`, namespace: 'default' },
      spec: {
        devices: {
          requests: requests.map((each, place) => ({ ...each, name: `r${place}` })),
          constraints,
        },
      },
    })),
  );

const problem = fc.record({
  templates: fc.uniqueArray(template, { maxLength: 2, selector: ({ pool }) => pool }),
  claims,
});

function solve(templates: readonly DeviceTemplate[], wanted: readonly ResourceClaimView[]) {
  const usage = new DeviceUsage();
  return allocate({
    claims: wanted.map((each) => claimRequests(each, classes)).filter((each) => typeof each !== 'string'),
    inventory: templateInventory(templates),
    selectors: new DeviceSelectors(readPlainSelector),
    usageOf: () => usage,
    isOverdue: () => false,
  });
}

describe('an allocation of devices', () => {
  it('is valid, and found whenever one exists', () => {
    let found = 0;
    let missing = 0;
    fc.assert(
      fc.property(problem, ({ templates, claims: wanted }) => {
        const allocated = solve(templates, wanted);
        if (isFailure(allocated)) {
          missing += 1;
          expect(isAllocatable({ templates, claims: wanted })).toBe(false);
          return;
        }
        found += 1;
        const given = allocated.map((each) => ({ ...each, device: each.device.id }));
        expect(allocationFaults(given, { templates, claims: wanted })).toEqual([]);
      }),
      { numRuns: 400 },
    );
    // Neither side may be idle.
    expect(Math.min(found, missing)).toBeGreaterThan(3);
  });
});
