import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { checkRequirement, mixedKnownValues, type RequirementPolicy } from './check-requirement.ts';

const capacityType = 'karpenter.sh/capacity-type';
const policy: RequirementPolicy = {
  ...coreLabelPolicy,
  knownValues: new Map([[capacityType, new Set(['spot', 'on-demand', 'reserved'])]]),
};
const check = (key: string, operator: string, values?: readonly string[], minValues?: number) =>
  checkRequirement({ key, operator, values, minValues }, policy);

describe('checkRequirement', () => {
  it.each([
    ['team', 'In', ['a']],
    ['team', 'NotIn', []],
    ['team', 'Exists', undefined],
    ['level', 'Gt', ['0']],
    ['topology.kubernetes.io/zone', 'In', ['a']],
    ['mykarpenter.sh/x', 'In', ['a']],
    [capacityType, 'In', ['spot', 'cheap']],
    [capacityType, 'NotIn', ['cheap']],
  ])('accepts %s %s %j', (key, operator, values) => {
    expect(check(key, operator, values)).toEqual([]);
  });

  it('rejects an unknown operator', () => {
    expect(check('team', 'Is', ['a'])).toEqual([
      'key team has an unsupported operator Is not in [In NotIn Exists DoesNotExist Gt Lt Gte Lte]',
    ]);
  });

  it.each(['karpenter.sh/custom', 'sub.karpenter.sh/custom', 'kubernetes.io/hostname'])(
    'rejects the label %s',
    (key) => {
      const [problem] = check(key, 'Exists');
      expect(problem).toMatch(
        new RegExp(
          `^using label ${key} is not allowed as it might interfere with the internal provisioning logic; ` +
            'specify a well known label: \\[karpenter.sh/capacity-type karpenter.sh/nodepool .*\\], ' +
            'or a custom label that does not use a restricted domain: \\[karpenter.sh\\]$',
        ),
      );
    },
  );

  it("returns Kubernetes' messages for malformed names and values", () => {
    const problems = check('my team', 'In', ['a', 'b!', '-c']);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toMatch(/^key my team is not a qualified name, name part must consist of /);
    expect(problems[1]).toMatch(
      /^invalid value b! for key my team, a valid label must be an empty string or /,
    );
    expect(problems[2]).toMatch(/^invalid value -c for key my team, a valid label must be /);
  });

  it('requires values for In, at least minValues of them', () => {
    expect(check('team', 'In')).toEqual(['key team with operator In must have a value defined']);
    expect(check('team', 'In', ['a'], 2)).toEqual([
      "key team with operator In must have at least minimum number of values defined in 'values' field",
    ]);
    expect(check('team', 'Exists', [], 2)).toEqual([]);
  });

  it.each([
    ['Gt', ['-1']],
    ['Lt', ['x']],
    ['Gte', []],
    ['Lte', ['1', '2']],
    ['Gt', ['9223372036854775808']],
  ])('requires one positive integer for %s, not %j', (operator, values) => {
    expect(check('level', operator, values).at(-1)).toBe(
      `key level with operator ${operator} must have a single positive integer value`,
    );
  });

  it('requires a known value for keys with fixed values', () => {
    expect(check(capacityType, 'In', ['cheap', 'expensive'])).toEqual([
      'no valid values found in [cheap expensive] for karpenter.sh/capacity-type, ' +
        'expected one of: [on-demand reserved spot], got: [cheap expensive]',
    ]);
    expect(check(capacityType, 'In', ['cheap', 'spot'], 2)).toEqual([
      'not enough valid values found in [cheap spot] for karpenter.sh/capacity-type, ' +
        'expected at least 2 valid values from: [on-demand reserved spot], got: 1',
    ]);
  });

  it('normalizes aliases first', () => {
    expect(check('beta.kubernetes.io/arch', 'In')).toEqual([
      'key kubernetes.io/arch with operator In must have a value defined',
    ]);
  });
});

describe('mixedKnownValues', () => {
  it('separates known from unknown values of a list with both', () => {
    const mixed = mixedKnownValues({ key: capacityType, operator: 'In', values: ['spot', 'cheap'] }, policy);
    expect(mixed).toEqual({ key: capacityType, valid: ['spot'], invalid: ['cheap'] });
  });

  it('returns nothing for lists with only one sort and for keys with any values', () => {
    expect(mixedKnownValues({ key: capacityType, operator: 'In', values: ['spot'] }, policy)).toBeUndefined();
    expect(
      mixedKnownValues({ key: capacityType, operator: 'NotIn', values: ['spot', 'x'] }, policy),
    ).toBeUndefined();
    expect(mixedKnownValues({ key: 'team', operator: 'In', values: ['spot', 'x'] }, policy)).toBeUndefined();
  });
});
