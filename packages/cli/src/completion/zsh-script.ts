import { caseTables, countedWord, offeredWords, quoted } from './case-tables.ts';
import type { CompletedCommand, CompletedValue } from './completed-command.ts';

/** A completion script for zsh: a function for `fpath`, which can be sourced after `compinit` too. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const tables = caseTables(commands, {
    value: zshValue,
    options: (options) =>
      `_karpenter_options ${described(options.flatMap(({ flags, description }) => flags.map((flag) => [flag, description])))}`,
    subcommands: ({ subcommands }) =>
      `_karpenter_commands ${described(subcommands.map(({ name, description }) => [name, description]))}`,
  });
  return `#compdef karpenter kubectl-karpenter
# zsh completion of karpenter

_karpenter_commands() {
  local -a offered
  offered=("$@")
  _describe command offered
}

_karpenter_options() {
  local -a offered
  offered=("$@")
  _describe -o option offered
}

_karpenter() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]}
  local place='' count=0 open='' i word option
  if [[ $cur == --*=* ]]; then
    prev=\${cur%%=*} cur=\${cur#*=}
    compset -P '*='
  fi
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
${countedWord(tables, " open='' i=$((i + 1))")}
  done
${offeredWords(tables)}
}

if [[ $funcstack[1] == _karpenter ]]; then _karpenter "$@"
else compdef _karpenter karpenter kubectl-karpenter
fi
`;
}

function zshValue(value: CompletedValue): string {
  if (value.kind === 'words') return `compadd -- ${value.words.map(quoted).join(' ')}`;
  if (value.kind === 'any') return ':';
  return value.kind === 'files' ? '_files' : '_files -/';
}

/** Words as `word:description`. */
function described(entries: readonly (readonly string[])[]): string {
  return entries.map(([word, description]) => quoted(`${word}:${description}`)).join(' ');
}
