import { describe, expect, it } from 'vitest';
import { nodeClassRefPatch } from './index.ts';

const kinds = [
  { group: 'a.io', version: 'v1', kind: 'AClass', plural: 'aclasses' },
  { group: 'b.io', version: 'v1', kind: 'BClass', plural: 'bclasses' },
];
const patch = (ref: object) =>
  nodeClassRefPatch(ref, kinds, '/ref').map(({ path, value }) => `${path}=${value}`);

describe('defaults of a nodeClassRef', () => {
  it('are group and kind of the first NodeClass of the provider', () => {
    expect(patch({ name: 'x' })).toEqual(['/ref/group=a.io', '/ref/kind=AClass']);
  });

  it('complete what is there', () => {
    expect(patch({ kind: 'BClass' })).toEqual(['/ref/group=b.io']);
    expect(patch({ group: 'b.io' })).toEqual(['/ref/kind=BClass']);
  });

  it.each([
    { group: 'c.io' },
    { kind: 'AClass', group: 'b.io' },
    { kind: 'AClass', group: 'a.io' },
    { kind: '' },
    { group: 7 },
  ])('add nothing to %j', (ref) => {
    expect(patch(ref)).toEqual([]);
  });
});
