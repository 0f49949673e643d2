import type { Command } from 'commander';
import { documentText, isDataFormat, outputOption } from '../output/index.ts';
import type { Terminal } from '../terminal.ts';
import { commit, version } from '../version.ts';

interface VersionFacts {
  readonly version: string;
  readonly commit?: string;
  readonly node: string;
  readonly platform: string;
}

export function addVersionCommand(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description('print the version, with that of Node and the platform, for bug reports')
    .addOption(outputOption(['text', 'json', 'yaml'], 'how to print them'))
    .action(({ output }: { readonly output: 'text' | 'json' | 'yaml' }) => {
      const facts = versionFacts();
      terminal.out(isDataFormat(output) ? documentText(facts, output) : versionText(facts));
    });
}

function versionFacts(): VersionFacts {
  return {
    version,
    ...(commit !== undefined && { commit }),
    node: process.version,
    platform: `${process.platform}/${process.arch}`,
  };
}

function versionText({ version: name, ...facts }: VersionFacts): string {
  const lines = Object.entries(facts).map(([key, value]) => `  ${`${key}:`.padEnd(10)}${value}`);
  return `${[`karpenter ${name}`, ...lines].join('\n')}\n`;
}
