import { describe, expect, it } from 'vitest';
import { codesOf, convertCommand, manifestPairs } from '../conversion/pairs.ts';

const pairs = manifestPairs();

describe('karpenter convert', () => {
  it('has at least 45 pairs of manifests', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(45);
  });

  it.each(pairs)('converts $name as written down', async ({ path, expected, exitCode, codes }) => {
    const { code, out, err } = await convertCommand('-f', path);
    expect(out).toBe(expected);
    expect({ code, codes: codesOf(err).toSorted() }).toEqual({ code: exitCode, codes: codes.toSorted() });
  });
});
