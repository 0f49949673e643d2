/** One TypeScript file of the workspace, reduced to what the rules read. */
export interface SourceFile {
  /** Path from the root of the repository, with forward slashes: `packages/core/src/values/quantity.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  /** `import type` and `export type` do not exist at run time. */
  readonly typeOnly: boolean;
}

const importStatement =
  /^\s*(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

export function importsOf(file: SourceFile): readonly Import[] {
  return [...withoutComments(file.text).matchAll(importStatement)].map((match) => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }));
}

/** Good enough to find names: keeps the content of strings and removes that of comments. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.endsWith('.test.tsx');
}

/** `packages/core/src/…` belongs to `core`; files outside packages belong to none. */
export function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}
