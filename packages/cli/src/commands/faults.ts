import { CodedError } from '@karpenter/core/errors';
import { connect, isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import type { Command } from 'commander';
import {
  actAnnotation,
  acts,
  actText,
  faultConfig,
  isAct,
  readFaultFile,
} from '../simulated-account/index.ts';
import type { Terminal } from '../terminal.ts';

interface FaultFlags {
  readonly kubeconfig?: string;
}

/**
 * Changes the faults of the simulated cloud in a running cluster. The command writes a ConfigMap or an annotation and
 * the process with the simulated cloud watches both, so it works across processes and needs no API of its own.
 */
export function addFaultsCommand(program: Command, terminal: Terminal): void {
  const faults = program
    .command('faults')
    .description('change what goes wrong in the simulated cloud of a running cluster')
    .option('--kubeconfig <file>', 'the cluster; defaults to KUBECONFIG')
    .addHelpText('after', actHelp());
  const act = (work: (client: KubeClient) => Promise<string>) =>
    withClient(faults.opts<FaultFlags>(), async (client) => terminal.out(`${await work(client)}\n`));
  faults
    .command('set')
    .description('put the faults of a file in force')
    .argument('<file>', 'YAML or JSON, as docs/simulated-cloud.md describes it')
    .action((file: string) => act((client) => setFaults(client, file)));
  faults
    .command('clear')
    .description('go back to the faults of the start')
    .action(() => act(clearFaults));
  faults
    .command('show')
    .description('print the faults that were set')
    .action(() => act(shownFaults));
  faults
    .command('do')
    .description('do something to the instance of a node')
    .argument('<act>', Object.keys(acts).join(', '))
    .argument('<node>', 'name of the node')
    .action((word: string, node: string) => act((client) => requestAct(client, word, node)));
}

function actHelp(): string {
  const lines = Object.entries(acts).map(([word, meaning]) => `  ${word.padEnd(12)} ${meaning}`);
  return `\nWhat can be done to an instance:\n${lines.join('\n')}\n`;
}

async function withClient(
  { kubeconfig }: FaultFlags,
  work: (client: KubeClient) => Promise<void>,
): Promise<void> {
  const client = connect(await loadConfig(kubeconfig === undefined ? {} : { kubeconfig }));
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

/**
 * Parses the file before it writes the ConfigMap: an invalid file fails the command and changes nothing. The parser
 * belongs to the simulator, so it is imported only here.
 */
async function setFaults(client: KubeClient, file: string): Promise<string> {
  const text = await readFaultFile(file);
  const { parseFaults } = await import('@karpenter/sim/cloud');
  parseFaults(text, file);
  const { namespace, name, key } = faultConfig;
  await client.apply(
    kinds.configMap,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { [key]: text } },
    { fieldManager: 'karpenter-faults', force: true },
  );
  return `the faults of ${file} are in force`;
}

async function clearFaults(client: KubeClient): Promise<string> {
  try {
    await client.delete(kinds.configMap, faultConfig);
    return 'the faults of the start are in force';
  } catch (error) {
    if (isNotFound(error)) return 'no faults were set';
    throw error;
  }
}

async function shownFaults(client: KubeClient): Promise<string> {
  const config = await client.find(kinds.configMap, faultConfig);
  return config === undefined ? 'no faults were set' : (config.data?.[faultConfig.key] ?? '').trimEnd();
}

/** Only writes the annotation. The simulated cloud acts on it later and logs the result. */
async function requestAct(client: KubeClient, word: string, node: string): Promise<string> {
  if (!isAct(word)) {
    throw new CodedError(
      'invalid-setting',
      `${JSON.stringify(word)} is nothing that can be done to a machine; it is one of ${Object.keys(acts).join(', ')}`,
      { details: { act: word } },
    );
  }
  const annotations = { [actAnnotation]: actText(word, Date.now()) };
  await client.patch(kinds.node, { name: node }, { type: 'merge', body: { metadata: { annotations } } });
  return `${word} of ${node} was asked for; the log of the cluster says whether it was done`;
}
