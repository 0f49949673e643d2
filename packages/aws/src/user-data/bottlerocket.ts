import { CodedError } from '@karpenter/core/errors';
import type { Taint } from '@karpenter/core/values';
import { formatToml, isTable, parseToml, type TomlTable, type TomlValue } from '../toml/index.ts';
import type { Bootstrap } from './bootstrap.ts';
import { orderedSettings, sortedTable, type UnknownSetting } from './bottlerocket-settings.ts';
import { bindsAllDirectories } from './bottlerocket-version.ts';
import { gracePeriods } from './kubelet-arguments.ts';

type Texts = Readonly<Record<string, string>>;

const mountCommand = '000-mount-instance-storage';
const boundDirectories = ['--dirs', '/var/lib/containerd', '/var/lib/kubelet', '/var/log/pods'];
/** Output order of a bootstrap command's keys; all other tables are sorted by key. */
const bootCommandOrder = ['commands', 'mode', 'essential'];

/** Merges the user's TOML settings with those that a node of this cluster needs. Throws on invalid TOML. */
export function bottlerocketUserData(
  bootstrap: Bootstrap,
  onUnknown: UnknownSetting = () => undefined,
): string {
  const settings = readSettings(bootstrap.customUserData ?? '', onUnknown);
  const kubernetes = tableIn(settings, 'kubernetes');
  const merged = new Map([
    // Checked here for errors in the user's settings, before the values below replace some of them.
    ...orderedSettings(kubernetes, { fail, onUnknown }),
    ...clusterSettings(bootstrap),
    ...kubeletSettings(bootstrap),
    ...nodeSettings(bootstrap, kubernetes),
  ]);
  const complete: TomlTable = new Map(sortedTable(withBootCommands(settings, bootstrap)));
  complete.set('kubernetes', orderedSettings(merged, { fail, onUnknown }));
  const byName = new Map([...complete].sort(([a], [b]) => (a < b ? -1 : 1)));
  return formatToml(new Map([['settings', orderBootCommands(byName)]]));
}

function readSettings(text: string, onUnknown: UnknownSetting): TomlTable {
  const written = parseToml(text, fail);
  for (const key of written.keys()) if (key !== 'settings') onUnknown(key);
  return tableIn(written, 'settings');
}

function tableIn(table: TomlTable, key: string): TomlTable {
  const found = table.get(key) ?? new Map();
  return isTable(found) ? found : fail(`${key} is not a table`);
}

function fail(problem: string): never {
  throw new CodedError('invalid-user-data', `invalid UserData toml: ${problem}`);
}

function clusterSettings({ cluster, kubelet }: Bootstrap): TomlTable {
  const [dns] = kubelet?.clusterDNS ?? [];
  return defined([
    ['api-server', cluster.endpoint],
    ['cluster-certificate', cluster.caBundle],
    ['cluster-name', cluster.name],
    ['cluster-dns-ip', dns],
    ['max-pods', integer(kubelet?.maxPods)],
  ]);
}

/** Without podsPerCore, for which Bottlerocket has no setting. */
function kubeletSettings({ kubelet = {} }: Bootstrap): TomlTable {
  return defined([
    ['system-reserved', table(kubelet.systemReserved)],
    ['kube-reserved', table(kubelet.kubeReserved)],
    ['eviction-hard', table(kubelet.evictionHard)],
    ['eviction-soft', table(kubelet.evictionSoft)],
    ['eviction-soft-grace-period', table(gracePeriods(kubelet))],
    ['eviction-max-pod-grace-period', integer(kubelet.evictionMaxPodGracePeriod)],
    ['image-gc-high-threshold-percent', kubelet.imageGCHighThresholdPercent?.toString()],
    ['image-gc-low-threshold-percent', kubelet.imageGCLowThresholdPercent?.toString()],
    ['cpu-cfs-quota-enforced', kubelet.cpuCFSQuota],
  ]);
}

/** Keeps the user's labels unless the NodeClaim sets them. Replaces the user's taints. */
function nodeSettings({ labels, taints }: Bootstrap, kubernetes: TomlTable): TomlTable {
  const nodeLabels = new Map([...tableIn(kubernetes, 'node-labels'), ...Object.entries(labels)]);
  return new Map<string, TomlValue>([
    ['node-labels', nodeLabels],
    ['node-taints', taintTable(taints)],
  ]);
}

function taintTable(taints: readonly Taint[]): TomlTable {
  const byKey = new Map<string, TomlValue[]>();
  for (const { key, value = '', effect } of taints) {
    byKey.set(key, [...(byKey.get(key) ?? []), `${value}:${effect}`]);
  }
  return byKey;
}

/** Adds the command that mounts the instance store, next to the user's commands. */
function withBootCommands(settings: TomlTable, { instanceStorePolicy, imageVersion }: Bootstrap): TomlTable {
  if (instanceStorePolicy !== 'RAID0') return settings;
  const directories = bindsAllDirectories(imageVersion) ? [] : boundDirectories;
  const mount = new Map<string, TomlValue>([
    [
      'commands',
      [
        ['apiclient', 'ephemeral-storage', 'init'],
        ['apiclient', 'ephemeral-storage', 'bind', ...directories],
      ],
    ],
    ['mode', 'always'],
    ['essential', true],
  ]);
  const commands = new Map([...tableIn(settings, 'bootstrap-commands'), [mountCommand, mount]]);
  return new Map([...settings, ['bootstrap-commands', commands]]);
}

function orderBootCommands(settings: TomlTable): TomlTable {
  const commands = settings.get('bootstrap-commands');
  if (!isTable(commands)) return settings;
  const ordered = [...commands].map(([name, command]): [string, TomlValue] => [
    name,
    isTable(command) ? new Map([...command].sort(([a], [b]) => bootRank(a) - bootRank(b))) : command,
  ]);
  return new Map([...settings].map(([key, value]) => [key, value === commands ? new Map(ordered) : value]));
}

function bootRank(key: string): number {
  const rank = bootCommandOrder.indexOf(key);
  return rank < 0 ? bootCommandOrder.length : rank;
}

function defined(entries: readonly (readonly [string, TomlValue | undefined])[]): TomlTable {
  return new Map(
    entries.flatMap(([key, value]): [string, TomlValue][] => (value === undefined ? [] : [[key, value]])),
  );
}

function table(texts: Texts | undefined): TomlTable | undefined {
  return texts === undefined ? undefined : new Map(Object.entries(texts));
}

function integer(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
