import { instanceType, planOptions, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { InstanceType } from '../../ports/index.ts';
import { plan } from '../plan.ts';
import type { PlanOptions } from '../plan-result.ts';
import { nodeOverheadAnnotation } from './node-overhead.ts';

// Four pods of two sizes: two small nodes cost $0.200 together, one large node $0.205.
const small = instanceType('small', { price: 0.1, cpu: '2', memory: '8Gi' });
const large = instanceType('large', { price: 0.205, cpu: '4', memory: '16Gi' });

interface Given {
  readonly known?: number;
  readonly annotation?: string;
  readonly options?: Partial<PlanOptions>;
}

function planned({ known, annotation, options }: Given) {
  const types: readonly InstanceType[] = [small, large].map((type) =>
    known === undefined ? type : { ...type, nodeOverheadPrice: known },
  );
  const made = pool('default');
  const annotated = annotation !== undefined && { annotations: { [nodeOverheadAnnotation]: annotation } };
  return plan(
    snapshot({
      pods: [...pods(2, 'a', { cpu: '1', memory: '1Gi' }), ...pods(2, 'b', { cpu: '1', memory: '2Gi' })],
      pools: [{ ...made, metadata: { ...made.metadata, ...annotated } }],
      types,
    }),
    { ...planOptions, ...options },
  ).newNodes;
}

const typesOf = (given: Given) => planned(given).map(({ instanceTypes }) => instanceTypes[0]);

describe('what a node costs besides its instance', () => {
  it('is a cent by default, which one larger node saves', () => {
    expect(typesOf({})).toEqual(['large']);
  });

  it('is not part of the price that a plan reports', () => {
    expect(planned({}).map(({ price }) => price)).toEqual([0.205]);
  });

  it('is what the setting says where nobody knows better', () => {
    expect(typesOf({ options: { nodeOverheadPrice: 0 } })).toEqual(['small', 'small']);
    expect(typesOf({ options: { nodeOverheadPrice: 0.006 } })).toEqual(['large']);
  });

  it('is never below what the provider knows', () => {
    expect(typesOf({ known: 0.004, options: { nodeOverheadPrice: 0 } })).toEqual(['small', 'small']);
    expect(typesOf({ known: 0.006, options: { nodeOverheadPrice: 0 } })).toEqual(['large']);
  });

  it('is what the provider knows plus the annotation of the NodePool, which replaces the default', () => {
    expect(typesOf({ annotation: '0' })).toEqual(['small', 'small']);
    expect(typesOf({ known: 0.003, annotation: '0.001' })).toEqual(['small', 'small']);
    expect(typesOf({ known: 0.003, annotation: '0.003' })).toEqual(['large']);
  });

  it.each(['', 'cheap', '-1', 'NaN', 'Infinity'])('ignores the annotation %j', (annotation) => {
    expect(typesOf({ annotation })).toEqual(['large']);
    expect(typesOf({ annotation, options: { nodeOverheadPrice: 0 } })).toEqual(['small', 'small']);
  });
});
