import { describe, expect, it } from 'vitest';
import { compareVersions } from './groups.ts';

describe('versions of a group', () => {
  it('are sorted by stability and number, other names last', () => {
    const versions = ['v1alpha1', 'foo', 'v2beta1', 'v1', 'v11', 'v2', 'v1beta2', 'v1beta1', 'bar'];
    expect(versions.sort(compareVersions)).toEqual([
      'v11',
      'v2',
      'v1',
      'v2beta1',
      'v1beta2',
      'v1beta1',
      'v1alpha1',
      'bar',
      'foo',
    ]);
  });
});
