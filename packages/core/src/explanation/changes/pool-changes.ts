import { type NodePool, nodePoolConditions } from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import { isPoolReady } from '../../provisioning/index.ts';
import type { RequirementItem } from '../../requirements/index.ts';
import type { FieldChange } from '../explanation.ts';
import { pointer } from '../json-patch.ts';
import { expressionText } from './affinity-changes.ts';
import { type Change, fieldChange } from './change.ts';
import { limitChanges, limitRemovals } from './limit-changes.ts';

export interface PoolChangeInputs {
  readonly types: readonly InstanceType[];
  /** What the pod asks of labels: each key with the values that would do. */
  readonly wanted: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values that the pool does not allow and that types with room for the pod have, by key. */
  readonly useful: ReadonlyMap<string, readonly string[]>;
  /** Whether a NodePool may set the label. */
  readonly mayLabel: (item: RequirementItem) => boolean;
  /** Capacity of the nodes of the pool, by resource of its limits. */
  readonly used: Readonly<Record<string, number>>;
}

/** Everything about a NodePool that can be relaxed so that it may create a node for more pods. */
export function poolChanges(pool: NodePool, inputs: PoolChangeInputs): readonly Change<NodePool>[] {
  return [
    ...readinessChange(pool),
    ...limitChanges(pool, inputs),
    ...limitRemovals(pool, inputs),
    ...pool.spec.template.spec.requirements.flatMap((item) => requirementChanges(pool, item, inputs)),
    ...labelChanges(pool, inputs),
  ];
}

function poolName({ metadata }: NodePool) {
  return { kind: 'NodePool' as const, name: metadata.name };
}

function readinessChange(pool: NodePool): readonly Change<NodePool>[] {
  if (isPoolReady(pool)) return [];
  return [
    {
      object: poolName(pool),
      text: `make NodePool ${pool.metadata.name} ready: ${obstacleOf(pool)}`,
      size: 1,
      apply: (object) => ({ object: asIfReady(object) }),
    },
  ];
}

export function asIfReady(pool: NodePool): NodePool {
  if (isPoolReady(pool)) return pool;
  const ready = {
    type: nodePoolConditions.ready,
    status: 'True' as const,
    reason: 'Ready',
    message: '',
    lastTransitionTime: '1970-01-01T00:00:00Z',
  };
  const others = (pool.status?.conditions ?? []).filter(({ type }) => type !== nodePoolConditions.ready);
  return { ...pool, status: { nodes: 0, ...pool.status, conditions: [...others, ready] } };
}

/** What keeps a NodePool from being ready, as its conditions say. */
export function obstacleOf({ status }: NodePool): string {
  const conditions = status?.conditions ?? [];
  const failed = conditions.filter((each) => each.status !== 'True');
  const causes = failed.filter(({ type }) => type !== nodePoolConditions.ready);
  const relevant = new Set<string>([
    nodePoolConditions.validationSucceeded,
    nodePoolConditions.nodeClassReady,
  ]);
  const [first] = [...causes.filter(({ type }) => relevant.has(type)), ...failed];
  if (first === undefined) return 'it has no condition Ready yet, so no controller has looked at it';
  const { type, reason = '', message = '' } = first;
  const why = [reason === type ? '' : reason, message].filter((text) => text !== '').join(': ');
  return `its condition ${type} is ${first.status}${why === '' ? '' : ` (${why})`}`;
}

function requirementChanges(
  pool: NodePool,
  item: RequirementItem,
  inputs: PoolChangeInputs,
): readonly Change<NodePool>[] {
  return [
    ...valueChanges(pool, item, inputs),
    ...minValuesChange(pool, item),
    fieldChange<NodePool>({
      object: poolName(pool),
      text: `drop the requirement ${expressionText(item)} of NodePool ${pool.metadata.name}`,
      size: 4,
      patch: (current) => atRequirement(current, item, (path) => [{ op: 'remove', path }]),
    }),
  ];
}

type RequirementPatch = (path: string, found: RequirementItem) => readonly FieldChange[];

/** The patch for the requirement on the same key with the same operator: earlier changes may have changed its values. */
function atRequirement(
  { spec }: NodePool,
  { key, operator }: RequirementItem,
  patch: RequirementPatch,
): readonly FieldChange[] {
  const { requirements } = spec.template.spec;
  const index = requirements.findIndex((each) => each.key === key && each.operator === operator);
  const found = requirements[index];
  return found === undefined ? [] : patch(pointer('spec', 'template', 'spec', 'requirements', index), found);
}

function valueChanges(
  pool: NodePool,
  item: RequirementItem,
  { wanted, useful }: PoolChangeInputs,
): readonly Change<NodePool>[] {
  const { key, operator, values = [] } = item;
  const asked = [...(wanted.get(key) ?? [])];
  const candidates = [...new Set([...asked, ...(useful.get(key) ?? [])])];
  if (operator === 'In')
    return candidates
      .filter((value) => !values.includes(value))
      .map((value) => allowed(pool, item, { value, size: asked.includes(value) ? 2 : 2.5 }));
  if (operator === 'NotIn')
    return candidates
      .filter((value) => values.includes(value))
      .map((value) => allowed(pool, item, { value, size: 2 }));
  return [];
}

function allowed(
  pool: NodePool,
  item: RequirementItem,
  { value, size }: { readonly value: string; readonly size: number },
): Change<NodePool> {
  return fieldChange({
    object: poolName(pool),
    text: `let NodePool ${pool.metadata.name} allow ${value} for ${item.key}`,
    size,
    patch: (current) =>
      atRequirement(current, item, (path, { values = [] }) => {
        const index = values.indexOf(value);
        if (item.operator === 'In') return index < 0 ? [{ op: 'add', path: `${path}/values/-`, value }] : [];
        if (index < 0) return [];
        // A NotIn without values is not valid.
        return [{ op: 'remove', path: values.length === 1 ? path : `${path}/values/${index}` }];
      }),
  });
}

function minValuesChange(pool: NodePool, item: RequirementItem): readonly Change<NodePool>[] {
  if (item.minValues === undefined) return [];
  return [
    fieldChange<NodePool>({
      object: poolName(pool),
      text: `drop minValues ${item.minValues} of ${item.key} from NodePool ${pool.metadata.name}`,
      size: 2,
      patch: (current) =>
        atRequirement(current, item, (path, { minValues }) =>
          minValues === undefined ? [] : [{ op: 'remove', path: `${path}/minValues` }],
        ),
    }),
  ];
}

/** Labels of the pool's own that the pod asks for and that the pool says nothing about. */
function labelChanges(pool: NodePool, { wanted, mayLabel }: PoolChangeInputs): readonly Change<NodePool>[] {
  const { metadata, spec } = pool.spec.template;
  const known = new Set([...Object.keys(metadata?.labels ?? {}), ...spec.requirements.map(({ key }) => key)]);
  return [...wanted].flatMap(([key, values]) => {
    const [value = 'true'] = values;
    if (known.has(key) || !mayLabel({ key, operator: 'In', values: [value] })) return [];
    return fieldChange<NodePool>({
      object: poolName(pool),
      text: `label the nodes of NodePool ${pool.metadata.name} with ${key}=${value}`,
      size: 2.5,
      patch: (current) => labelPatch(current, key, value),
    });
  });
}

function labelPatch({ spec }: NodePool, key: string, value: string): readonly FieldChange[] {
  const path = '/spec/template/metadata';
  const { metadata } = spec.template;
  if (metadata === undefined) return [{ op: 'add', path, value: { labels: { [key]: value } } }];
  if (metadata.labels === undefined) return [{ op: 'add', path: `${path}/labels`, value: { [key]: value } }];
  return Object.hasOwn(metadata.labels, key)
    ? []
    : [{ op: 'add', path: `${path}/labels${pointer(key)}`, value }];
}
