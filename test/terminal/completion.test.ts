import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@karpenter/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-completion-'));
  mkdirSync(join(directory, 'some folder'));
  writeFileSync(join(directory, 'some pool.yaml'), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    let script = '';
    const out = (text: string) => {
      script += text;
    };
    await main(['completion', shell], { out, err: out });
    writeFileSync(join(directory, `karpenter.${shell}`), script);
  }
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run(shell: string, args: readonly string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(shell, args, { cwd: directory, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

/** What bash offers for the last of the words, which are those that readline would pass. */
function bash(...words: readonly string[]): readonly string[] {
  const ask = `source karpenter.bash; COMP_WORDS=(karpenter "$@"); COMP_CWORD=$#; _karpenter; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', ['--norc', '-c', ask, 'bash', ...words]);
}

/** What fish offers at the end of the line, without descriptions. */
function fish(line: string): readonly string[] {
  const ask = `source karpenter.fish; complete -C ${JSON.stringify(`karpenter ${line}`)}`;
  return run('fish', ['--no-config', '-c', ask]).map((text) => text.split('\t')[0] ?? '');
}

describe('completion in bash', () => {
  it('offers the commands, below a command too', () => {
    expect(bash('')).toEqual(expect.arrayContaining(['dev', 'crds', 'completion', 'help']));
    expect(bash('cr')).toEqual(['crds']);
    expect(bash('faults', '')).toEqual(['set', 'clear', 'show', 'do', 'help']);
    expect(bash('help', 'inst')).toEqual(['instance-types']);
  });

  it('offers the options of the command', () => {
    const logging = ['--log-format', '--log-level', '--log-output-paths', '--log-error-output-paths'];
    expect(bash('dev', '--log').toSorted()).toEqual(logging.toSorted());
    expect(bash('crds', '--log')).toEqual([]);
  });

  it('offers the choices of options and arguments', () => {
    expect(bash('dev', '--log-level', '')).toEqual(['debug', 'info', 'error']);
    expect(bash('crds', '-o', 'j')).toEqual(['json', 'jsonl']);
    expect(bash('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(bash('completion', 'bash', '')).toEqual([]);
  });

  it.each([
    [['--output', '=', 'j'], 'json'],
    [['--output', '='], 'yaml'],
    [['--output=j'], '--output=json'],
  ])('offers choices after an equals sign (%j)', (words, offer) => {
    expect(bash('crds', ...words)).toContain(offer);
  });

  it('offers files and directories, also with blanks in their names', () => {
    expect(bash('simulate', '-f', 'some')).toEqual(['some folder', 'some pool.yaml']);
    expect(bash('simulate', '-f', 'a.yaml', 'some p')).toEqual(['some pool.yaml']);
    expect(bash('faults', 'set', 'some p')).toEqual(['some pool.yaml']);
    expect(bash('dev', '--data-dir', 'some')).toEqual(['some folder']);
  });

  it('does not take the value of an option for a command', () => {
    expect(bash('faults', '--kubeconfig', 'set', '')).toEqual(['set', 'clear', 'show', 'do', 'help']);
    expect(bash('dev', '--cluster-name', '')).toEqual([]);
  });

  it('registers itself for both names of the program', () => {
    expect(run('bash', ['--norc', '-c', 'source karpenter.bash; complete -p'])).toEqual(
      expect.arrayContaining([
        'complete -F _karpenter karpenter',
        'complete -F _karpenter kubectl-karpenter',
      ]),
    );
  });
});

describe('completion in fish', () => {
  it('offers commands, options, choices and files', () => {
    expect(fish('cr')).toEqual(['crds']);
    expect(fish('faults ')).toEqual(expect.arrayContaining(['set', 'clear', 'show', 'do', 'help']));
    expect(fish('dev --log')).toEqual(expect.arrayContaining(['--log-format', '--log-level']));
    expect(fish('crds -o ')).toEqual(['json', 'jsonl', 'yaml']);
    expect(fish('crds --output=j')).toEqual(['--output=json', '--output=jsonl']);
    expect(fish('completion bash ')).toEqual([]);
    expect(fish('faults --kubeconfig set ')).toContain('clear');
    expect(fish('dev --data-dir some')).toEqual([expect.stringContaining('folder')]);
    expect(fish('simulate -f some')).toHaveLength(2);
  });
});

describe('completion in zsh', () => {
  it('has a script that zsh can parse', () => {
    expect(run('zsh', ['-n', 'karpenter.zsh'])).toEqual([]);
  });
});
