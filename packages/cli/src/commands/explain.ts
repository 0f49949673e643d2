import type { Explanation } from '@karpenter/core/explanation';
import { Argument, type Command } from 'commander';
import { type ClusterChoice, connectTo } from '../cluster-view/index.ts';
import {
  type ExplainPorts,
  explainedKinds,
  explainObject,
  explanationText,
  namedSubject,
} from '../explain/index.ts';
import { documentText, isDataFormat, outputOption, widthOf } from '../output/index.ts';
import { regionHelp } from '../region/index.ts';
import type { Terminal } from '../terminal.ts';

interface ExplainFlags extends ClusterChoice {
  readonly namespace?: string;
  readonly region?: string;
  readonly output: 'text' | 'json' | 'yaml';
}

/** What the command needs from outside. */
export interface ExplainWiring extends Pick<ExplainPorts, 'clock'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

const help = `
  pod        why it is pending: what each NodePool and the nodes lack, the nearest miss first, and the
             smallest change that helps, proven by planning again with it; why it is on its node
  node       why it is not consolidated: every blocker and until when, prices, drift, expiry
  nodeclaim  the same for a NodeClaim, also while it is launching
  nodepool   whether it is ready, what it could launch now and at what price, limits, budgets in force

Reads the cluster once and writes nothing. Instance types and prices are those of the built-in catalogue
that the EC2NodeClasses allow. What only the running controllers know, such as nominations and capacity
that EC2 has just refused, is not seen. docs/explaining.md has examples.

Examples:
  karpenter explain pod web-5f6d-abcde -n shop
  karpenter explain node/ip-10-0-1-7.ec2.internal
  karpenter explain nodepool default -o json
`;

export function addExplainCommand(program: Command, terminal: Terminal, wiring: ExplainWiring): void {
  program
    .command('explain')
    .description('say why a pod is pending or a node is kept, and what a NodePool can launch')
    .addArgument(kindArgument())
    .addArgument(new Argument('[name...]', 'name of the object'))
    .option('-n, --namespace <name>', 'namespace of the pod; defaults to that of the context')
    .option('--kubeconfig <files>', 'the cluster; defaults to KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; defaults to the current one')
    .option('--region <region>', regionHelp)
    .addOption(outputOption(['text', 'json', 'yaml']))
    .addHelpText('after', help)
    .action((kind: string, names: readonly string[], flags: ExplainFlags) =>
      run([kind, ...names], flags, { terminal, wiring }),
    );
}

/** Completed as one of the kinds but not checked by commander, because KIND/NAME is one word. */
function kindArgument(): Argument {
  return Object.assign(new Argument('<kind>', 'of the object; or KIND/NAME'), {
    argChoices: [...explainedKinds],
  });
}

interface ExplainContext {
  readonly terminal: Terminal;
  readonly wiring: ExplainWiring;
}

async function run(
  words: readonly string[],
  flags: ExplainFlags,
  { terminal, wiring }: ExplainContext,
): Promise<void> {
  const subject = namedSubject(words, flags.namespace);
  const notes: string[] = [];
  const connection = await connectTo(flags);
  try {
    const { region } = flags;
    const ports = { clock: wiring.clock, note: (text: string) => void notes.push(text), region };
    const { namespace = 'default' } = { ...connection, ...subject };
    const explanation = await explainObject(connection, { ...subject, namespace }, ports);
    for (const text of notes) terminal.err(`karpenter: note: ${text}\n`);
    terminal.out(printed(explanation, flags.output, { terminal, wiring }));
  } finally {
    await connection.client.close();
  }
}

const usualWidth = 80;

function printed(
  explanation: Explanation,
  format: ExplainFlags['output'],
  { terminal, wiring }: ExplainContext,
): string {
  if (isDataFormat(format)) return documentText(explanation, format);
  const { NO_COLOR: noColour = '', TERM: term } = wiring.env;
  return explanationText(explanation, {
    width: widthOf(terminal) ?? usualWidth,
    hasColour: terminal.isScreen === true && noColour === '' && term !== 'dumb',
    now: wiring.clock.now(),
  });
}
