import { isTable, type TomlTable, type TomlValue, tomlTypeOf } from '../toml/index.ts';

/** Expected type of a setting. */
type Reading = { readonly expected: string; readonly accepts: (value: TomlValue) => boolean };
type Shape = Reading & { readonly fields?: Shapes; readonly entries?: Shapes };
type Shapes = Readonly<Record<string, Shape>>;

const text: Shape = { expected: 'a string', accepts: (value) => typeof value === 'string' };
const integer: Shape = { expected: 'an integer', accepts: (value) => typeof value === 'bigint' };
const flag: Shape = { expected: 'a boolean', accepts: (value) => typeof value === 'boolean' };
const texts: Shape = {
  expected: 'an array of strings',
  accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};
const textTable: Shape = {
  expected: 'a table of strings',
  accepts: (value) => isTable(value) && [...value.values()].every((item) => typeof item === 'string'),
};
const taintTable: Shape = {
  expected: 'a table of arrays of strings',
  accepts: (value) => isTable(value) && [...value.values()].every((item) => texts.accepts(item)),
};
const record = (fields: Shapes): Shape => ({ expected: 'a table', accepts: isTable, fields });
/** A table whose keys users choose, such as static pods by name. */
const records = (entries: Shapes): Shape => ({ expected: 'a table of tables', accepts: isTable, entries });

/** The known keys of `settings.kubernetes` and their types, in output order, which is Karpenter's. */
const kubernetesSettings: Shapes = {
  'api-server': text,
  'cloud-provider': text,
  'cluster-certificate': text,
  'cluster-name': text,
  'cluster-dns-ip': text,
  'credential-providers': records({
    enabled: flag,
    'cache-duration': text,
    'image-patterns': texts,
    environment: textTable,
  }),
  'node-labels': textTable,
  'node-taints': taintTable,
  'max-pods': integer,
  'static-pods': records({ enabled: flag, manifest: text }),
  'eviction-hard': textTable,
  'eviction-soft': textTable,
  'eviction-soft-grace-period': textTable,
  'eviction-max-pod-grace-period': integer,
  'kube-reserved': textTable,
  'system-reserved': textTable,
  'allowed-unsafe-sysctls': texts,
  'server-tls-bootstrap': flag,
  'registry-qps': integer,
  'registry-burst': integer,
  'event-qps': integer,
  'event-burst': integer,
  'kube-api-qps': integer,
  'kube-api-burst': integer,
  'container-log-max-size': text,
  'container-log-max-files': integer,
  'cpu-manager-policy': text,
  'cpu-manager-policy-options': texts,
  'cpu-manager-reconcile-period': text,
  'memory-manager-policy': text,
  'topology-manager-scope': text,
  'topology-manager-policy': text,
  'topology-manager-policy-options': record({
    'prefer-closest-numa-nodes': flag,
    'max-allowable-numa-nodes': integer,
  }),
  'image-gc-high-threshold-percent': text,
  'image-gc-low-threshold-percent': text,
  'ids-per-pod': integer,
  'cpu-cfs-quota-enforced': flag,
  'shutdown-grace-period': text,
  'shutdown-grace-period-for-critical-pods': text,
  'cluster-domain': text,
  'seccomp-default': flag,
  'pod-pids-limit': integer,
  'device-ownership-from-security-context': flag,
  'single-process-oom-kill': flag,
  'container-log-max-workers': integer,
  'container-log-monitor-interval': text,
  'hostname-override-source': text,
  'log-level': integer,
};

/** Called with the path of each unknown setting, which is left out. */
export type UnknownSetting = (path: string) => void;

export interface ReadSettings {
  /** Throws an error with what is wrong with a setting. */
  readonly fail: (problem: string) => never;
  readonly onUnknown: UnknownSetting;
}

/** Sorts settings into the order of the table. Leaves out empty and unknown ones. */
export function orderedSettings(table: TomlTable, options: ReadSettings): TomlTable {
  return ordered(table, kubernetesSettings, 'settings.kubernetes', options);
}

function ordered(table: TomlTable, shapes: Shapes, path: string, options: ReadSettings): TomlTable {
  for (const key of table.keys()) if (!Object.hasOwn(shapes, key)) options.onUnknown(`${path}.${key}`);
  const known = Object.entries(shapes).flatMap(([key, shape]): readonly [string, TomlValue][] => {
    const value = table.get(key);
    return value === undefined ? [] : [[key, shaped(value, shape, `${path}.${key}`, options)]];
  });
  return new Map(known.filter(([, value]) => !isEmpty(value)));
}

function shaped(value: TomlValue, shape: Shape, path: string, options: ReadSettings): TomlValue {
  if (!shape.accepts(value)) options.fail(`${path} is ${tomlTypeOf(value)}, not ${shape.expected}`);
  if (!isTable(value)) return value;
  if (shape.fields !== undefined) return ordered(value, shape.fields, path, options);
  const { entries } = shape;
  if (entries === undefined) return sortedTable(value);
  const named = [...sortedTable(value)].map(([name, entry]): [string, TomlValue] => {
    if (!isTable(entry)) return options.fail(`${path}.${name} is ${tomlTypeOf(entry)}, not a table`);
    return [name, ordered(entry, entries, `${path}.${name}`, options)];
  });
  return new Map(named);
}

function isEmpty(value: TomlValue): boolean {
  return (isTable(value) && value.size === 0) || (Array.isArray(value) && value.length === 0);
}

/** Sorts a table and all nested tables by key. */
export function sortedTable(table: TomlTable): TomlTable {
  const entries = [...table].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(entries.map(([key, value]) => [key, sortedValue(value)]));
}

function sortedValue(value: TomlValue): TomlValue {
  if (isTable(value)) return sortedTable(value);
  return Array.isArray(value) ? value.map(sortedValue) : value;
}
