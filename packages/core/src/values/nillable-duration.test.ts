import { describe, expect, it } from 'vitest';
import { neverDuration, parseNillableDuration } from './nillable-duration.ts';

describe('parseNillableDuration', () => {
  it('reads Never as no duration', () => {
    expect(parseNillableDuration('Never')).toBe(neverDuration);
    expect(neverDuration.ns).toBeUndefined();
  });

  it('keeps the text as it was written', () => {
    expect(parseNillableDuration('90m')).toEqual({ text: '90m', ns: 5_400_000_000_000n });
    expect(parseNillableDuration('0s')).toEqual({ text: '0s', ns: 0n });
  });

  it.each(['never', '', '1d'])('rejects %j and mentions Never', (text) => {
    expect(() => parseNillableDuration(text, 'spec.expireAfter')).toThrow(
      `spec.expireAfter: ${JSON.stringify(text)} is not a duration; write numbers with units (ns, us, ms, s, m, h), such as 90s or 720h, or Never`,
    );
  });
});
