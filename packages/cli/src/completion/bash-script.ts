import { caseTables, countedWord, offeredWords, quoted } from './case-tables.ts';
import type { CompletedCommand, CompletedValue } from './completed-command.ts';

/** A completion script for bash 3.2 and newer, which needs no other package. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const tables = caseTables(commands, {
    value: bashValue,
    options: (options) => offerWords(options.flatMap(({ flags }) => flags)),
    subcommands: ({ subcommands }) => offerWords(subcommands.map(({ name }) => name)),
  });
  return `# bash completion of karpenter

_karpenter_offer() {
  local found
  while IFS= read -r found; do COMPREPLY+=("$prefix$found"); done < <(compgen "$@" -- "$cur")
}

_karpenter_paths() {
  compopt -o filenames 2>/dev/null
  _karpenter_offer "$1"
}

_karpenter() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local prefix='' place='' count=0 open='' i word option
  COMPREPLY=()
  # Usually '=' separates words, and is one itself.
  if [[ $cur == = ]]; then cur=''
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $cur == --*=* ]]; then prev=\${cur%%=*} prefix=$prev= cur=\${cur#*=}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
${countedWord(tables, skipValue)}
  done
${offeredWords(tables)}
}

complete -F _karpenter karpenter kubectl-karpenter
`;
}

/** A value that follows `=` is two words away from its option. */
const skipValue = `
      open=''
      [[ \${COMP_WORDS[i+1]} == = ]] && i=$((i + 1))
      i=$((i + 1))`;

function bashValue(value: CompletedValue): string {
  if (value.kind === 'words') return offerWords(value.words);
  if (value.kind === 'any') return ':';
  return `_karpenter_paths ${value.kind === 'files' ? '-f' : '-d'}`;
}

function offerWords(words: readonly string[]): string {
  return `_karpenter_offer -W ${quoted(words.join(' '))}`;
}
