import { awsConformanceCases } from '@karpenter/testkit/aws-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exceptions } from './exceptions.ts';
import { openWireAccount, type WireAccount } from './wire-account.ts';

let wire: WireAccount;

beforeAll(async () => {
  wire = await openWireAccount();
});

afterAll(() => wire.close());

describe('moto over the wire', () => {
  it('has no exception for a case that does not exist', () => {
    const known = new Set(awsConformanceCases.map(({ area, title }) => `${area}: ${title}`));
    expect(Object.keys(exceptions).filter((title) => !known.has(title))).toEqual([]);
  });

  // Sequential: cases count addresses and messages of one account.
  for (const { area, title, run } of awsConformanceCases) {
    const name = `${area}: ${title}`;
    const register = exceptions[name] === undefined ? it : it.fails;
    register(name, () => run(wire.account()));
  }
});
