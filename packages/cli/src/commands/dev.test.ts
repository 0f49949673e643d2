import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import type { NodePool } from '@karpenter/core/api';
import { connect, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { freePort } from '@karpenter/testkit/control-plane';
import { boundAddresses } from '@karpenter/testkit/http-server';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultConfig } from '../simulated-account/index.ts';
import { addDevCommand } from './dev.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-dev-'));
  await mkdir(join(directory, 'page'));
  await writeFile(join(directory, 'page', 'index.html'), '<!doctype html>');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

type Use = (kubeconfig: string, printed: () => string) => Promise<void>;

/** Runs `karpenter dev` until `use` is done with the cluster; returns what it printed. */
async function dev(
  flags: readonly string[],
  use: Use = async () => {},
  { isScreen = false, pageDirectory = join(directory, 'page') } = {},
) {
  let out = '';
  const kubeconfig = join(directory, `kubeconfig-${Math.random()}`);
  let started = () => {};
  const start = new Promise<void>((resolve) => {
    started = resolve;
  });
  const terminal = {
    out: (text: string) => {
      out += text;
      started();
    },
    err: () => {},
    isScreen,
  };
  const program = new Command().exitOverride();
  addDevCommand(program, terminal, {
    stopRequest: () => start.then(() => use(kubeconfig, () => out)),
    pageDirectory: () => pageDirectory,
  });
  await program.parseAsync(['dev', '--port', '0', '--kubeconfig', kubeconfig, ...flags], { from: 'user' });
  return out;
}

async function logOf(kubeconfig: string, pod: string): Promise<string> {
  const { server, ca, credentials } = await loadConfig({ kubeconfig });
  const { authorization = '' } = (await credentials?.current()) ?? {};
  const url = `${server}/api/v1/namespaces/kube-system/pods/${pod}/log`;
  const sent = get(url, { ...(ca !== undefined && { ca }), headers: { authorization } });
  const [response] = await once(sent, 'response');
  return text(response);
}

async function clientOf(kubeconfig: string) {
  return connect(await loadConfig({ kubeconfig }));
}

describe('karpenter dev', () => {
  it('prints what runs where and what to try, and stops on request', async () => {
    const out = await dev([]);
    expect(out).toMatch(
      /^A Kubernetes cluster runs at https:\/\/127\.0\.0\.1:\d+, with two nodes, a simulated AWS account for more, and its state in memory\.\n/m,
    );
    expect(out).toContain('export KUBECONFIG=');
    expect(out).toContain('kubectl scale deployment inflate --replicas 5');
    expect(out).toContain('kubectl get nodeclaims --watch');
    expect(out).toMatch(/^Metrics are at http:\/\/127\.0\.0\.1:\d+\/metrics\. Ctrl-C stops it\./m);
    expect(out).toMatch(/stopping …(.|\n)* done\n$/);
  });

  it('listens only on loopback, also for metrics and probes', async () => {
    // The API server, metrics, probes and the page.
    expect(await boundAddresses(() => dev(['--ui-port', '0']))).toEqual(Array(4).fill('127.0.0.1'));
  });

  it('shows Karpenter as a pod of the node group, whose log is that of the controllers', async () => {
    const logged = async (kubeconfig: string) => {
      const client = await clientOf(kubeconfig);
      const running = async () =>
        (await client.list(kinds.pod, { labelSelector: 'app.kubernetes.io/name=karpenter' })).items.filter(
          ({ status }) => status?.phase === 'Running',
        );
      await expect.poll(running, { timeout: 50_000 }).toHaveLength(1);
      const [pod] = await running();
      expect(pod?.metadata?.name).toMatch(/^karpenter-/);
      expect(pod?.spec?.nodeName).toMatch(/^ip-192-168-/);
      const { items: events } = await client.list(kinds.event);
      expect(events.filter(({ reason }) => reason === 'FailedScheduling')).toEqual([]);
      await client.close();
      expect(await logOf(kubeconfig, pod?.metadata?.name ?? '')).toMatch(
        /^\{"level":"INFO".*"logger":"controller"/,
      );
    };
    await dev(['--no-ui'], logged, { isScreen: true });
  });

  it('serves the simulated account in AWS protocols at the address that it prints', async () => {
    const described = async (_: string, printed: () => string) => {
      const [, url = ''] = /AWS_ENDPOINT_URL=(\S+) AWS_REGION=us-west-2 /.exec(printed()) ?? [];
      const body = new URLSearchParams({ Action: 'DescribeSubnets', Version: '2016-11-15' });
      const answer = await fetch(url, { method: 'POST', body });
      expect(await answer.text()).toMatch(/^<\?xml .*\n<DescribeSubnetsResponse .*<subnetId>subnet-/);
    };
    expect(await dev(['--empty', '--no-ui', '--aws-port', '0'], described)).toContain(
      '\n  aws ec2 describe-instances\n',
    );
    expect(await dev(['--empty', '--no-ui'])).not.toContain('AWS_');
  });

  it('rejects an AWS port in use in one sentence', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await expect(dev(['--empty', '--no-ui', '--aws-port', String(port)])).rejects.toThrow(
      `cannot serve the simulated AWS account on port ${port}: `,
    );
    taken.close();
  });

  it('serves instance metadata at the address that it prints', async () => {
    await dev(['--empty', '--no-ui', '--metadata-port', '0'], async (kubeconfig, printed) => {
      const address = /^Metadata of each instance is at (http:\/\/127\.0\.0\.1:\d+\/)INSTANCE-ID\.$/m.exec(
        printed(),
      )?.[1];
      const client = await clientOf(kubeconfig);
      expect((await client.list(kinds.node)).items).not.toHaveLength(0);
      await client.close();
      const headers = { 'x-aws-ec2-metadata-token-ttl-seconds': '60' };
      expect((await fetch(`${address}i-unknown/latest/api/token`, { method: 'PUT', headers })).status).toBe(
        404,
      );
    });
  });

  it('prints the address of the page first, which answers until it stops', async () => {
    let address = '';
    const out = await dev(['--empty', '--ui-port', '0'], async (_, printed) => {
      address = /^The page is at (http:\/\/127\.0\.0\.1:\d+)\n\n/.exec(printed())?.[1] ?? '';
      expect((await fetch(address)).status).toBe(200);
    });
    expect(out).toMatch(/^The page is at http:\S+\n\nA Kubernetes cluster runs at/);
    await expect(fetch(address)).rejects.toThrow();
  });

  it('takes another port for the page if the usual one is in use, and says so', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.once('error', () => resolve()).listen(8080, '127.0.0.1', resolve);
    });
    const out = await dev(['--empty']);
    expect(out).toMatch(/^The page is at http:\/\/127\.0\.0\.1:\d+ \(port 8080 is in use\)\n/);
    taken.close();
  });

  it('rejects a port for the page that is in use, and stops what it has started', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const address = taken.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const flags = ['--empty', '--data-dir', join(directory, 'no-page')];
    await expect(dev([...flags, '--ui-port', port])).rejects.toThrow(
      `cannot listen on port ${port} of 127.0.0.1 for the page: another program uses it; choose another with --ui-port`,
    );
    taken.close();
    expect(await dev([...flags, '--no-ui'])).toMatch(/^A Kubernetes cluster runs at/);
  });

  it('runs without a page that is not built, and says how to build it', async () => {
    expect(await dev(['--empty'], undefined, { pageDirectory: '/nowhere' })).toMatch(
      /^cannot show the page: it is not built in \/nowhere; run npm run build -w packages\/ui in the checkout\n\nA Kubernetes/,
    );
  });

  it('writes a kubeconfig that only its owner can read and that works', async () => {
    await dev([], async (kubeconfig) => {
      expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
      const client = await clientOf(kubeconfig);
      const { items } = await client.list(kinds.namespace);
      expect(items.map(({ metadata }) => metadata?.name)).toContain('default');
      await client.close();
    });
  });

  it('restricts an existing world-readable kubeconfig to its owner, and follows a link to it', async () => {
    const target = join(directory, 'shared-kubeconfig');
    const link = join(directory, 'linked-kubeconfig');
    await writeFile(target, 'old', { mode: 0o644 });
    await symlink(target, link);
    await dev(['--empty', '--kubeconfig', link]);
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    expect(await readFile(target, 'utf8')).toContain('current-context: karpenter-dev');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  it('installs the custom resources and, by default, sample objects', async () => {
    const names = async (kubeconfig: string) => {
      const client = await clientOf(kubeconfig);
      const definitions = await client.list(kinds.customResourceDefinition);
      const deployments = await client.list(kinds.deployment);
      await client.close();
      return [definitions, deployments].map(({ items }) => items.map(({ metadata }) => metadata?.name));
    };
    let found: readonly unknown[] = [];
    await dev([], async (kubeconfig) => {
      found = await names(kubeconfig);
    });
    expect(found[0]).toContain('nodepools.karpenter.sh');
    expect(found[1]).toEqual(['inflate', 'karpenter']);
    await dev(['--empty'], async (kubeconfig) => {
      found = await names(kubeconfig);
    });
    expect(found[1]).toEqual(['karpenter']);
  });

  it('runs the DaemonSets of an EKS cluster on every node, and no others with --empty', async () => {
    const daemons = async (kubeconfig: string) => {
      const client = await clientOf(kubeconfig);
      const { items } = await client.list(kinds.daemonSet);
      await client.close();
      return items;
    };
    await dev(['--no-ui', '--boot-delay', '0s'], async (kubeconfig) => {
      const scheduled = async () =>
        (await daemons(kubeconfig))
          .map(({ metadata, status }) => [metadata?.name, status?.numberReady])
          .toSorted();
      await expect.poll(scheduled, { timeout: 50_000 }).toEqual([
        ['aws-node', 2],
        ['ebs-csi-node', 2],
        ['kube-proxy', 2],
      ]);
    });
    await dev(['--no-ui', '--empty'], async (kubeconfig) => {
      expect(await daemons(kubeconfig)).toEqual([]);
    });
  });

  it('prints a readable line for each event of a launch on a terminal', async () => {
    const scaled = async (kubeconfig: string, printed: () => string) => {
      const client = await clientOf(kubeconfig);
      const inflate = { name: 'inflate', namespace: 'default' };
      await client.patch(kinds.deployment, inflate, { type: 'merge', body: { spec: { replicas: 3 } } });
      await client.close();
      await expect
        .poll(() => stripVTControlCharacters(printed()), { timeout: 50_000 })
        .toMatch(/ ready default-\w+\n/);
    };
    const out = stripVTControlCharacters(await dev(['--boot-delay', '0s'], scaled, { isScreen: true }));
    const events = out.slice(out.indexOf('The log follows.\n\n') + 18, out.indexOf('\nstopping'));
    expect(events).toMatch(/^\d\d:\d\d:\d\d created default-\w+ of NodePool default for 3 pods$/m);
    expect(events).toMatch(
      /^\d\d:\d\d:\d\d launched default-\w+ \w+\.\w+ spot us-west-2[a-d] \$0\.\d+\/h for 3 pods$/m,
    );
    expect(events).toMatch(/^\d\d:\d\d:\d\d registered default-\w+ as ip-\S+$/m);
    expect(events).not.toContain('"level"');
  });

  it.each([
    [false, [], /^\{"level":"INFO".*"message":"faults of the simulated cloud have changed"\}$/m],
    [
      true,
      ['--log-format', 'json'],
      /^\{"level":"INFO".*"message":"faults of the simulated cloud have changed"\}$/m,
    ],
    [true, [], /^\S+ info faults of the simulated cloud have changed$/m],
    [false, ['--log-format', 'text'], /^\d\d:\d\d:\d\d info faults of the simulated cloud have changed$/m],
  ])('logs in the right format (terminal: %j, flags: %j)', async (isScreen, flags, line) => {
    const change = async (kubeconfig: string, printed: () => string) => {
      const client = await clientOf(kubeconfig);
      const { namespace, name, key } = faultConfig;
      await client.create(kinds.configMap, {
        metadata: { namespace, name },
        data: { [key]: 'latency: 1ms' },
      });
      await client.close();
      await expect.poll(() => stripVTControlCharacters(printed()), { timeout: 50_000 }).toMatch(line);
    };
    await dev(['--empty', ...flags], change, { isScreen });
  });

  const replicas: NodePool = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'static' },
    spec: {
      replicas: 1,
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '10%' }] },
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [],
          expireAfter: 'Never',
        },
      },
    },
  };

  it.each([
    ['a flag', ['--feature-gates', 'StaticCapacity=true'], {}],
    ['a variable', [], { FEATURE_GATES: 'StaticCapacity=true' }],
  ])('gives the controllers a setting from %s', async (_source, flags, env) => {
    const usual = { ...process.env };
    Object.assign(process.env, env);
    await dev(['--no-ui', ...flags], async (kubeconfig) => {
      const client = await clientOf(kubeconfig);
      await client.create(nodePools, replicas);
      const claims = async () => (await client.list(nodeClaims)).items.length;
      await expect.poll(claims, { timeout: 50_000 }).toBe(1);
      await client.close();
    }).finally(() => {
      process.env = usual;
    });
  });

  it('has the feature gates of Karpenter by default, and an object whose gate is off says so', async () => {
    await dev(['--no-ui'], async (kubeconfig) => {
      const client = await clientOf(kubeconfig);
      await client.create(nodePools, replicas);
      const messages = async () => {
        const { items } = await client.list(kinds.event);
        return items.filter(({ reason }) => reason === 'FeatureGateDisabled').map(({ message }) => message);
      };
      await expect
        .poll(messages, { timeout: 50_000 })
        .toEqual([
          'A NodePool with spec.replicas needs the feature gate StaticCapacity, which is off, so no nodes are created for it; set --feature-gates=StaticCapacity=true',
        ]);
      await client.close();
    });
  });

  it('serves metrics on the port of --metrics-port', async () => {
    const port = await freePort();
    const out = await dev(['--empty', '--no-ui', '--metrics-port', String(port)]);
    expect(out).toContain(`Metrics are at http://127.0.0.1:${port}/metrics.`);
  });

  it('lists the settings with its own defaults in its help', async () => {
    const program = new Command().exitOverride();
    let help = '';
    const write = (text: string) => {
      help += text;
    };
    program.configureOutput({ writeOut: write, writeErr: write });
    addDevCommand(
      program,
      { out: write, err: write },
      { stopRequest: async () => {}, pageDirectory: String },
    );
    program.commands[0]?.copyInheritedSettings(program);
    await expect(program.parseAsync(['dev', '--help'], { from: 'user' })).rejects.toThrow();
    expect(help).toMatch(/--metrics-port=INTEGER {2}\(METRICS_PORT\)\n.*default 0$/m);
    expect(help).toMatch(/--feature-gates=FEATURE-GATES .*\n.*SpotToSpotConsolidation=false/m);
    expect(help.match(/--ui-port/g)).toHaveLength(1);
  });

  it('runs the account in the region of --region, and refuses another for the same data directory', async () => {
    const flags = ['--empty', '--no-ui', '--data-dir', join(directory, 'paris')];
    await dev([...flags, '--region', 'eu-west-3'], async (kubeconfig) => {
      const client = await clientOf(kubeconfig);
      const zones = async () => {
        const { items } = await client.list(kinds.node);
        return items.map(({ metadata }) => metadata?.labels?.['topology.kubernetes.io/zone']).toSorted();
      };
      await expect.poll(zones, { timeout: 50_000 }).toEqual(['eu-west-3a', 'eu-west-3b']);
      await client.close();
    });
    await expect(dev([...flags, '--region', 'us-east-1'])).rejects.toThrow(
      '--region us-east-1 does not fit the data directory, whose simulated account is in eu-west-3; leave --region out or choose another --data-dir',
    );
    await dev(flags);
  });

  it('keeps its state in the data directory', async () => {
    const flags = ['--data-dir', join(directory, 'data')];
    const metadata = { name: 'kept', namespace: 'default' };
    await dev(flags, async (kubeconfig) => {
      const client = await clientOf(kubeconfig);
      await client.create(kinds.configMap, { metadata, data: { x: '1' } });
      await client.close();
    });
    await dev(flags, async (kubeconfig) => {
      const client = await clientOf(kubeconfig);
      expect((await client.get(kinds.configMap, metadata)).data).toEqual({ x: '1' });
      await client.close();
    });
  });

  it('rejects a data directory in use in one sentence, and changes nothing in it', async () => {
    const data = join(directory, 'used');
    const kubeconfig = join(data, 'kubeconfig');
    const contents = async () =>
      Promise.all(
        ['identity.json', 'kubeconfig', 'snapshot-0.jsonl'].map((name) => readFile(join(data, name), 'utf8')),
      );
    await dev(['--empty', '--data-dir', data, '--kubeconfig', kubeconfig], async () => {
      const before = await contents();
      await expect(dev(['--empty', '--data-dir', data, '--kubeconfig', kubeconfig])).rejects.toThrow(
        `cannot use the data directory ${data}: the process ${process.pid} uses it; stop that process or choose another --data-dir`,
      );
      expect(await contents()).toEqual(before);
      const client = await clientOf(kubeconfig);
      await client.create(kinds.configMap, { metadata: { name: 'still-taken', namespace: 'default' } });
      await client.close();
    });
  });

  it('rejects a port in use in one sentence', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await expect(dev(['--port', String(port)])).rejects.toThrow(
      `cannot listen on port ${port} of 127.0.0.1: another program uses it; choose another with --port`,
    );
    taken.close();
  });

  it('stops the cluster when the controllers fail', async () => {
    const faults = join(directory, 'faults.yaml');
    await writeFile(faults, "deny: ['eks:*']\n");
    const flags = ['--empty', '--data-dir', join(directory, 'failed')];
    const untilFailure = () => new Promise<void>(() => undefined);
    await expect(dev([...flags, '--faults', faults], untilFailure)).rejects.toThrow('DescribeCluster');
    // Works only if the first cluster has released the lock of the data directory.
    expect(await dev(flags)).toContain('done');
  });

  it.each([
    [['--port', 'http'], '--port "http" is not a number from 0 to 65535'],
    [['--ui-port', '70000'], '--ui-port "70000" is not a number from 0 to 65535'],
    [['--aws-port', 'aws'], '--aws-port "aws" is not a number from 0 to 65535'],
    [['--seed', '-1'], '--seed "-1" is not a number from 0 to 9007199254740991'],
    [['--boot-delay', 'soon'], '--boot-delay "soon" is not a duration; write 5s or 1m30s'],
    [['--boot-delay', '-5s'], '--boot-delay "-5s" is negative; write 0s for no delay'],
    [['--repair'], '--repair needs the directory to repair; name it with --data-dir'],
    [['--cluster-name', 'My Cluster'], '--cluster-name "My Cluster" is not usable'],
    [
      ['--region', 'moon-1'],
      '--region "moon-1" is not a region that the simulated account can be in; use one',
    ],
    [['--log-level', 'loud'], 'invalid LOG_LEVEL "loud"'],
    [['--metrics-port', 'x'], '--metrics-port: "x" is not a whole number'],
    [['--feature-gates', 'StaticCapacity'], 'feature-gates: "StaticCapacity" is not a gate with its value'],
  ])('refuses %j with one sentence', async (flags, message) => {
    await expect(dev(flags)).rejects.toThrow(message);
  });

  it('rejects a damaged data directory in one sentence, and reports with --repair what it cannot keep', async () => {
    const data = join(directory, 'damaged');
    await dev(['--empty', '--data-dir', data]);
    const log = join(data, 'log-0.jsonl');
    const text = await readFile(log, 'utf8');
    const damaged = text.replace('"name":"kube-public"', '"name":"kube-publiC"');
    await writeFile(log, damaged);
    await expect(dev(['--empty', '--data-dir', data])).rejects.toThrow(
      `cannot read the cluster's state in ${log} at record 4: it is not what was written; nothing was changed: restore the file from a copy, or start with --repair to keep what can be read`,
    );
    expect(await readFile(log, 'utf8')).toBe(damaged);
    expect(await dev(['--empty', '--data-dir', data, '--repair'])).toContain(
      `not kept: ${log}: record 4 cannot be read; it was probably about namespaces kube-publiC`,
    );
    expect(await readFile(`${log}.damaged-1`, 'utf8')).toBe(damaged);
    await dev(['--empty', '--data-dir', data]);
  });
});
