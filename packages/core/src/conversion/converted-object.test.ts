import { describe, expect, it } from 'vitest';
import { sourcesOf } from './converted-object.ts';

const moves = [
  { from: ['spec', 'limits', 'resources'], to: ['spec', 'limits'] },
  { from: ['spec', 'limits'], to: ['spec', 'limits'] },
  { from: ['spec', 'labels'], to: ['spec', 'template', 'metadata', 'labels'] },
  { from: ['spec', 'labels', 'old'], to: ['spec', 'template', 'metadata', 'labels', 'new'] },
];

describe('the sources of a field', () => {
  it('are the same place without a move', () => {
    expect(sourcesOf(moves, ['metadata', 'name'])).toEqual([['metadata', 'name']]);
  });

  it('are all fields that became it, that of the value first', () => {
    expect(sourcesOf(moves, ['spec', 'limits'])).toEqual([
      ['spec', 'limits', 'resources'],
      ['spec', 'limits'],
    ]);
  });

  it('follow the innermost move', () => {
    const labels = ['spec', 'template', 'metadata', 'labels'];
    expect(sourcesOf(moves, [...labels, 'team'])).toEqual([['spec', 'labels', 'team']]);
    expect(sourcesOf(moves, [...labels, 'new'])).toEqual([['spec', 'labels', 'old']]);
  });

  it('are inside the field that has the value', () => {
    expect(sourcesOf(moves, ['spec', 'limits', 'cpu'])).toEqual([['spec', 'limits', 'resources', 'cpu']]);
  });
});
