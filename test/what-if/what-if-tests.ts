import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandCluster, runCommand, type ViewedServer } from '../live-commands/command-cluster.ts';
import { createNodeClass, createRunningCluster, nodePrice } from './running-cluster.ts';

/** Registers the tests of `simulate` without files on an API server on which nothing else runs. */
export function whatIfTests(start: () => Promise<ViewedServer>): void {
  const cluster = commandCluster(start);
  const file = (name: string, content: unknown) => cluster().file(name, content);
  const live = (...args: readonly string[]) => cluster().run(['simulate', ...args]);

  async function json(...args: readonly string[]) {
    const { code, out, err } = await live(...args, '-o', 'json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  }

  const deployment = (name: string, replicas: number, cpu = '6') => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu } } }] },
      },
    },
  });

  it('plans a cluster without nodes and without Karpenter, and says nothing about that', async () => {
    expect(await json()).toMatchObject({ pods: 0, nodes: 0, moves: [], price: { now: 0, after: 0 } });
    await createRunningCluster(cluster().client);
  });

  it('changes nothing in a cluster without pending pods, and prices its nodes', async () => {
    const price = { now: 1.152, after: 1.152, nodesNow: 3, nodesAfter: 3 };
    expect(await json()).toMatchObject({ pods: 0, nodes: 0, moves: [], price });
    expect((await live()).out).toContain(
      'Price an hour: $1.1520 now for 3 nodes, $1.1520 after for 3 nodes.',
    );
  });

  it('moves every pod of a removed node but its daemons, and saves its price', async () => {
    const { moves, nodes, errors, price } = await json('--remove-node', 'node-a');
    expect(moves.map(({ pod }: { pod: string }) => pod).sort()).toEqual([
      'default/web-1',
      'default/web-2',
      'default/web-3',
    ]);
    for (const move of moves)
      expect(move).toMatchObject({ from: 'node-a', to: expect.stringMatching(/node-[bc]/) });
    expect({ nodes, errors, price }).toMatchObject({
      nodes: 0,
      errors: {},
      price: { after: 2 * nodePrice, nodesAfter: 2 },
    });
  });

  it('moves pods to new nodes where no existing node is left', async () => {
    const { moves, newNodes, price } = await json(
      '--remove-node',
      'node-a',
      'node-b',
      '--remove-node',
      'node-c',
    );
    expect(moves).toHaveLength(4);
    for (const { newNode } of moves) expect(newNodes[newNode]).toBeDefined();
    const planned = newNodes.reduce((sum: number, each: { price: number }) => sum + each.price, 0);
    expect(price.after).toBeCloseTo(planned, 6);
    const { out } = await live('--remove-node', 'node-a', 'node-b', 'node-c');
    expect(out).toMatch(/MOVED FROM node-a +TO\ndefault\/web-1 +new node \d+ \(/);
  });

  it('names the pods that keep a removed node from being drained', async () => {
    const { blocked, moves } = await json('--remove-node', 'node-b');
    expect(blocked).toEqual([
      {
        node: 'node-b',
        pod: 'default/web-4',
        message: 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web-4)',
      },
    ]);
    expect(moves).toHaveLength(1);
    expect((await live('--remove-node', 'node-b')).out).toContain('1 pod cannot be evicted now');
  });

  it('plans new nodes for an added workload after the room that there is', async () => {
    const path = await file('deployment.yaml', deployment('batch', 4));
    const { pods, onExisting, nodes, moves, price } = await json('--add', path);
    expect({ pods, onExisting, moves }).toEqual({ pods: 4, onExisting: 2, moves: [] });
    expect(nodes).toBeGreaterThan(0);
    expect(price.after).toBeGreaterThan(price.now);
  });

  it('adds only the replicas that a workload of the cluster lacks', async () => {
    const path = await file('web.yaml', deployment('web', 6, '1'));
    const { out, err } = await live('--add', path, '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({ pods: 2, onExisting: 2, nodes: 0 });
    expect(err).toBe(
      'karpenter: note: Deployment default/web exists with 4 pods, which keep their spec and node; 2 are added\n',
    );
  });

  it('deletes the replicas that a workload of the cluster has too many', async () => {
    const path = await file('web.yaml', deployment('web', 0, '1'));
    const { out } = await live('--add', path, '--consolidate', '-o', 'json');
    const { nodes } = JSON.parse(out).consolidation.commands[0];
    expect(nodes).toHaveLength(3);
  });

  it('makes pods unplaceable by a limit that is set, with the limit as the reason', async () => {
    const path = await file('deployment.yaml', deployment('batch', 4));
    const { failed, errors } = await json('--add', path, '--set', 'nodepool/default:spec.limits.cpu=24');
    expect(failed).toBe(2);
    for (const error of Object.values(errors)) expect(error).toMatch(/exceeds limits|exceed.*limits/i);
  });

  it('shows what consolidation would do: the empty node goes', async () => {
    const { consolidation, price } = await json('--consolidate');
    expect(consolidation.commands).toContainEqual({
      reason: 'Empty',
      decision: 'delete',
      nodes: ['node-c'],
      replacements: [],
      hourlySavings: nodePrice,
    });
    expect(price.afterConsolidation).toBeCloseTo(price.after - consolidation.hourlySavings, 6);
    expect((await live('--consolidate')).out).toMatch(/Empty +node-c +- +0\.3840/);
  });

  it.each([
    ['nothing', []],
    ['a removed node', ['--remove-node', 'node-a']],
    ['a set field', ['--set', 'nodepool/default:spec.limits.cpu=24', '--remove-node', 'node-a', 'node-b']],
  ])('gives the plan of the same cluster saved to a file, with %s changed', async (_what, args) => {
    const path = join(cluster().directory, 'saved.json');
    const {
      moves: _moves,
      price: _price,
      blocked: _blocked,
      seconds: _s,
      ...fromLive
    } = await json(...args, '--save', path);
    const { seconds: _, ...fromFile } = JSON.parse(
      (await runCommand(['simulate', '-f', path, '-o', 'json'])).out,
    );
    expect(fromFile).toEqual(fromLive);
  });

  it('writes nothing', async () => {
    const { counting } = cluster();
    const before = counting.reads();
    const path = await file('deployment.yaml', deployment('batch', 4));
    for (const output of ['table', 'json', 'yaml'])
      expect(
        await live('--add', path, '--remove-node', 'node-a', '--consolidate', '-o', output),
      ).toMatchObject({ code: 0 });
    expect(counting.reads()).toBeGreaterThan(before);
    expect(counting.writes()).toBe(0);
  });

  it.each([
    [['--remove-node', 'node-aa'], '--remove-node: there is no node "node-aa"; did you mean node-a?'],
    [
      ['--remove-node', 'zzzzzzzz'],
      '--remove-node: there is no node "zzzzzzzz"; choose from node-a, node-b, node-c',
    ],
    [
      ['--set', 'limits=1'],
      '--set "limits=1" does not name a field of a NodePool; write --set nodepool/NAME:spec.FIELD=VALUE, such as nodepool/default:spec.limits.cpu=100',
    ],
    [
      ['--set', 'nodepool/defalt:spec.weight=1'],
      '--set nodepool/defalt:spec.weight=1: there is no NodePool "defalt"; did you mean default?',
    ],
    [
      ['--set', 'nodepool/default:spec.wieght=1'],
      '--set nodepool/default:spec.wieght=1: a NodePool has no field "wieght" in spec.wieght; did you mean weight?',
    ],
    [
      ['--set', 'nodepool/default:spec.weight=heavy'],
      '--set nodepool/default:spec.weight=heavy: NodePool "default" is invalid: spec.weight: Invalid value: "string": spec.weight in body must be of type integer: "string"',
    ],
    [
      ['--set', 'nodepool/default:spec.weight=101'],
      '--set nodepool/default:spec.weight=101: NodePool "default" is invalid: spec.weight: Invalid value: 101: spec.weight in body should be less than or equal to 100',
    ],
    [
      ['--region', 'eu-west-1'],
      '--region eu-west-1: the nodes of the cluster are in us-west-2; leave out --region',
    ],
    [['--context', 'mian'], expect.stringMatching(/^[^\n]*mian[^\n]*main[^\n]*$/)],
    [['--add', 'missing.yaml'], 'cannot read missing.yaml: there is no such file or folder'],
    [
      ['-f', 'cluster.yaml', '--consolidate'],
      '--consolidate is about the live cluster, which --filename replaces; leave out one of the two',
    ],
  ])('refuses %j in one sentence', async (args, problem) => {
    const { code, out, err } = await (args[0] === '-f' ? runCommand(['simulate', ...args]) : live(...args));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.replace(/^karpenter: /, '').trimEnd()).toEqual(problem);
  });

  it('refuses added manifests that the API server would refuse', async () => {
    const { spec, ...batch } = deployment('batch', 1, '1');
    const path = await file('unknown.json', { ...batch, spec: { ...spec, replica: 2 } });
    const { code, out, err } = await live('--add', path);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('Deployment default/batch is invalid: unknown field "spec.replica"');
  });

  it('takes zones from the subnets of the EC2NodeClass', async () => {
    const { spec, ...batch } = deployment('batch', 1, '1');
    const { template } = spec;
    const nodeSelector = { 'topology.kubernetes.io/zone': 'us-west-2b' };
    const zonal = { ...spec, template: { ...template, spec: { ...template.spec, nodeSelector } } };
    const path = await file('zonal.json', { ...batch, spec: zonal });
    expect(await json('--add', path)).toMatchObject({ placed: 0, failed: 1 });
    await createNodeClass(cluster().client, 'us-west-2b');
    expect(await json('--add', path)).toMatchObject({ placed: 1, nodes: 1 });
  });

  it('needs only the right to list what every plan reads, and notes the rest', async () => {
    const readable = ['nodes', 'pods', 'namespaces', 'persistentvolumeclaims', 'persistentvolumes'];
    const rules = [
      { apiGroups: [''], resources: readable, verbs: ['list'] },
      { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['list'] },
      { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['list'] },
      { apiGroups: ['storage.k8s.io'], resources: ['*'], verbs: ['list'] },
      { apiGroups: ['karpenter.sh'], resources: ['nodepools', 'nodeclaims'], verbs: ['list'] },
    ];
    const user = await cluster().userWith('reader', rules);
    const { code, out, err } = await cluster().run(['simulate', '-o', 'json'], user);
    expect({ code, price: JSON.parse(out).price.now }).toEqual({ code: 0, price: 1.152 });
    const notes = err.trimEnd().split('\n');
    expect(notes).toHaveLength(3);
    for (const [index, resource] of ['nodeoverlays', 'capacitybuffers', 'ec2nodeclasses'].entries())
      expect(notes[index]).toMatch(
        new RegExp(`^karpenter: note: cannot list ${resource}\\..*; planned as if there were none$`),
      );
  });

  it('names the permission that is missing', async () => {
    const user = await cluster().userWith('nobody', []);
    expect(await cluster().run(['simulate'], user)).toEqual({
      code: 1,
      out: '',
      err: 'karpenter: cannot list nodes: the user of this context may not; bind it to a ClusterRole with the verb list on nodes\n',
    });
  });
}
