import { describe, expect, it } from 'vitest';
import { freshnessOf } from './freshness.ts';

describe('freshness', () => {
  it.each([
    ['connecting', { connection: 'connecting', silence: 90_000, isSynced: undefined }],
    ['live', { connection: 'live', silence: 24_999, isSynced: true }],
    ['live', { connection: 'live', silence: 0, isSynced: undefined }],
    ['syncing', { connection: 'live', silence: 0, isSynced: false }],
    ['lost', { connection: 'lost', silence: 3_000, isSynced: true }],
    ['stale', { connection: 'lost', silence: 25_000, isSynced: true }],
    ['stale', { connection: 'live', silence: 25_000, isSynced: true }],
  ] as const)('is %s for %j', (expected, facts) => {
    expect(freshnessOf(facts)).toBe(expected);
  });
});
