import { describe, expect, it } from 'vitest';
import { selectorTerms } from './selector-map.ts';

describe('the terms of a v1alpha1 selector', () => {
  it('are one term for all tags', () => {
    expect(selectorTerms({ b: '1', a: '2' }, 'subnetSelector')).toEqual([{ tags: { a: '2', b: '1' } }]);
  });

  it('are the product of lists: owners outermost, then ids, names and tags by key', () => {
    const selector = { z: 'x,y', 'aws::name': 'n1,n2', 'aws::owners': 'o1,o2' };
    const all = selectorTerms(selector, 'amiSelector');
    expect(all).toHaveLength(8);
    expect(all.slice(0, 5)).toEqual([
      { name: 'n1', owner: 'o1', tags: { z: 'x' } },
      { name: 'n1', owner: 'o1', tags: { z: 'y' } },
      { name: 'n2', owner: 'o1', tags: { z: 'x' } },
      { name: 'n2', owner: 'o1', tags: { z: 'y' } },
      { name: 'n1', owner: 'o2', tags: { z: 'x' } },
    ]);
  });

  it('take ids under both names, without the spaces after commas', () => {
    const terms = selectorTerms({ 'aws-ids': 'a, b', 'aws::ids': 'c' }, 'securityGroupSelector');
    expect(terms).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  });

  it('take a key as a tag where the term has no such field', () => {
    expect(selectorTerms({ 'aws::owners': 'o' }, 'subnetSelector')).toEqual([
      { tags: { 'aws::owners': 'o' } },
    ]);
  });
});
