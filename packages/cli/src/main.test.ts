import { readFile } from 'node:fs/promises';
import { customResources } from '@karpenter/aws';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { main } from './main.ts';
import { programName } from './program-name.ts';
import { version } from './version.ts';

async function run(...args: readonly string[]) {
  let out = '';
  let err = '';
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

const definitions = customResources.map(({ definition }) => definition);

describe('karpenter', () => {
  it('prints its help on stdout and succeeds', async () => {
    const { code, out, err } = await run('--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: karpenter [options] [command]');
  });

  it('is called kubectl karpenter in the help of the kubectl plugin', async () => {
    let out = '';
    const print = (text: string) => {
      out += text;
    };
    const name = programName('/usr/local/bin/kubectl-karpenter');
    await main(['crds', '--help'], { out: print, err: print }, name);
    expect(out).toContain('Usage: kubectl karpenter crds [options]');
    expect(['/bin/karpenter', '/x/karpenter.mjs', undefined].map(programName)).toEqual(
      Array(3).fill('karpenter'),
    );
  });

  it.each(['--version', '-V'])('prints the version of its package for %s', async (flag) => {
    const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
    expect(await run(flag)).toEqual({ code: 0, out: `${JSON.parse(manifest).version}\n`, err: '' });
  });

  it('lists every command in its help, also where the help of one is asked for by name', async () => {
    const listed = [...(await run('--help')).out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
    expect(listed).toEqual([
      'completion',
      'controller',
      'convert',
      'cost',
      'crds',
      'dev',
      'explain',
      'faults',
      'instance-types',
      'lint',
      'migrate',
      'preflight',
      'render',
      'replay',
      'simulate',
      'ui',
      'version',
      'view',
      'help',
    ]);
    expect((await run('help', 'crds')).out).toContain('Usage: karpenter crds');
  });

  it('takes no inherited property for a command', async () => {
    expect((await run('constructor')).err).toContain("unknown command 'constructor'");
  });

  it('names an unknown command in one sentence, with a suggestion, and exits with 2', async () => {
    const { code, out, err } = await run('crd');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe("karpenter: unknown command 'crd'\n(Did you mean crds?)\n");
  });

  it.each(['', 'prod; reboot', 'x'.repeat(101)])(
    'refuses the cluster name %j for preflight',
    async (name) => {
      const { code, out, err } = await run('preflight', '--cluster-name', name);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain('It is 1 to 100 letters, digits, dashes and underscores.');
    },
  );

  it.each([
    [['help', 'nope'], "karpenter: unknown command 'nope'\n"],
    [['help', 'simulat'], "karpenter: unknown command 'simulat'\n(Did you mean simulate?)\n"],
    [['help', 'migrate', 'rum'], "karpenter: unknown command 'rum'\n(Did you mean run?)\n"],
    [['migrate', 'help', 'nope'], "karpenter: unknown command 'nope'\n"],
  ])('says what is wrong with %j', async (args, message) => {
    expect(await run(...args)).toEqual({ code: 2, out: '', err: message });
  });

  it('prints the help of a command of a command', async () => {
    expect((await run('help', 'migrate', 'run')).out).toContain('Usage: karpenter migrate run');
    expect((await run('help')).out).toContain('Usage: karpenter [options] [command]');
  });

  it.each([40, 60, 80])('prints no line of prose in its help beyond %i columns', async (columns) => {
    let out = '';
    const terminal = {
      out: (text: string) => {
        out += text;
      },
      err: () => {},
      columns: () => columns,
    };
    await main(['simulate', '--help'], terminal);
    const [prose = ''] = out.slice(out.indexOf('Without -f')).split('Examples:');
    const long = prose.split('\n').filter((line) => line.length > columns);
    expect(long.filter((line) => line.trim().includes(' '))).toEqual([]);
    expect(prose.replace(/\s+/g, ' ')).toContain('it is read once and nothing is written to it');
  });

  it.each([['crds'], ['dev'], ['instance-types'], ['simulate']])('has help for %s', async (command) => {
    const { code, out } = await run(command, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: karpenter ${command}`);
  });
});

describe('karpenter version', () => {
  it('prints the version, that of Node and the platform', async () => {
    expect((await run('version')).out).toBe(
      `karpenter ${version}\n  node:     ${process.version}\n  platform: ${process.platform}/${process.arch}\n`,
    );
  });

  it('prints them as JSON', async () => {
    const { node, platform } = { node: process.version, platform: `${process.platform}/${process.arch}` };
    expect(JSON.parse((await run('version', '-o', 'json')).out)).toEqual({ version, node, platform });
  });
});

describe('karpenter crds', () => {
  it('prints all five definitions as YAML documents that read back the same', async () => {
    const { code, out, err } = await run('crds');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(parseAllDocuments(out).map((document) => document.toJS())).toEqual(definitions);
  });

  it('prints them as one JSON list', async () => {
    const { out } = await run('crds', '-o', 'json');
    expect(JSON.parse(out)).toEqual({ apiVersion: 'v1', kind: 'List', items: definitions });
  });

  it.each(['nodepools', 'NodePool', 'nodepools.karpenter.sh'])('finds the one called %s', async (name) => {
    const { out } = await run('crds', name);
    expect(parseAllDocuments(out).map((document) => document.get('metadata'))).toHaveLength(1);
    expect(out).toContain('name: nodepools.karpenter.sh');
  });

  it('finds one by its short name', async () => {
    expect((await run('crds', 'ec2nc')).out).toContain('name: ec2nodeclasses.karpenter.k8s.aws');
  });

  it('lists the known custom resources when the given one is unknown', async () => {
    expect(await run('crds', 'provisioners')).toEqual({
      code: 1,
      out: '',
      err: 'karpenter: there is no custom resource "provisioners"; choose from nodepools, nodeclaims, nodeoverlays, capacitybuffers, ec2nodeclasses\n',
    });
  });

  it('adds v1beta1, converted behind a Service, to the kinds that had it', async () => {
    const { code, out } = await run('crds', '-o', 'json', '--conversion-service=kube-system/karpenter:8443');
    const { items } = JSON.parse(out) as { readonly items: typeof definitions };
    expect(code).toBe(0);
    expect(
      items.map(({ spec }) => spec.versions.map(({ name, served, storage }) => ({ name, served, storage }))),
    ).toEqual(
      definitions.map(({ metadata, spec }) => [
        { name: spec.versions[0]?.name, served: true, storage: true },
        ...(/nodepools|nodeclaims|ec2nodeclasses/.test(metadata.name)
          ? [{ name: 'v1beta1', served: true, storage: false }]
          : []),
      ]),
    );
    expect(items[0]?.spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        clientConfig: {
          service: { namespace: 'kube-system', name: 'karpenter', port: 8443, path: '/convert' },
        },
        conversionReviewVersions: ['v1'],
      },
    });
  });

  it.each(['karpenter', 'kube-system/karpenter', 'kube-system/karpenter:0', 'a/b:70000', 'A/b:1', 'a/b:1:2'])(
    'refuses the conversion Service %s',
    async (service) => {
      const { code, err } = await run('crds', `--conversion-service=${service}`);
      expect(code).toBe(2);
      expect(err).toContain('Write it as namespace/name:port, such as kube-system/karpenter:8443.');
    },
  );

  it('refuses an unknown format', async () => {
    const { code, err } = await run('crds', '-o', 'xml');
    expect(code).toBe(2);
    expect(err).toContain("argument 'xml' is invalid. Allowed choices are yaml, json, jsonl.");
  });
});

describe('karpenter simulate', () => {
  it('names a missing file in one sentence and exits with 1', async () => {
    expect(await run('simulate', '-f', 'nothing.yaml')).toEqual({
      code: 1,
      out: '',
      err: 'karpenter: cannot read nothing.yaml: there is no such file or folder\n',
    });
  });

  it('says in one sentence which cluster cannot be found when no file is named', async () => {
    expect(await run('simulate', '--kubeconfig', '/nowhere/config')).toEqual({
      code: 1,
      out: '',
      err: 'karpenter: cannot use the kubeconfig: no file at /nowhere/config; set KUBECONFIG to a file that exists\n',
    });
  });
});
