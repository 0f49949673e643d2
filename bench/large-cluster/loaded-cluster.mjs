import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ec2NodeClasses } from '@karpenter/aws';
import { installDefinitions } from '@karpenter/cli/embedded';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import { connect, kinds, tokenCredentials } from '@karpenter/kube/client';
import { startOperator } from '../operator/processes.mjs';
import { residentBytes } from '../operator/resident-bytes.mjs';
import { instanceAt, nodePoolCount } from './instances.mjs';
import {
  appCount,
  claimStatus,
  node,
  nodeClaim,
  nodeClass,
  nodePool,
  pod,
  replicaSet,
  runningStatus,
} from './manifests.mjs';
import { like, writeObjects } from './written-objects.mjs';

const serve = fileURLToPath(new URL('../api-server/serve.mjs', import.meta.url));

/**
 * An API server in a separate process with so many nodes, their NodeClaims and running pods, and an AWS
 * account that has the instances.
 */
export async function startLoadedCluster({ nodes, podsPerNode, profile }) {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-bench-'));
  const dataDir = join(directory, 'data');
  const { owners, templates } = await prepared({ directory, dataDir });
  await writeObjects(dataDir, objectsOf({ nodes, podsPerNode, owners, templates }));
  const server = await startServer({ directory, dataDir });
  const operator = await startOperator({
    kubeconfig: server.kubeconfig,
    inherited: nodes,
    measuresDelays: true,
    profile,
  });
  // On EKS they run on other machines. Here they would keep the controllers waiting for a processor.
  for (const pid of [server.pid, operator.accountPid]) setPriority(pid, constants.priority.PRIORITY_LOW);
  return {
    client: server.client,
    owners,
    /** What the processes beside the controllers take. */
    bytesBeside: () => ({
      server: residentBytes(server.pid).peak,
      account: residentBytes(operator.accountPid).peak,
    }),
    startControllers: operator.startControllers,
    async stop() {
      await operator.stop();
      await server.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

async function startServer({ directory, dataDir }) {
  const child = fork(serve, [JSON.stringify({ dataDir })], {
    execArgv: ['--max-old-space-size=8192'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url, caPem, token, kubeconfig: text }] = await once(child, 'message');
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, text, { mode: 0o600 });
  const config = { server: url, ca: caPem, credentials: tokenCredentials(token) };
  const client = connect(config, { qps: 1e6, burst: 1e6 });
  return {
    client,
    kubeconfig,
    pid: child.pid,
    async stop() {
      await client.close();
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

const isReady = ({ status }) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

/** A cluster on which the controllers have already run, with one node and one pod. */
async function prepared({ directory, dataDir }) {
  const server = await startServer({ directory, dataDir });
  const { client } = server;
  await installDefinitions(client);
  await client.create(ec2NodeClasses, nodeClass);
  for (let index = 0; index < nodePoolCount; index += 1) await client.create(nodePools, nodePool(index));
  const operator = await startOperator({ kubeconfig: server.kubeconfig });
  const controllers = await operator.startControllers();
  while (!(await client.list(nodePools)).items.every(isReady)) await sleep(200);
  await controllers.stop();
  await operator.stop();
  const owners = [];
  for (let index = 0; index < appCount; index += 1)
    owners.push(await client.create(kinds.replicaSet, replicaSet(index)));
  const templates = await makeTemplates(client, owners, operator.account.imageId);
  await server.stop();
  return { owners, templates };
}

/** One stored object of each kind. */
async function makeTemplates(client, owners, imageId) {
  const { items: pools } = await client.list(nodePools);
  const uids = new Map(pools.map(({ metadata }) => [metadata.name, metadata.uid]));
  const claim = nodeClaim(0, uids.get(instanceAt(0).nodePool));
  await client.create(nodeClaims, claim);
  return {
    uids,
    imageId,
    node: await client.create(kinds.node, node(0)),
    claim: await setStatus(client, nodeClaims, claim.metadata, claimStatus(0, imageId)),
    pod: await runPod(client, pod(0, owners, instanceAt(0).nodeName)),
  };
}

function* objectsOf({ nodes, podsPerNode, owners, templates }) {
  const { uids, imageId } = templates;
  for (let index = 0; index < nodes; index += 1) {
    const claim = nodeClaim(index, uids.get(instanceAt(index).nodePool));
    yield ['nodes', like(templates.node, node(index))];
    yield [
      'nodeclaims.karpenter.sh',
      like(templates.claim, { ...claim, status: claimStatus(index, imageId) }),
    ];
    for (let n = index * podsPerNode; n < (index + 1) * podsPerNode; n += 1)
      yield ['pods', like(templates.pod, pod(n, owners, instanceAt(index).nodeName))];
  }
}

/** The final state that the scheduler and a kubelet would reach. */
export async function runPod(client, object) {
  await client.create(kinds.pod, object);
  return setStatus(client, kinds.pod, object.metadata, runningStatus);
}

export function setStatus(client, kind, { namespace, name }, status) {
  const key = namespace === undefined ? { name } : { namespace, name };
  return client.patch(kind, key, { type: 'merge', body: { status } }, { subresource: 'status' });
}
