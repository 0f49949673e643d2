import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Helm } from './helm.ts';

/** An object of a rendered chart. */
export interface RenderedObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

export interface Rendering {
  readonly chart: string;
  readonly values: object;
  readonly release?: string;
  readonly flags?: readonly string[];
}

/** What `helm template` prints, by `Kind/name`. Throws what Helm says if it rejects the values. */
export async function rendered(
  helm: Helm,
  { chart, values, release = 'karpenter', flags = [] }: Rendering,
): Promise<ReadonlyMap<string, RenderedObject>> {
  const text = await withValuesFile(values, (file) =>
    helm('template', release, chart, '--namespace=kube-system', '--values', file, ...flags),
  );
  const objects = parseAllDocuments(text)
    .map((document): RenderedObject | null => document.toJS())
    .filter((object) => object !== null);
  return new Map(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
}

/** Calls with a file of these values; JSON is YAML too. */
export async function withValuesFile<T>(values: object, use: (file: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'chart-values-'));
  try {
    const file = join(directory, 'values.yaml');
    await writeFile(file, JSON.stringify(values));
    return await use(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Leaves = ReadonlyMap<string, unknown>;

/** The fields that differ, as `Kind/name field`, with their new value; null for fields that are gone. */
export function differences(
  before: ReadonlyMap<string, RenderedObject>,
  after: ReadonlyMap<string, RenderedObject>,
): Readonly<Record<string, unknown>> {
  const [old, current] = [allLeaves(before), allLeaves(after)];
  const gone = [...old.keys()].filter((field) => !current.has(field)).map((field) => [field, null]);
  const changed = [...current].filter(([field, value]) => old.get(field) !== value);
  return Object.fromEntries([...gone, ...changed]);
}

function allLeaves(objects: ReadonlyMap<string, RenderedObject>): Leaves {
  return new Map([...objects].flatMap(([name, object]) => [...leaves(object, `${name} `)]));
}

/** Items with a name are identified by it, so that an additional one changes no other. */
function* leaves(value: unknown, path: string): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, value];
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    const name = Array.isArray(value) && isNamed(child) ? child.name : key;
    yield* leaves(child, path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`);
  }
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}
