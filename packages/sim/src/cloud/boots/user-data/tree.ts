/**
 * A parsed YAML or TOML document of unknown shape. The accessors never throw: a value that is missing or of
 * another type reads as empty.
 */
export type Tree = Readonly<Record<string, unknown>>;

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function treeAt(tree: Tree, ...path: readonly string[]): Tree {
  const found = valueAt(tree, ...path);
  return isTree(found) ? found : {};
}

export function textAt(tree: Tree, ...path: readonly string[]): string {
  const found = valueAt(tree, ...path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

export function numberAt(tree: Tree, ...path: readonly string[]): number | undefined {
  const found = valueAt(tree, ...path);
  return typeof found === 'number' ? found : undefined;
}

export function listAt(tree: Tree, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(tree, ...path);
  return Array.isArray(found) ? found : [];
}

/** A table with every value as a string. */
export function textsAt(tree: Tree, ...path: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(treeAt(tree, ...path)).map(([key, value]) => [key, String(value)]),
  );
}

/** Merges two documents recursively; values of the second win. */
export function merged(first: Tree, second: Tree): Tree {
  const entries = Object.entries(second).map(([key, value]): [string, unknown] => {
    const known = first[key];
    return [key, isTree(known) && isTree(value) ? merged(known, value) : value];
  });
  return { ...first, ...Object.fromEntries(entries) };
}

function valueAt(tree: Tree, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isTree(found) ? found[key] : undefined), tree);
}
