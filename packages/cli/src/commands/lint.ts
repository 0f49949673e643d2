import { type LintFinding, type LintSeverity, lintSeverities } from '@karpenter/core/lint';
import { type Command, CommanderError, Option } from 'commander';
import { readManifestFiles, standardInput } from '../convert/index.ts';
import { ignoredCodes, lintFiles, lintText } from '../lint/index.ts';
import { type DataFormat, isDataFormat, listText, outputOption, widthOf } from '../output/index.ts';
import { regionHelp } from '../region/index.ts';
import type { ObjectCheck } from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';

interface LintFlags {
  readonly filename: readonly string[];
  readonly region?: string;
  readonly production?: boolean;
  readonly ignore?: readonly string[];
  readonly failOn: LintSeverity | 'never';
  readonly output: 'text' | DataFormat;
}

/** What the command needs from outside. */
export interface LintWiring {
  readonly readStdin: () => Promise<string>;
  readonly now: () => number;
  readonly objectCheck: () => Promise<ObjectCheck>;
}

const exitCodeOfFindings = 2;

const help = `
Reads NodePools and EC2NodeClasses, and workloads and PodDisruptionBudgets beside them where rules are about
pods. Everything else in the files is passed over. Instance types are those of the built-in catalogue. Each
finding has a code, a severity, the object and field, a reason and a fix; docs/linting.md has more, and
docs/reference/lint.md lists the rules.

Exit codes:
  0  no finding of the severity of --fail-on or above
  1  a file cannot be read, or an API server would refuse an object
  2  findings; also a wrong flag

Examples:
  karpenter lint -f nodepool.yaml -f nodeclass.yaml
  karpenter lint -f manifests/ --production --ignore KL013 -o json
  helm template my-chart | karpenter lint -f - --fail-on error
`;

export function addLintCommand(program: Command, terminal: Terminal, wiring: LintWiring): void {
  program
    .command('lint')
    .description('find what is legal in NodePools and EC2NodeClasses and probably wrong')
    .requiredOption(
      '-f, --filename <path...>',
      'files, folders (all .yaml, .yml and .json below them) or - for standard input',
    )
    .option('--region <region>', regionHelp)
    .option('--production', 'the files are for production: images that are not pinned are an error')
    .option('--ignore <code...>', 'rules that do not count, such as KL013')
    .addOption(
      new Option('--fail-on <severity>', `the least severity that makes the exit code ${exitCodeOfFindings}`)
        .choices([...lintSeverities, 'never'])
        .default('warning'),
    )
    .addOption(outputOption(['text', 'json', 'jsonl', 'yaml']))
    .addHelpText('after', help)
    .action((flags: LintFlags) => run(flags, terminal, wiring));
}

async function run(flags: LintFlags, terminal: Terminal, wiring: LintWiring): Promise<void> {
  const { region, production = false, ignore = [], failOn, output } = flags;
  const ignored = ignoredCodes(ignore);
  const read = await readManifestFiles(flags.filename, wiring.readStdin);
  const files = read.map(({ path, text }) => ({
    name: path === standardInput ? 'standard input' : path,
    text,
  }));
  const options = {
    region,
    isProduction: production,
    now: wiring.now(),
    objectCheck: await wiring.objectCheck(),
  };
  const findings = lintFiles(files, options).filter(({ code }) => !ignored.has(code));
  terminal.out(isDataFormat(output) ? listText(findings, output) : lintText(findings, widthOf(terminal)));
  if (fails(findings, failOn))
    throw new CommanderError(exitCodeOfFindings, 'karpenter.lint.findings', 'there are findings');
}

function fails(findings: readonly LintFinding[], failOn: LintFlags['failOn']): boolean {
  if (failOn === 'never') return false;
  const least = lintSeverities.indexOf(failOn);
  return findings.some(({ severity }) => lintSeverities.indexOf(severity) >= least);
}
