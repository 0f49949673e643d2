import { describe, expect, it } from 'vitest';
import { whatIfQuestion } from './what-if-question.ts';

const empty = { removeNodes: '', add: '', set: '', isConsolidated: false };

describe('the question of a what-if', () => {
  it('is none where nothing is filled in', () => {
    expect(whatIfQuestion({ ...empty, add: ' \n', set: '\n', removeNodes: ' ' })).toBeUndefined();
  });

  it('splits names and lines, and keeps manifests as they are', () => {
    expect(
      whatIfQuestion({
        removeNodes: 'a, b\nc',
        add: 'kind: Pod\n',
        set: ' x=1 \n\ny=2',
        isConsolidated: true,
      }),
    ).toEqual({ removeNodes: ['a', 'b', 'c'], add: 'kind: Pod\n', set: ['x=1', 'y=2'], consolidate: true });
  });
});
