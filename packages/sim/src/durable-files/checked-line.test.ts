import { describe, expect, it } from 'vitest';
import { checkedJson, checkedLine } from './index.ts';

const json = '{"name":"Grüße","value":1}';

describe('a line with a checksum', () => {
  it('returns the JSON it was built from', () => {
    expect(checkedJson(checkedLine(json).slice(0, -1))).toBe(json);
  });

  it('is rejected with any bit flipped and at any other length', () => {
    const bytes = Buffer.from(checkedLine(json).slice(0, -1));
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(checkedJson(damaged.toString())).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(checkedJson(bytes.subarray(0, length).toString())).toBeUndefined();
    }
  });
});
