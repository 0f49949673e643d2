import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '@karpenter/core/schema';
import { builtInKinds, type ServedKind, type TableColumn } from '@karpenter/sim/apiserver';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, sharedControlPlane } from '../shared-control-plane.ts';
import { type Shown, shownObjects } from './cases/shown-objects.ts';
import { collectionPath, kindOf } from './verdict.ts';

const plane = sharedControlPlane();
const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const listed = builtInKinds().filter(
  ({ group, verbs }) => verbs.includes('list') && group !== 'metrics.k8s.io',
);
let namespace = '';

interface Table {
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows: readonly { readonly cells: readonly Json[]; readonly object: JsonObject }[];
}

const root = ({ group, version }: ServedKind) =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** Cells with an age; unit tests check these with a virtual clock. */
const timed = /^(?:Age|Last Seen|First Seen|Duration|Last Schedule|Created At)$/;

/** Under a new name: an object that is still being deleted cannot be created again. */
async function store({ object, status }: Shown): Promise<string> {
  const collection = collectionPath(object, namespace);
  const name = `sample-${randomBytes(4).toString('hex')}`;
  const named = { ...object, metadata: { ...(object['metadata'] as JsonObject), name } };
  const created = await plane.request('POST', collection, named);
  if (created.status !== 201) throw new Error(`cannot store ${collection}: ${JSON.stringify(created.body)}`);
  if (status === undefined) return `${collection}/${name}`;
  const type = { 'content-type': 'application/merge-patch+json' };
  const patch = await plane.request('PATCH', `${collection}/${name}/status`, { status }, type);
  if (patch.status !== 200) throw new Error(`cannot report on ${name}: ${JSON.stringify(patch.body)}`);
  return `${collection}/${name}`;
}

beforeAll(async () => {
  namespace = await createNamespace(plane);
});

describe('tables compared with a real API server', () => {
  it.each(listed)('have the same columns for $plural of $group', async (kind) => {
    const { body } = await plane.request('GET', `${root(kind)}/${kind.plural}`, undefined, asTable);
    const named = ({ name, type, format, priority }: TableColumn) => ({ name, type, format, priority });
    expect(kind.table.columns.map(named)).toEqual((body as Table).columnDefinitions.map(named));
  });

  it.each(shownObjects)('have the same cells for $title', async (shown) => {
    const path = await store(shown);
    try {
      const { body } = await plane.request('GET', `${path}?includeObject=Object`, undefined, asTable);
      const [row] = (body as Table).rows;
      if (row === undefined) throw new Error(`no row for ${path}`);
      const { table } = kindOf(shown.object);
      const untimed = (values: readonly Json[]) =>
        values.filter((_, index) => !timed.test(table.columns[index]?.name ?? ''));
      expect(untimed(table.cells(row.object, Date.now()))).toEqual(untimed(row.cells));
    } finally {
      await plane.request('DELETE', `${path}?gracePeriodSeconds=0`);
    }
  });
});
