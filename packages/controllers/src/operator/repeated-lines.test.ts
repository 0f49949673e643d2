import { describe, expect, it } from 'vitest';
import { RepeatedLines } from './repeated-lines.ts';

describe('repeated lines', () => {
  const admitted = (...messages: readonly string[]) => {
    const lines = new RepeatedLines(() => 0);
    return messages.filter((message) => lines.admits({ message })).length;
  };

  it('are those that differ in words with digits alone', () => {
    const same = Array.from({ length: 50 }, (_, index) => `no capacity for c6a.${index}xlarge in us-west-2a`);
    expect(admitted(...same)).toBeLessThan(50);
    const different = Array.from({ length: 20 }, (_, index) => `no ${'x'.repeat(index + 1)}`);
    expect(admitted(...different)).toBe(20);
  });

  it('are distinguished at once however long a word is', () => {
    expect(admitted('a'.repeat(500_000))).toBe(1);
  });
});
