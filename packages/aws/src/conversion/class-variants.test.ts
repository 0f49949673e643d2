import { describe, expect, it } from 'vitest';
import { classVariants } from './class-variants.ts';

const dense = { maxPods: 200 };
const sparse = { maxPods: 10 };
const none: ReadonlySet<string> = new Set();

describe('the variants of a class', () => {
  it('are the class itself when no NodePool refers to it', () => {
    expect(classVariants({ name: 'a', pools: [], taken: none })).toEqual([{ name: 'a', pools: [] }]);
  });

  it('are one class with the settings on which all NodePools agree', () => {
    const pools = [
      { pool: 'x', kubelet: dense },
      { pool: 'y', kubelet: { ...dense } },
    ];
    expect(classVariants({ name: 'a', pools, taken: none })).toEqual([
      { name: 'a', kubelet: dense, pools: ['x', 'y'] },
    ]);
  });

  it('leave the name to NodePools without settings of their own', () => {
    const pools = [{ pool: 'x', kubelet: dense }, { pool: 'y' }, { pool: 'z', kubelet: sparse }];
    expect(classVariants({ name: 'a', pools, taken: new Set(['a-z']) })).toEqual([
      { name: 'a', pools: ['y'] },
      { name: 'a-x', kubelet: dense, pools: ['x'] },
      { name: 'a-z-2', kubelet: sparse, pools: ['z'] },
    ]);
  });

  it('keep the settings that the class has for NodePools without their own', () => {
    const pools = [{ pool: 'x' }, { pool: 'y', kubelet: sparse }];
    expect(classVariants({ name: 'a', kubelet: dense, pools, taken: none })).toEqual([
      { name: 'a', kubelet: dense, pools: ['x'] },
      { name: 'a-y', kubelet: sparse, pools: ['y'] },
    ]);
  });
});
