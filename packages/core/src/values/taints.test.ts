import { describe, expect, it } from 'vitest';
import { formatTaint, isSameTaint, type Taint, type Toleration, tolerates, untolerated } from './taints.ts';

const taint = (value?: string): Taint => ({
  key: 'team',
  effect: 'NoSchedule',
  ...(value !== undefined && { value }),
});

describe('tolerates', () => {
  it.each<[Toleration, boolean]>([
    [{ key: 'team', value: 'a' }, true],
    [{ key: 'team', operator: '', value: 'a' }, true],
    [{ key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' }, true],
    [{ key: 'team', operator: 'Equal', value: 'b' }, false],
    [{ key: 'team', operator: 'Exists' }, true],
    [{ key: 'team', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ key: 'other', operator: 'Exists' }, false],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Exists', effect: 'NoSchedule' }, true],
    [{ key: 'team', operator: 'Unknown', value: 'a' }, false],
  ])('answers for %j', (toleration, isTolerated) => {
    expect(tolerates(toleration, taint('a'))).toBe(isTolerated);
  });

  it('treats a missing value as empty', () => {
    expect(tolerates({ key: 'team' }, taint())).toBe(true);
    expect(tolerates({ key: 'team', value: '' }, taint('a'))).toBe(false);
  });

  it.each([
    ['Gt', '5', '6', true],
    ['Gt', '5', '5', false],
    ['Lt', '5', '4', true],
    ['Lt', '5', '-4', true],
    ['Lt', '5', '5', false],
    ['Gt', '9223372036854775806', '9223372036854775807', true],
    ['Gt', '5', '9223372036854775808', false],
    ['Gt', '5', '007', false],
    ['Gt', '5', '6.5', false],
    ['Lt', 'x', '1', false],
    ['Lt', '5', '', false],
  ])('compares integers: %s %s for a taint of %j is %s', (operator, value, actual, isTolerated) => {
    expect(tolerates({ key: 'team', operator, value }, taint(actual))).toBe(isTolerated);
  });
});

describe('untolerated', () => {
  it('returns the taints that no toleration covers, soft ones included', () => {
    const soft: Taint = { key: 'slow', effect: 'PreferNoSchedule' };
    expect(untolerated([taint('a'), soft], [{ key: 'team', operator: 'Exists' }])).toEqual([soft]);
    expect(untolerated([taint('a'), soft], [{ operator: 'Exists' }])).toEqual([]);
    expect(untolerated([soft])).toEqual([soft]);
    expect(untolerated()).toEqual([]);
  });
});

describe('taints', () => {
  it('print with and without a value', () => {
    expect(formatTaint(taint('a'))).toBe('team=a:NoSchedule');
    expect(formatTaint(taint())).toBe('team:NoSchedule');
    expect(formatTaint({ key: 'team', effect: '' })).toBe('team');
  });

  it('are the same when key and effect are', () => {
    expect(isSameTaint(taint('a'), taint('b'))).toBe(true);
    expect(isSameTaint(taint('a'), { ...taint('a'), effect: 'NoExecute' })).toBe(false);
  });
});
