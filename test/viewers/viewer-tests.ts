import { expect, it } from 'vitest';
import { commandCluster, type ViewedServer } from '../live-commands/command-cluster.ts';
import { createSmallPod, createViewedObjects, expectedHourly, viewedNodes } from './karpenter-objects.ts';

/** Registers the tests of `view` and `cost` on an API server on which nothing else runs. */
export function viewerTests(start: () => Promise<ViewedServer>): void {
  const cluster = commandCluster(start);
  const run = (args: readonly string[], user?: object) => cluster().run(args, user);
  const json = async (...args: readonly string[]) => JSON.parse((await run([...args, '-o', 'json'])).out);

  it('show a cluster without nodes and without Karpenter, and say nothing about that', async () => {
    expect(await run(['view'])).toEqual({
      code: 0,
      out: '0 nodes  cpu 0/0 0.0%\n0 pods (0 pending 0 running 0 bound)\n\nNo nodes found.\n',
      err: '',
    });
    expect(await json('cost')).toMatchObject({
      hourly: 0,
      nodes: 0,
      consolidationSkipped: expect.any(String),
    });
    await createViewedObjects(cluster().client);
  });

  it('show every node once, also those without a provider ID and those that have not joined', async () => {
    const { nodes } = await json('view');
    const names = nodes.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual([...viewedNodes.map(({ metadata }) => metadata?.name), 'i-new'].sort());
    expect(nodes).toContainEqual(
      expect.objectContaining({
        name: 'i-new',
        nodeClaim: 'default-new',
        phase: 'registering',
        isReady: false,
      }),
    );
  });

  it('price nodes by label first, then by the catalogue, and Windows and unknown types not at all', async () => {
    const { nodes, totals } = await json('view');
    const prices = Object.fromEntries(
      nodes.map(({ name, price }: { name: string; price?: { hourly: number } }) => [name, price?.hourly]),
    );
    expect(prices).toEqual({
      'spot-1': 0.152026,
      'demand-1': 0.34,
      'managed-1': 0.096,
      'i-new': 0.17,
      'windows-1': undefined,
      'bare-1': undefined,
      'bare-2': undefined,
    });
    expect(totals.hourly).toBeCloseTo(expectedHourly, 9);
    expect(totals.unpricedNodes).toBe(3);
  });

  it('show v1 disruption taints as cordoned, and why a node is kept', async () => {
    const { nodes } = await json('view');
    expect(nodes).toContainEqual(
      expect.objectContaining({
        name: 'spot-1',
        isCordoned: true,
        keptReason: "Can't remove without creating 4 candidates",
      }),
    );
  });

  it('count only pods of the selected nodes', async () => {
    const { totals } = await json('view', '--node-selector', 'karpenter.sh/nodepool=default');
    expect(totals).toMatchObject({ nodes: 3, pods: { total: 4, running: 4, bound: 4 } });
  });

  it('print a row for each node as CSV, with single-dash flags', async () => {
    const { out } = await run(['view', '-resources=cpu,memory', '-o', 'csv', '-disable-pricing']);
    const [header, ...rows] = out.trimEnd().split('\r\n');
    expect(header).toContain('cpu-requested,cpu-allocatable,memory-requested,memory-allocatable');
    expect(header).not.toContain('hourly');
    expect(rows).toHaveLength(7);
  });

  it('add up costs to the cent by every grouping, with an independent sum of prices', async () => {
    const report = await json('cost', '--no-consolidation');
    const sum = (groups: readonly { readonly hourly: number }[]) =>
      groups.reduce((total, { hourly }) => total + hourly, 0);
    expect(report.hourly).toBeCloseTo(expectedHourly, 9);
    for (const grouping of ['nodepool', 'capacity-type', 'zone', 'instance-type'])
      expect(sum(report.by[grouping])).toBeCloseTo(expectedHourly, 9);
    for (const grouping of ['namespace', 'workload'])
      expect(sum([...report.by[grouping], report.daemons, report.waste])).toBeCloseTo(expectedHourly, 9);
    expect(report.by.workload.map(({ name }: { name: string }) => name).sort()).toEqual([
      'default/Deployment/web',
      'shop/StatefulSet/db',
    ]);
  });

  it('print figures that add up as printed', async () => {
    const { out } = await run(['cost', '--by', 'namespace', '--by', 'nodepool', '--no-consolidation']);
    for (const table of out.split('\n\n').filter((text) => /^(NAMESPACE|NODEPOOL)/.test(text))) {
      const cents = table
        .split('\n')
        .filter((line) => /\d\.\d{4} /.test(line))
        .map((line) =>
          Math.round(Number(/\d+\.\d{4} +([\d,]+\.\d{2})/.exec(line)?.[1]?.replace(',', '')) * 100),
        );
      expect(cents.slice(0, -1).reduce((total, each) => total + each, 0)).toBe(cents.at(-1));
      expect(cents.at(-1)).toBe(Math.round(expectedHourly * 730 * 100));
    }
  });

  it('find what consolidation could still save: the empty node goes', async () => {
    const { consolidation } = await json('cost');
    expect(consolidation).toEqual({ hourly: 0.34, deleted: 1, replaced: 0, candidates: 1 });
  });

  it('find what consolidation could still save: a node with one small pod is replaced', async () => {
    await createSmallPod(cluster().client, 'demand-1');
    const { consolidation } = await json('cost');
    expect(consolidation).toMatchObject({ deleted: 0, replaced: 1, candidates: 1 });
    expect(consolidation.hourly).toBeGreaterThan(0.2);
    expect(consolidation.hourly).toBeLessThan(0.34);
  });

  it('write nothing', async () => {
    const { counting } = cluster();
    const before = counting.reads();
    await run(['view', '--columns', 'name,usage,kept']);
    await run(['cost']);
    expect(counting.reads()).toBeGreaterThan(before);
    expect(counting.writes()).toBe(0);
  });

  it('name the permission that is missing', async () => {
    const user = await cluster().userWith('nobody', []);
    for (const command of ['view', 'cost'])
      expect(await run([command], user)).toEqual({
        code: 1,
        out: '',
        err: 'karpenter: cannot list nodes: the user of this context may not; bind it to a ClusterRole with the verb list on nodes\n',
      });
  });

  it('show nodes and pods to those who may read no more, and say what is left out', async () => {
    const rules = [{ apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] }];
    const user = await cluster().userWith('viewer', rules);
    const readable = () => run(['view', '--columns', 'name,kept'], user);
    await expect.poll(async () => (await readable()).code, { timeout: 20_000 }).toBe(0);
    const { out, err } = await readable();
    expect(out).toContain('spot-1');
    for (const resource of ['nodeclaims.karpenter.sh', 'nodepools.karpenter.sh', 'events'])
      expect(err).toContain(`karpenter: note: cannot list ${resource}: the user of this context may not`);
    const cost = await run(['cost'], user);
    expect(cost.code).toBe(0);
    expect(cost.out).toContain('Consolidation was not looked at: cannot list ');
  });

  it('find what consolidation could save without the right to list overlays and buffers, and note that', async () => {
    const rules = [
      { apiGroups: [''], resources: ['*'], verbs: ['list'] },
      { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['list'] },
      { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['list'] },
      { apiGroups: ['storage.k8s.io'], resources: ['*'], verbs: ['list'] },
      { apiGroups: ['karpenter.sh'], resources: ['nodepools', 'nodeclaims'], verbs: ['list'] },
    ];
    const user = await cluster().userWith('planner', rules);
    const cost = () => run(['cost', '-o', 'json'], user);
    await expect
      .poll(async () => JSON.parse((await cost()).out || '{}').consolidation, { timeout: 20_000 })
      .toMatchObject({ replaced: 1, candidates: 1 });
    const notes = (await cost()).err.trimEnd().split('\n');
    expect(
      notes.map((note) => /cannot list (\w+)\..*; planned as if there were none$/.exec(note)?.[1]),
    ).toEqual(['nodeoverlays', 'capacitybuffers', 'ec2nodeclasses']);
  });

  it('save as much by consolidation as simulate --consolidate does', async () => {
    const { consolidation } = await json('cost');
    const simulated = await json('simulate', '--consolidate');
    expect(simulated.consolidation.hourlySavings).toBeCloseTo(consolidation.hourly, 6);
    expect(simulated.consolidation.candidates).toBe(consolidation.candidates);
  });
}
