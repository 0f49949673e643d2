import { Argument, type Command } from 'commander';
import { bashScript, completedCommands, fishScript, zshScript } from '../completion/index.ts';
import type { Terminal } from '../terminal.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

const help = `
To have it in every new shell:

  bash  echo 'source <(karpenter completion bash)' >> ~/.bashrc
  zsh   karpenter completion zsh > "\${fpath[1]}/_karpenter"    (or: source <(karpenter completion zsh))
  fish  karpenter completion fish > ~/.config/fish/completions/karpenter.fish
`;

/** Completes all commands of the program, so that it must have all of them when the command runs. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script that completes commands, options and their values in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: keyof typeof scripts) => terminal.out(scripts[shell](completedCommands(program))));
}
