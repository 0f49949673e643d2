import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@karpenter/cli';
import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { parseAllDocuments } from 'yaml';
import { cases } from './cases.ts';

const directory = join(import.meta.dirname, 'pairs');

/** A manifest of an older version with the result that a person wrote down for it. */
export interface ManifestPair {
  readonly name: string;
  readonly path: string;
  readonly input: string;
  readonly expected: string;
  readonly exitCode: number;
  /** Codes of the messages, in their order. */
  readonly codes: readonly string[];
}

/** All pairs. Throws if a file has no entry in `cases.ts`. */
export function manifestPairs(): readonly ManifestPair[] {
  const inputs = readdirSync(directory).filter((file) => file.includes('.in.'));
  return inputs.map((file) => {
    const [name = '', extension] = file.split('.in.');
    const known = cases[name];
    if (known === undefined) throw new RangeError(`cases.ts has no entry for ${file}`);
    const path = join(directory, file);
    const [exitCode, ...codes] = known;
    return {
      name,
      path,
      input: readFileSync(path, 'utf8'),
      expected: readFileSync(join(directory, `${name}.out.${extension}`), 'utf8'),
      exitCode,
      codes,
    };
  });
}

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `karpenter convert` in this process. */
export async function convertCommand(...args: readonly string[]): Promise<Run> {
  let out = '';
  let err = '';
  const code = await main(['convert', ...args], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

/** The codes at the ends of the messages. */
export function codesOf(err: string): readonly string[] {
  return [...err.matchAll(/\[([a-z0-9-]+)\]$/gm)].map(([, code = '']) => code);
}

/** Converts a text as a file of its own. */
export async function convertText(text: string): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-convert-'));
  try {
    const path = join(directory, 'manifests.yaml');
    writeFileSync(path, text);
    return await convertCommand('-f', path);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The objects of Karpenter in the results of all pairs. A pair with a message that they are refused is left out. */
export function convertedObjects(): readonly { readonly name: string; readonly object: JsonObject }[] {
  const usable = manifestPairs().filter(({ codes }) => !codes.includes('selector-not-allowed'));
  return usable.flatMap(({ name, expected }) => {
    const documents = parseAllDocuments(expected, { merge: true });
    const values = documents.map((document) => document.toJS() as Json).filter(isJsonObject);
    const objects = values.flatMap((value) =>
      value['kind'] === 'List' ? (value['items'] as JsonObject[]) : [value],
    );
    return objects
      .filter(({ apiVersion }) => /^karpenter\.(sh|k8s\.aws)\/v1$/.test(String(apiVersion)))
      .map((object) => ({ name, object }));
  });
}
