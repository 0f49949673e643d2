// Schema errors and rule errors write the same path differently, as in the API server: a map entry is
// `labels.team` in the former and `labels[team]` in the latter.

export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}
