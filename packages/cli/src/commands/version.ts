import { type Command, Option } from 'commander';
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
    .addOption(
      new Option('-o, --output <format>', 'how to print them').choices(['text', 'json']).default('text'),
    )
    .action(({ output }: { readonly output: 'text' | 'json' }) => {
      const facts = versionFacts();
      terminal.out(output === 'json' ? `${JSON.stringify(facts, null, 2)}\n` : versionText(facts));
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
