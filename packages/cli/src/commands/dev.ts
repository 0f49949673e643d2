import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function addDevCommand(program: Command, terminal: Terminal): void {
  program
    .command('dev')
    .description('run everything on an embedded cluster (not in this version yet)')
    .action(() => {
      terminal.out(program.helpInformation());
      terminal.err('\nThe embedded cluster is not part of this version yet; the commands above are.\n');
    });
}
