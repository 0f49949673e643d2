import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newProgram, runProgram } from '../program.ts';
import { addConvertCommand } from './convert.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-convert-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function run(args: readonly string[], stdin = '') {
  let out = '';
  let err = '';
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const program = newProgram('karpenter', terminal);
  addConvertCommand(program, terminal, async () => stdin);
  const code = await runProgram(program, ['convert', ...args], terminal);
  return { code, out, err };
}

function file(path: string, text: string): string {
  const full = join(directory, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const read = (path: string) => readFileSync(path, 'utf8');

const pool = (version: string, reference: string) =>
  `apiVersion: karpenter.sh/${version}
kind: NodePool
metadata:
  name: a
spec:
  template:
    spec:
      requirements: []
      nodeClassRef:
        name: default${reference}
`;
const oldPool = pool('v1beta1', '');
const newPool = pool('v1', '\n        group: karpenter.k8s.aws\n        kind: EC2NodeClass');
const other = 'apiVersion: v1\nkind:   Namespace\nmetadata: {name: a}\n';
const refused = `# old
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata:
  name: a
spec:
  launchTemplate: mine
`;

describe('karpenter convert', () => {
  it('prints a converted stream and changes no file', async () => {
    expect(await run(['-f', '-'], `${other}---\n${oldPool}`)).toEqual({
      code: 0,
      out: `${other}---\n${newPool}`,
      err: '',
    });
  });

  it('separates the documents of several files', async () => {
    const paths = [file('a.yaml', oldPool), file('b.yaml', other.trimEnd()), file('c.yaml', `---\n${other}`)];
    const { out } = await run(paths.flatMap((path) => ['-f', path]));
    expect(out).toBe(`${newPool}---\n${other}---\n${other}`);
  });

  it('reads folders with everything below them, except hidden folders and other files', async () => {
    file('manifests/b/pool.yml', oldPool);
    file('manifests/a.json', '{"apiVersion": "v1", "kind": "Namespace"}\n');
    file('manifests/notes.txt', oldPool);
    file('manifests/.git/pool.yaml', oldPool);
    const { out, code } = await run(['-f', join(directory, 'manifests')]);
    expect({ out, code }).toEqual({
      out: `{"apiVersion": "v1", "kind": "Namespace"}\n---\n${newPool}`,
      code: 0,
    });
  });

  it('replaces with --write only files that change, and keeps their mode and links', async () => {
    const real = file('real/pool.yaml', oldPool);
    chmodSync(real, 0o600);
    mkdirSync(join(directory, 'manifests'));
    const link = join(directory, 'manifests', 'pool.yaml');
    symlinkSync(real, link);
    const untouched = file('manifests/other.yaml', other);
    const before = statSync(untouched).ino;
    expect(await run(['--write', '-f', join(directory, 'manifests')])).toEqual({ code: 0, out: '', err: '' });
    expect(read(real)).toBe(newPool);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(statSync(untouched).ino).toBe(before);
    expect(readdirSync(join(directory, 'real'))).toEqual(['pool.yaml']);
  });

  it('writes below another folder with --output-dir, unchanged files too', async () => {
    file('in/deep/pool.yaml', oldPool);
    file('in/other.yaml', other);
    const target = join(directory, 'out');
    await run(['-f', join(directory, 'in'), '--output-dir', target]);
    expect(read(join(target, 'deep/pool.yaml'))).toBe(newPool);
    expect(read(join(target, 'other.yaml'))).toBe(other);
    expect(read(join(directory, 'in/deep/pool.yaml'))).toBe(oldPool);
  });

  it('writes nothing if one object of one file cannot be converted, and says where and why', async () => {
    const path = file('m/a.yaml', oldPool);
    const bad = file('m/b.yaml', refused);
    const { code, out, err } = await run(['--write', '-f', join(directory, 'm')]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`karpenter: ${bad}:7: refusal: AWSNodeTemplate a: EC2NodeClass a cannot be made`);
    expect(read(path)).toBe(oldPool);
  });

  it('writes nothing if a file cannot be replaced', async () => {
    const path = file('m/a.yaml', oldPool);
    file('out', '');
    const { code, err } = await run(['-f', path, '-o', join(directory, 'out', 'below')]);
    expect(code).toBe(1);
    expect(err).toContain('karpenter: cannot write');
    expect(readdirSync(join(directory, 'm'))).toEqual(['a.yaml']);
  });

  it('merges kubelet settings into a class of another file', async () => {
    const kubelet = file(
      'a.yaml',
      oldPool.replace(
        'requirements: []',
        'requirements: []\n      kubelet:\n        # dense\n        maxPods: 5',
      ),
    );
    const nodeClass = file(
      'b.yaml',
      'apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata:\n  name: default\nspec:\n  amiFamily: AL2\n  role: r\n',
    );
    const { out } = await run(['-f', kubelet, '-f', nodeClass]);
    expect(out).toContain('  kubelet:\n    # dense\n    maxPods: 5\n');
    expect(out.match(/dense/g)).toHaveLength(1);
  });

  it('converts folders with objects of the same names as clusters of their own', async () => {
    const nodeClass =
      'apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata:\n  name: default\nspec:\n  amiFamily: AL2\n  role: r\n';
    for (const [name, pods] of [
      ['dev', 5],
      ['prod', 6],
    ]) {
      const kubelet = `requirements: []\n      kubelet:\n        maxPods: ${pods}`;
      file(`${name}/pool.yaml`, oldPool.replace('requirements: []', kubelet));
      file(`${name}/class.yaml`, nodeClass);
    }
    const { code } = await run(['--write', '-f', join(directory, 'dev'), '-f', join(directory, 'prod')]);
    expect(code).toBe(0);
    expect(read(join(directory, 'dev/class.yaml'))).toContain('kubelet:\n    maxPods: 5\n');
    expect(read(join(directory, 'prod/class.yaml'))).toContain('kubelet:\n    maxPods: 6\n');
  });

  it('keeps a byte order mark', async () => {
    expect((await run(['-f', '-'], `\uFEFF${oldPool}`)).out).toBe(`\uFEFF${newPool}`);
  });

  it('leaves a List inside a List for a person', async () => {
    const nested = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: karpenter.sh/v1beta1\n  kind: List\n  items: []\n`;
    expect(await run(['-f', '-'], nested)).toMatchObject({ code: 2, out: nested });
  });

  it('leaves out implied requirements with --ignore-defaults', async () => {
    const provisioner =
      'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata:\n  name: a\nspec:\n  providerRef:\n    name: default\n';
    const { out, err } = await run(['--ignore-defaults', '-f', '-'], provisioner);
    expect(out).toContain('requirements: []');
    expect(err).not.toContain('defaults-made-explicit');
  });

  it('exits with 2 and names line, object and code when a person must look', async () => {
    const machine = 'apiVersion: karpenter.sh/v1alpha5\nkind: Machine\nmetadata:\n  name: a\n';
    const { code, out, err } = await run(['-f', '-'], `${other}---\n${machine}`);
    expect({ code, out }).toEqual({ code: 2, out: `${other}---\n${machine}` });
    expect(err).toMatch(/^standard input:5: review: Machine a: left as it is: .* \[not-converted\]\n$/);
  });

  it.each([
    [['-f', 'nowhere.yaml'], 'karpenter: cannot read nowhere.yaml: there is no such file or folder'],
    [['--write', '-f', '-'], 'karpenter: --write cannot replace standard input'],
    [['--write', '-o', 'x', '-f', 'a'], 'karpenter: --write and --output-dir exclude each other'],
  ])('refuses %j', async (args, problem) => {
    const { code, err } = await run(args);
    expect(code).toBe(1);
    expect(err).toContain(problem);
  });

  it('refuses YAML that mentions Karpenter and is not valid, with its line', async () => {
    const { code, out, err } = await run(
      ['-f', '-'],
      `${other}---\napiVersion: karpenter.sh/v1beta1\nname: {{ .Values.name }}\n`,
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      /^karpenter: standard input:6: not valid YAML: .*; render Helm templates first, with helm template\n$/,
    );
  });

  it('passes other YAML that is not valid through, and says so', async () => {
    const { code, out, err } = await run(['-f', '-'], 'a: [\n');
    expect({ code, out }).toEqual({ code: 2, out: 'a: [\n' });
    expect(err).toContain('[unreadable-document]');
  });

  it('refuses a folder without manifests and a file that is not text', async () => {
    mkdirSync(join(directory, 'empty'));
    expect((await run(['-f', join(directory, 'empty')])).err).toContain(
      'has no file that ends in .yaml, .yml or .json',
    );
    const binary = join(directory, 'a.yaml');
    writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x00]));
    expect((await run(['-f', binary])).err).toContain('is not text in UTF-8');
    expect(existsSync(binary)).toBe(true);
  });

  it('reads JSON objects that follow one another', async () => {
    const json = JSON.stringify({
      apiVersion: 'karpenter.sh/v1beta1',
      kind: 'NodePool',
      metadata: { name: 'a' },
      spec: { template: { spec: { requirements: [], nodeClassRef: { name: 'b' } } } },
    });
    const { out, code } = await run(['-f', '-'], `{"kind": "Namespace"}\n${json}\n`);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('{"kind": "Namespace"}');
    expect(JSON.parse(out.split('\n')[1] ?? '')).toMatchObject({ apiVersion: 'karpenter.sh/v1' });
  });
});
