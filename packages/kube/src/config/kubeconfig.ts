import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CodedError, fileReason } from '@karpenter/core/errors';
import { nearestName } from '@karpenter/core/values';
import { parseYaml } from '../yaml/index.ts';

/** One cluster, user or context entry of a kubeconfig. */
export type Section = Readonly<Record<string, unknown>>;

/** The selected context with its cluster and user. File paths in it are absolute. */
export interface ChosenContext {
  readonly name: string;
  readonly cluster: Section;
  readonly user: Section;
  readonly namespace?: string;
}

/** Merged kubeconfig files. The first file that defines a name wins, as for kubectl. */
export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Section>;
  readonly users: ReadonlyMap<string, Section>;
  readonly contexts: ReadonlyMap<string, Section>;
  readonly currentContext: string | undefined;
}

const pathKeys = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/**
 * Reads and merges kubeconfig files. Skips missing ones, as
 * kubectl does. Throws if none exists or one is invalid.
 */
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

/**
 * Selects a context, by default the current one. Throws a
 * CodedError if it, its cluster or its user is missing.
 */
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

/** The error for every problem with a kubeconfig. */
export function unusable(why: string, cause?: unknown): CodedError {
  return new CodedError('invalid-kubeconfig', `cannot use the kubeconfig: ${why}`, { cause });
}

/** Returns a string field; an empty string counts as absent, as in kubeconfigs that kubectl writes. */
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
    throw unusable(`${path} cannot be read: ${fileReason(error, 'read')}`, error);
  }
  return { path, document: parseDocument(path, text) };
}

function parseDocument(path: string, text: string): Section {
  let document: unknown;
  try {
    document = parseYaml(text);
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

/** Relative paths in a kubeconfig are relative to its directory. */
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
  const nearest = nearestName(name, sections.keys());
  const known = [...sections.keys()].join(', ') || 'none';
  const advice = nearest === undefined ? `it has ${known}` : `did you mean ${JSON.stringify(nearest)}?`;
  throw unusable(`it has no ${what} ${JSON.stringify(name)}; ${advice}`);
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
