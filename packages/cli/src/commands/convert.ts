import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { type Command, CommanderError } from 'commander';
import {
  type ConversionMessage,
  convertFiles,
  type FileResult,
  joinedTexts,
  messageText,
  readManifestFiles,
  standardInput,
  writeFiles,
} from '../convert/index.ts';
import type { Terminal } from '../terminal.ts';

interface ConvertFlags {
  readonly filename: readonly string[];
  readonly write?: boolean;
  readonly outputDir?: string;
  readonly ignoreDefaults?: boolean;
}

const help = `
Files are YAML or JSON with any objects: Provisioner (v1alpha5), AWSNodeTemplate (v1alpha1), NodePool, NodeClaim and
EC2NodeClass (v1beta1) become v1; labels and annotations that changed are renamed in workloads; the ConfigMap
karpenter-global-settings becomes a list of environment variables. Everything else stays byte for byte, and comments and
the order of keys are kept. Convert NodePools and their classes in one call: kubelet settings move between them.

Standard output gets the result. Standard error gets a line for each assumption, as
FILE:LINE: note|review: OBJECT: SENTENCE [CODE].

Exit codes:
  0  everything is converted, or there was nothing to convert
  1  a file cannot be read or an object cannot be converted; nothing is written
  2  everything is converted, and a person must look at the lines marked review; also a wrong flag

Examples:
  karpenter convert -f provisioner.yaml -f nodetemplate.yaml > karpenter-v1.yaml
  karpenter convert -f manifests/ --write
  helm template my-chart | karpenter convert -f - | kubectl apply -f -
`;

export function addConvertCommand(
  program: Command,
  terminal: Terminal,
  readStdin: () => Promise<string>,
): void {
  program
    .command('convert')
    .description('convert manifests of older Karpenter versions to v1')
    .requiredOption(
      '-f, --filename <path...>',
      'files, folders (all .yaml, .yml and .json below them) or - for standard input',
    )
    .option('-w, --write', 'replace the files instead of printing them')
    .option('-o, --output-dir <folder>', 'write the results below this folder instead of printing them')
    .option('--ignore-defaults', 'do not write out the requirements that v1alpha5 implied')
    .addHelpText('after', help)
    .action((flags: ConvertFlags) => run(flags, terminal, readStdin));
}

async function run(flags: ConvertFlags, terminal: Terminal, readStdin: () => Promise<string>): Promise<void> {
  checkFlags(flags);
  const files = await readManifestFiles(flags.filename, readStdin);
  const converted = convertFiles(files, { ignoreDefaults: flags.ignoreDefaults === true });
  const report = (message: ConversionMessage) => terminal.err(`${messageText(message)}\n`);
  converted.messages.forEach(report);
  if (converted.refusals.length > 0) throw refused(converted.refusals, report);
  await output(converted.files, flags, terminal);
  if (converted.messages.some(({ severity }) => severity === 'review')) throw new NeedsReview();
}

function checkFlags({ write, outputDir, filename }: ConvertFlags): void {
  if (write && outputDir !== undefined)
    throw unusable('--write and --output-dir exclude each other; use one of them');
  if (write && filename.includes(standardInput)) {
    throw unusable('--write cannot replace standard input; name files, or leave it out to print the result');
  }
}

function unusable(sentence: string): CodedError {
  return new CodedError('invalid-setting', sentence);
}

/** Reports all refusals but the last, which ends the command. */
function refused(
  refusals: readonly ConversionMessage[],
  report: (message: ConversionMessage) => void,
): CodedError {
  refusals.slice(0, -1).forEach(report);
  const last = refusals.at(-1);
  return new CodedError('not-convertible', last === undefined ? '' : messageText(last));
}

async function output(
  results: readonly FileResult[],
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const { write, outputDir } = flags;
  if (write) {
    const changed = results.filter(({ file, text }) => text !== file.text);
    await writeFiles(changed.map(({ file, text }) => ({ path: file.path, text })));
  } else if (outputDir !== undefined) await writeFiles(targetsIn(outputDir, results));
  else terminal.out(joinedTexts(results.map(({ text }) => text)));
}

function targetsIn(directory: string, results: readonly FileResult[]) {
  const targets = results.map(({ file, text }) => ({
    path: join(directory, file.target),
    text,
    from: file.path,
  }));
  const seen = new Map<string, string>();
  for (const { path, from } of targets) {
    const other = seen.get(path);
    if (other !== undefined) {
      throw unusable(
        `${other} and ${from} would both be written to ${path}; convert them with separate commands`,
      );
    }
    seen.set(path, from);
  }
  return targets;
}

/** Ends the command with exit code 2. Everything has been printed. */
class NeedsReview extends CommanderError {
  constructor() {
    super(2, 'karpenter.convert.review', 'a person must look at the result');
  }
}
