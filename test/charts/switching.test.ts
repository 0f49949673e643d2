import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addNodes, type RunningCluster, startReal } from '../clients/running-clusters.ts';
import { expectSuccess } from '../cluster/shared-control-plane.ts';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';

const karpenterLayout = fileURLToPath(new URL('./karpenter-layout', import.meta.url));
const inPlace = ['--namespace=kube-system'];
const patience = ['--wait', '--timeout=120s'];
const releases =
  'deployments,services,serviceaccounts,poddisruptionbudgets,roles,rolebindings,clusterroles,clusterrolebindings';
const definitions = ['nodepools.karpenter.sh', 'nodeclaims.karpenter.sh', 'ec2nodeclasses.karpenter.k8s.aws'];

let cluster: RunningCluster;
let helm: Helm;

beforeAll(async () => {
  cluster = await startReal();
  await addNodes(cluster);
  helm = await helmFor(cluster.kubeconfigPath);
}, 180_000);
afterAll(async () => {
  await helm.close();
  await cluster.stop();
}, 60_000);
beforeEach(() =>
  helm('install', 'karpenter', karpenterLayout, ...inPlace, ...patience, '--set=settings.clusterName=shop'),
);
afterEach(() => helm('uninstall', 'karpenter', ...inPlace, ...patience));

const output = async (args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await cluster.kubectl(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};
/** Kind, name and uid of every object of the release. */
const identities = async () => {
  const selector = '--selector=app.kubernetes.io/instance=karpenter';
  const columns = '-o=jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid}{"\\n"}{end}';
  return (await output(['get', releases, ...inPlace, selector, columns])).trim().split('\n').sort();
};
const image = () =>
  output(['get', 'deployment/karpenter', ...inPlace, '-o=jsonpath={..containers[0].image}']);
const ready = () =>
  output(['get', 'deployment/karpenter', ...inPlace, '-o=jsonpath={.status.readyReplicas}']);

describe('a release of Karpenter’s chart on a real API server', () => {
  it.each([
    ['its values', ['--set=settings.clusterName=shop']],
    ['--reuse-values', ['--reuse-values', '--set=controller.image.repository=ours,controller.image.tag=v1']],
    ['--reset-then-reuse-values', ['--reset-then-reuse-values']],
  ])('is upgraded to ours with %s and back, and no object is created again', async (_, flags) => {
    const before = await identities();
    expect(before).toHaveLength(13);
    await helm('upgrade', 'karpenter', chartPaths.karpenter, ...inPlace, ...patience, ...flags);
    expect(await identities()).toEqual(before);
    expect(await ready()).toBe('2');
    expect(await image()).not.toContain('public.ecr.aws/karpenter');

    const back = ['--reset-values', '--set=settings.clusterName=shop'];
    await helm('upgrade', 'karpenter', karpenterLayout, ...inPlace, ...patience, ...back);
    expect(await identities()).toEqual(before);
    expect(await image()).toBe('public.ecr.aws/karpenter/controller:1.14.1');
  });

  it('goes back with helm rollback too', async () => {
    const before = await identities();
    await helm(
      'upgrade',
      'karpenter',
      chartPaths.karpenter,
      ...inPlace,
      ...patience,
      '--reset-then-reuse-values',
    );
    await helm('rollback', 'karpenter', ...inPlace, ...patience);
    expect(await identities()).toEqual(before);
    expect(await ready()).toBe('2');
  });

  it('lets karpenter-crd take over definitions that no chart owns, and keeps their objects', async () => {
    await expectSuccess(cluster.kubectl(['create', '-f', `${chartPaths.karpenter}/crds`]));
    const wait = ['wait', '--for=condition=Established', '--timeout=30s', 'crd', ...definitions];
    await expectSuccess(cluster.kubectl(wait));
    await helm(
      'install',
      'pools',
      chartPaths.nodePools,
      ...inPlace,
      '--set=clusterName=shop',
      '--set-json=nodeClasses={"default":{}}',
    );
    const stored = [
      'get',
      'ec2nodeclass/default',
      ...definitions.map((name) => `crd/${name}`),
      '-o=jsonpath={..uid}',
    ];
    const before = await output(stored);

    const install = ['upgrade', '--install', 'karpenter-crd', chartPaths.definitions, ...inPlace];
    await expect(helm(...install)).rejects.toThrow('invalid ownership metadata');
    await helm(...install, '--take-ownership');
    expect(await output(stored)).toBe(before);
  });
});
