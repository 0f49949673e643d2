import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addNodes, type RunningCluster, startEmbedded, startReal } from '../clients/running-clusters.ts';
import { type Helm, helmFor } from './helm.ts';

const shop = fileURLToPath(new URL('./shop', import.meta.url));
const definitions = fileURLToPath(new URL('../../charts/karpenter-crd', import.meta.url));
const patience = ['--wait', '--wait-for-jobs', '--timeout=240s'];

const clusters: readonly (readonly [string, () => Promise<RunningCluster>])[] = [
  ['the embedded server', startEmbedded],
  ['a real API server', startReal],
];

describe.each(clusters)('Helm on %s', (_, start) => {
  let cluster: RunningCluster;
  let helm: Helm;

  beforeAll(async () => {
    cluster = await start();
    await addNodes(cluster);
    helm = await helmFor(cluster.kubeconfigPath);
  }, 120_000);

  afterAll(async () => {
    await helm.close();
    await cluster.stop();
  }, 60_000);

  const get = async (namespace: string, ...args: readonly string[]): Promise<string> => {
    const { stdout } = await cluster.kubectl(['get', `--namespace=${namespace}`, ...args]);
    return stdout;
  };
  const image = (namespace: string) =>
    get(namespace, 'deployment/corner', '-o', 'jsonpath={.spec.template.spec.containers[0].image}');

  it('installs, upgrades, rolls back and uninstalls', async () => {
    const place = '--namespace=life';

    const notes = await helm('install', 'corner', shop, place, '--create-namespace', ...patience);
    expect(notes).toContain('corner sells 1 on v1.36.1.');
    expect(JSON.parse(await helm('status', 'corner', place, '-o', 'json'))).toMatchObject({
      info: { status: 'deployed' },
      version: 1,
    });
    expect(await get('life', 'deployment/corner', '-o', 'jsonpath={.status.readyReplicas}')).toBe('2');
    expect(await get('life', 'gadget/corner', '-o', 'jsonpath={.spec.size}')).toBe('2');
    expect(await get('life', 'job/corner-migration', '-o', 'jsonpath={.status.succeeded}')).toBe('1');
    const password = await get('life', 'secret/corner', '-o', 'jsonpath={.data.password}');
    expect(password).not.toBe('');

    await helm('upgrade', 'corner', shop, place, '--set', 'tag=2,replicas=1', ...patience);
    expect(await image('life')).toBe('shop:2');
    expect(await get('life', 'gadget/corner', '-o', 'jsonpath={.spec.size}')).toBe('1');
    expect(await get('life', 'secret/corner', '-o', 'jsonpath={.data.password}')).toBe(password);

    await helm('rollback', 'corner', '1', place, ...patience);
    expect(await image('life')).toBe('shop:1');
    const history: readonly unknown[] = JSON.parse(await helm('history', 'corner', place, '-o', 'json'));
    expect(history).toMatchObject([
      { revision: 1, status: 'superseded', description: 'Install complete' },
      { revision: 2, status: 'superseded', description: 'Upgrade complete' },
      { revision: 3, status: 'deployed', description: 'Rollback to 1' },
    ]);
    expect(await helm('get', 'manifest', 'corner', place)).toContain('image: shop:1');
    expect(await helm('get', 'values', 'corner', place, '--revision=2')).toContain('tag: 2');
    expect(await helm('list', place, '--short')).toBe('corner\n');

    await helm('uninstall', 'corner', place, ...patience.filter((flag) => flag !== '--wait-for-jobs'));
    expect(await get('life', 'deployment,service,secret,gadget', '-o', 'name')).toBe('');
    expect(await get('life', 'crd/gadgets.shop.example.com', '-o', 'name')).toContain('gadgets.shop');
  });

  it('shows the result of a dry run on the server', async () => {
    const place = ['--namespace=plan', '--create-namespace'];
    await helm('install', 'corner', shop, ...place);

    const plan = await helm(
      'upgrade',
      'corner',
      shop,
      '--namespace=plan',
      '--dry-run=server',
      '--set',
      'tag=7',
    );

    expect(plan).toContain('image: shop:7');
    expect(plan).toContain(await get('plan', 'secret/corner', '-o', 'jsonpath={.data.password}'));
    expect(await image('plan')).toBe('shop:1');
  });

  it('rolls back a failed upgrade', async () => {
    const place = '--namespace=failure';
    await helm('install', 'corner', shop, place, '--create-namespace', ...patience);

    const upgrade = helm(
      'upgrade',
      'corner',
      shop,
      place,
      '--set',
      'replicas=0',
      '--atomic',
      '--timeout=240s',
    );

    await expect(upgrade).rejects.toThrow('should be greater than or equal to 1');
    expect(await helm('history', 'corner', place, '--max=1')).toContain('Rollback to 1');
    expect(await get('failure', 'gadget/corner', '-o', 'jsonpath={.spec.size}')).toBe('2');
  });

  it('rejects a second release of the same name', async () => {
    await helm('install', 'corner', shop, '--namespace=twice', '--create-namespace');

    await expect(helm('install', 'corner', shop, '--namespace=twice')).rejects.toThrow('still in use');
  });

  it('installs and upgrades the definitions of Karpenter', async () => {
    const place = '--namespace=karpenter';
    await helm(
      'install',
      'definitions',
      definitions,
      place,
      '--create-namespace',
      '--wait',
      '--timeout=240s',
    );
    await helm('upgrade', 'definitions', definitions, place, '--wait', '--timeout=240s');

    expect(await get('karpenter', 'crd', '-o', 'name')).toContain('nodepools.karpenter.sh');
    expect(await helm('list', place, '--short')).toBe('definitions\n');
    // Deleted, not gone: kube-apiserver now and then takes minutes to finish the deletion of a definition that is new.
    await helm('uninstall', 'definitions', place);
    const listed = await get('karpenter', 'crd', '-o', 'json');
    const { items }: { items: readonly { metadata: Record<string, string> }[] } = JSON.parse(listed);
    const kept = items.filter(({ metadata }) => metadata['deletionTimestamp'] === undefined);
    expect(
      kept.map(({ metadata }) => metadata['name']).filter((name) => name?.includes('karpenter')),
    ).toEqual([]);
  });
});
