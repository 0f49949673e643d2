// Completion scripts for shells, generated from the commander program, so that they always know every
// command, option and choice. Pure: text from commands. Start reading at `completed-command.ts`; each shell
// has a file that turns those facts into a script.

export { bashScript } from './bash-script.ts';
export { completedCommands } from './completed-command.ts';
export { fishScript } from './fish-script.ts';
export { zshScript } from './zsh-script.ts';
