import { type Command, CommanderError } from 'commander';
import { documentText, isDataFormat, outputOption, screenText } from '../output/index.ts';
import { type DecisionPlace, decisionFile, replayDocument, replayFile, replayText } from '../replay/index.ts';
import type { Terminal } from '../terminal.ts';

type OutputFormat = 'table' | 'json' | 'yaml';

interface ReplayFlags extends DecisionPlace {
  readonly output: OutputFormat;
}

const help = `
DECISION is the id of a decision, as GET /decisions of the metrics port lists them, or a file: what
GET /decisions/ID/cluster gives, or ID.json.gz in the directory decisions/clusters of --data-dir.
Plans and disruptions are made again from the cluster that they were made from, by the same code; nothing
is changed anywhere. The exit code is 0 if the result is the same, 2 if it differs, 1 if there is none.

Examples:
  karpenter replay 0mk3v9f2a-000-7h2c --from http://127.0.0.1:8080
  karpenter replay 0mk3v9f2a-000-7h2c --data-dir ./cluster
  karpenter replay decision.json.gz -o json
`;

const exitCodeOfDifference = 2;

export function addReplayCommand(
  program: Command,
  terminal: Terminal,
  readStdin: () => Promise<string>,
): void {
  program
    .command('replay')
    .description('make a decision of the controllers again from its saved cluster, and compare')
    .argument('<decision>', 'id of a decision, or a file with one; - is standard input')
    .option('--from <url>', 'metrics address of the controller that made the decision')
    .option('--data-dir <directory>', 'directory of `karpenter dev` that holds the decision')
    .addOption(outputOption(['table', 'json', 'yaml'], 'how to print the result'))
    .addHelpText('after', help)
    .action(async (decision: string, { output, ...place }: ReplayFlags) => {
      const replayed = await replayFile(await decisionFile(decision, place, readStdin));
      terminal.out(
        isDataFormat(output)
          ? documentText(replayDocument(replayed), output)
          : screenText(replayText(replayed), terminal),
      );
      if (replayed.differences.length > 0) throw differs();
    });
}

/** Everything is printed already; this only sets the exit code. */
function differs(): CommanderError {
  return new CommanderError(exitCodeOfDifference, 'karpenter.difference', 'the result differs');
}
