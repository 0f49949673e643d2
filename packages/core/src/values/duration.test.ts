import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs, durationMsToNs, formatDuration, nsToDurationMs, parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each<[string, bigint]>([
    ['0', 0n],
    ['-0', 0n],
    ['5ns', 5n],
    ['5us', 5_000n],
    ['5µs', 5_000n],
    ['5μs', 5_000n],
    ['5ms', 5_000_000n],
    ['5s', 5_000_000_000n],
    ['5m', 300_000_000_000n],
    ['720h', 2_592_000_000_000_000n],
    ['1h30m5.5s', 5_405_500_000_000n],
    ['1.s', 1_000_000_000n],
    ['.5s', 500_000_000n],
    ['-1.5h', -5_400_000_000_000n],
    ['+1s', 1_000_000_000n],
    ['1s1s', 2_000_000_000n],
    ['0.9ns', 0n],
    ['0.333333333333333333333s', 333_333_333n],
    ['9223372036854775807ns', 2n ** 63n - 1n],
    ['-9223372036854775808ns', -(2n ** 63n)],
  ])('reads %s', (text, ns) => {
    expect(parseDuration(text)).toBe(ns);
  });

  it.each(['', '5', '00', 's', '.s', '1d', '1h 30m', ' 1s', '1s\n', '--1s', '1.5.5s', '1e3s', 'Never'])(
    'rejects %j',
    (text) => {
      expect(() => parseDuration(text, 'IDLE')).toThrow(
        `IDLE: ${JSON.stringify(text)} is not a duration; write numbers with units`,
      );
    },
  );

  it('rejects values that do not fit 64 bits of nanoseconds', () => {
    expect(() => parseDuration('9223372036854775808ns')).toThrow('is not a duration');
    expect(() => parseDuration('-9223372036854775809ns')).toThrow('is not a duration');
    expect(() => parseDuration('2562048h')).toThrow('up to 292 years');
  });
});

describe('formatDuration', () => {
  it.each([
    ['720h', '720h0m0s'],
    ['90s', '1m30s'],
    ['3600s', '1h0m0s'],
    ['1500ms', '1.5s'],
    ['1m0.001s', '1m0.001s'],
    ['0', '0s'],
    ['7ns', '7ns'],
    ['1500ns', '1.5µs'],
    ['1us', '1µs'],
    ['1500us', '1.5ms'],
    ['-90s', '-1m30s'],
    ['-9223372036854775808ns', '-2562047h47m16.854775808s'],
  ])('writes %s as %s', (text, formatted) => {
    expect(formatDuration(parseDuration(text))).toBe(formatted);
  });

  it('writes texts that read back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (ns) => {
        expect(parseDuration(formatDuration(ns))).toBe(ns);
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });
});

describe('durations in milliseconds', () => {
  it('truncates to milliseconds', () => {
    expect(nsToDurationMs(1_999_999n)).toBe(1);
    expect(nsToDurationMs(parseDuration('720h'))).toBe(2_592_000_000);
  });

  it('turns back into nanoseconds', () => {
    expect(durationMsToNs(durationMs(1.5))).toBe(1_500_000n);
    expect(durationMsToNs(durationMs(9_007_199_254_740_991))).toBe(9_007_199_254_740_991_000_000n);
  });
});
