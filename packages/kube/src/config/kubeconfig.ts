import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { parse } from 'yaml';

/** A part of a kubeconfig, with the keys that kubectl writes. */
export type Section = Readonly<Record<string, unknown>>;

/** The cluster, the user and the context that are in use, with absolute paths. */
export interface ChosenContext {
  readonly name: string;
  readonly cluster: Section;
  readonly user: Section;
  readonly namespace?: string;
}

/** Kubeconfig files as one. For each name the first file that has it counts. */
export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Section>;
  readonly users: ReadonlyMap<string, Section>;
  readonly contexts: ReadonlyMap<string, Section>;
  readonly currentContext: string | undefined;
}

const pathKeys = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** Reads the files that exist; files of a list may be absent, as for kubectl, but not all of them. */
export async function readKubeconfig(paths: readonly string[]): Promise<Kubeconfig> {
  const files = await Promise.all(paths.map(readFileIfPresent));
  const present = files.flatMap((file) => (file === undefined ? [] : [file]));
  if (present.length === 0) {
    throw unusable(`no file at ${paths.join(' or ')}; set KUBECONFIG to a file that exists`);
  }
  return {
    clusters: merged(present, 'clusters', 'cluster'),
    users: merged(present, 'users', 'user'),
    contexts: merged(present, 'contexts', 'context'),
    currentContext: present.map(({ document }) => textOf(document, 'current-context')).find((name) => name),
  };
}

export function chooseContext(kubeconfig: Kubeconfig, wanted?: string): ChosenContext {
  const name = wanted ?? kubeconfig.currentContext;
  if (name === undefined)
    throw unusable('it has no current context; choose one with kubectl config use-context');
  const context = pick(kubeconfig.contexts, 'context', name);
  const namespace = textOf(context, 'namespace');
  return {
    name,
    cluster: pick(kubeconfig.clusters, 'cluster', textOf(context, 'cluster') ?? ''),
    user: textOf(context, 'user') ? pick(kubeconfig.users, 'user', textOf(context, 'user') ?? '') : {},
    ...(namespace === undefined ? {} : { namespace }),
  };
}

export function unusable(why: string, cause?: unknown): CodedError {
  return new CodedError('invalid-kubeconfig', `cannot use the kubeconfig: ${why}`, { cause });
}

export function textOf(section: Section, key: string): string | undefined {
  const value = section[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface KubeconfigFile {
  readonly path: string;
  readonly document: Section;
}

async function readFileIfPresent(path: string): Promise<KubeconfigFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unusable(`${path} cannot be read`, error);
  }
  return { path, document: parseDocument(path, text) };
}

function parseDocument(path: string, text: string): Section {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw unusable(`${path} is not YAML`, error);
  }
  if (document === null) return {};
  if (!isSection(document)) throw unusable(`${path} holds no kubeconfig`);
  return document;
}

function merged(files: readonly KubeconfigFile[], list: string, part: string): ReadonlyMap<string, Section> {
  const found = new Map<string, Section>();
  for (const { path, document } of files) {
    const entries = document[list];
    for (const entry of Array.isArray(entries) ? entries.filter(isSection) : []) {
      const name = textOf(entry, 'name') ?? '';
      const section = isSection(entry[part]) ? entry[part] : {};
      if (!found.has(name)) found.set(name, withAbsolutePaths(section, dirname(path)));
    }
  }
  return found;
}

/** Paths in a kubeconfig start where the file is. */
function withAbsolutePaths(section: Section, directory: string): Section {
  const paths = pathKeys.flatMap((key) => {
    const path = textOf(section, key);
    return path === undefined ? [] : [[key, resolve(directory, path)]];
  });
  return { ...section, ...Object.fromEntries(paths) };
}

function pick(sections: ReadonlyMap<string, Section>, what: string, name: string): Section {
  const section = sections.get(name);
  if (section !== undefined) return section;
  const known = [...sections.keys()].join(', ') || 'none';
  throw unusable(`it has no ${what} ${JSON.stringify(name)}; it has ${known}`);
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
