import { CodedError } from '@karpenter/core/errors';
import { ConnectionError, connect, isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import type { Clock } from '@karpenter/kube/runtime';
import type { Command } from 'commander';
import { unreachable } from '../cluster-view/index.ts';
import {
  type Act,
  accountActs,
  actNames,
  actUsage,
  checkedRequest,
  faultConfig,
  faultsInForce,
  isAct,
  isPreset,
  nearestPreset,
  nodeActs,
  presetLines,
  presetText,
  readFaultFile,
  requestAct,
} from '../simulated-account/index.ts';
import type { Terminal } from '../terminal.ts';

interface FaultFlags {
  readonly kubeconfig?: string;
}

/** What the command needs from outside. */
export interface FaultWiring {
  readonly clock: Clock;
  readonly readStdin: () => Promise<string>;
}

/**
 * Changes the faults of the simulated cloud in a running cluster. The command writes ConfigMaps and the process with
 * the simulated cloud watches them, so it works across processes and needs no API of its own.
 */
export function addFaultsCommand(program: Command, terminal: Terminal, wiring: FaultWiring): void {
  const faults = program
    .command('faults')
    .description('change what goes wrong in the simulated cloud of a running cluster, or do something to it')
    .option('--kubeconfig <file>', 'the cluster; defaults to KUBECONFIG')
    .addHelpText('after', help);
  const act = (work: (client: KubeClient) => Promise<string>) =>
    withClient(faults.opts<FaultFlags>(), async (client) => terminal.out(`${await work(client)}\n`));
  faults
    .command('set')
    .description('put the faults of a file or of a preset in force')
    .argument(
      '<file>',
      'YAML or JSON, as docs/simulated-cloud.md describes it; - for standard input; or a preset',
    )
    .argument('[args...]', 'arguments of a preset')
    .addHelpText('after', () => `\nPresets:\n${presetLines().join('\n')}\n`)
    .action((file: string, args: readonly string[]) =>
      act((client) => setFaults(client, { file, args }, wiring)),
    );
  faults
    .command('clear')
    .description('go back to the faults of the start')
    .action(() => act((client) => clearFaults(client, wiring)));
  faults
    .command('show')
    .description('print the faults that were set')
    .action(() => act(shownFaults));
  faults
    .command('do')
    .description('do something to the instance of a node, or to the account')
    .argument('<act>', actNames.join(', '))
    .argument('[args...]', 'what the act needs, such as the name of a node')
    .addHelpText('after', actHelp)
    .action((word: string, args: readonly string[]) => {
      const request = checkedRequest(word, args);
      return act((client) => requestAct({ client, clock: wiring.clock }, request));
    });
}

function help(): string {
  return `\nPresets of faults:\n${presetLines().join('\n')}\n${actHelp()}`;
}

function actHelp(): string {
  const listed = (definitions: Readonly<Record<string, { readonly meaning: string }>>) =>
    Object.entries(definitions).map(([word, { meaning }]) => `  ${usageOf(word).padEnd(46)} ${meaning}`);
  return [
    '\nWhat can be done to the instance of a node:',
    ...listed(nodeActs),
    '\nWhat can be done to the account:',
    ...listed(accountActs),
    '',
  ].join('\n');
}

function usageOf(word: string | Act): string {
  return isAct(word) ? actUsage(word) : word;
}

async function withClient(
  { kubeconfig }: FaultFlags,
  work: (client: KubeClient) => Promise<void>,
): Promise<void> {
  const config = await loadConfig(kubeconfig === undefined ? {} : { kubeconfig });
  const client = connect(config);
  try {
    await work(client);
  } catch (error) {
    throw error instanceof ConnectionError ? unreachable(error, config.server, '--kubeconfig') : error;
  } finally {
    await client.close();
  }
}

interface FaultSource {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Parses the file before it writes the ConfigMap: an invalid file fails the command and changes nothing. The parser
 * belongs to the simulator, so it is imported only here.
 */
async function setFaults(client: KubeClient, source: FaultSource, wiring: FaultWiring): Promise<string> {
  const { text, label } = await faultText(source, wiring);
  const { parseFaults } = await import('@karpenter/sim/cloud');
  parseFaults(text, label);
  const { namespace, name, key } = faultConfig;
  await client.apply(
    kinds.configMap,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { [key]: text } },
    { fieldManager: 'karpenter-faults', force: true },
  );
  await confirm(client, wiring, { text, done: `the faults of ${label} are stored` });
  return `the faults of ${label} are in force`;
}

interface StoredFaults {
  readonly text: string;
  /** What the command has done so far, to begin a sentence. */
  readonly done: string;
}

/** Reads back what the simulated cloud has in force: a ConfigMap alone changes nothing. */
async function confirm(
  client: KubeClient,
  { clock }: FaultWiring,
  { text, done }: StoredFaults,
): Promise<void> {
  const inForce = await faultsInForce({ client, clock });
  if (inForce === text) return;
  if (inForce === undefined)
    throw new CodedError(
      'no-simulated-cloud',
      `${done}, but no simulated cloud answered for this cluster, so they change nothing; start karpenter dev, or karpenter controller --cloud simulated on it`,
    );
  throw new CodedError(
    'faults-not-in-force',
    `${done}, but the simulated cloud has others in force; its log says why, and karpenter faults show prints what is stored`,
  );
}

/** A file whose name is that of a preset can be written as a path: `./no-spot`. */
async function faultText({ file, args }: FaultSource, { readStdin }: FaultWiring) {
  if (!isPreset(file) && args.length > 0)
    throw new CodedError(
      'invalid-setting',
      `${args.join(' ')} cannot follow ${file}, which is a file; only presets take arguments`,
    );
  if (isPreset(file)) return { text: presetText(file, args), label: [file, ...args].join(' ') };
  if (file === '-') return { text: await readStdin(), label: 'standard input' };
  return { text: await fileOrPreset(file), label: file };
}

/** A mistyped preset looks like a file that does not exist. */
async function fileOrPreset(file: string): Promise<string> {
  try {
    return await readFaultFile(file);
  } catch (error) {
    const preset = nearestPreset(file);
    if (preset === undefined || !(error instanceof CodedError) || error.code !== 'unreadable-file')
      throw error;
    throw new CodedError('unreadable-file', `${error.message}; did you mean the preset ${preset}?`, {
      details: { path: file },
      cause: error,
    });
  }
}

async function clearFaults(client: KubeClient, wiring: FaultWiring): Promise<string> {
  try {
    await client.delete(kinds.configMap, faultConfig);
  } catch (error) {
    if (isNotFound(error)) return 'no faults were set';
    throw error;
  }
  await confirm(client, wiring, { text: '', done: 'the stored faults are deleted' });
  return 'the faults of the start are in force';
}

async function shownFaults(client: KubeClient): Promise<string> {
  const config = await client.find(kinds.configMap, faultConfig);
  return config === undefined ? 'no faults were set' : (config.data?.[faultConfig.key] ?? '').trimEnd();
}
