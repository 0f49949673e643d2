import { describe, expect, it } from 'vitest';
import { readOperations } from './shape-notation.ts';

const notation = `
Launch ( LaunchRequest ) LaunchResult
LaunchRequest { Token token clientToken; Count number; Addresses strings addressSet Addresses; Tags TagList Tag; Data Secret }
LaunchResult { LaunchedAt timestamp launchTime; IsNew boolean isNew }
Secret = sensitive string
Stop ( LaunchRequest ) nothing
Tag { Key string key; Tags TagList }
TagList [ Tag item ]
Empty { }
`;

const namespace = 'com.amazonaws.ec2';

function resolved(reference: unknown): unknown {
  return typeof reference === 'function' ? reference() : reference;
}

describe('the notation of shapes', () => {
  const operations = readOperations(notation);

  it('has the operations with what goes in and what comes out', () => {
    expect([...operations.keys()]).toEqual(['Launch', 'Stop']);
    expect(resolved(operations.get('Launch')?.[5])).toEqual([
      3,
      namespace,
      'LaunchResult',
      0,
      ['LaunchedAt', 'IsNew'],
      [
        [4, { xmlName: 'launchTime', ec2QueryName: 'LaunchTime' }],
        [2, { xmlName: 'isNew', ec2QueryName: 'IsNew' }],
      ],
    ]);
    expect(operations.get('Stop')?.[5]).toBe('unit');
  });

  it('has the names of members on the wire, and those that are made up where they are missing', () => {
    const input = resolved(operations.get('Launch')?.[4]);
    expect(input).toEqual([
      3,
      namespace,
      'LaunchRequest',
      0,
      ['Token', 'Count', 'Addresses', 'Tags', 'Data'],
      [
        [0, { xmlName: 'clientToken', ec2QueryName: 'ClientToken', idempotencyToken: 1 }],
        [1, {}],
        [64, { xmlName: 'addressSet', ec2QueryName: 'Addresses' }],
        [expect.any(Function), { xmlName: 'Tag' }],
        [expect.any(Function), {}],
      ],
    ]);
  });

  it('lets shapes hold each other', () => {
    const [, , , , , members] = Object(resolved(operations.get('Launch')?.[4]));
    const list = resolved(members[3][0]);
    expect(list).toEqual([1, namespace, 'TagList', 0, [expect.any(Function), { xmlName: 'item' }]]);
    expect(resolved(members[4][0])).toEqual([0, namespace, 'Secret', 8, 0]);
    const tag = resolved(Object(list)[4][0]);
    expect(resolved(Object(tag)[5][1][0])).toBe(list);
  });

  it('names a shape that is missing', () => {
    const [, , , , input] = readOperations('Launch ( Lost ) nothing').get('Launch') ?? [];
    expect(() => resolved(input)).toThrow('EC2 has no shape "Lost"');
  });
});
