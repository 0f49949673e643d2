import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@karpenter/kube/runtime';
import { AccountFile, createCloud } from '@karpenter/sim/cloud';

// The cost of saving a simulated account with 1,000 instances after one of them has changed, to disk with
// fsync: every call that changes the account waits for one save, shared with all concurrent calls.

const instances = 1_000;
const saves = 40;
const clusterName = 'bench';
const userData = Buffer.from('x'.repeat(2_000)).toString('base64');
const tags = Array.from({ length: 10 }, (_, index) => ({
  Key: `example.com/tag-${index}`,
  Value: 'some value',
}));

async function filled() {
  const faults = { throttling: 'off' };
  const cloud = createCloud({ clock: systemClock, seed: 1, clusterName, faults });
  const { ec2 } = cloud.services;
  const [image] = cloud.world.images.values();
  const subnets = [...cloud.world.subnets.values()].filter(({ isPublic }) => !isPublic);
  for (let index = 0; index < instances; index += 1) {
    await ec2.runInstances({
      ImageId: image.id,
      InstanceType: 'm5.large',
      SubnetId: subnets[index % subnets.length].id,
      UserData: userData,
      MinCount: 1,
      MaxCount: 1,
      TagSpecifications: [{ ResourceType: 'instance', Tags: tags }],
    });
  }
  return cloud;
}

const nodeOf = ({ id, privateDnsName }) => ({
  instanceId: id,
  node: {
    name: privateDnsName,
    labels: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
    capacity: { cpu: '2', memory: '8Gi', pods: '29', 'ephemeral-storage': '20Gi' },
  },
});

export async function run() {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-bench-'));
  const cloud = await filled();
  const all = [...cloud.world.instances.values()];
  const nodes = all.map(nodeOf);
  const file = await AccountFile.read({ directory, clusterName });
  const save = () => file.write({ cloud: cloud.save(), boots: { nodes, failures: [] } });
  await save();
  const cpu = process.cpuUsage();
  const wall = performance.now();
  for (let index = 0; index < saves; index += 1) {
    all[index].tags.set('changed', String(index));
    await save();
  }
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1e3 / saves;
  const wallMs = (performance.now() - wall) / saves;
  const bytes = statSync(file.path).size;
  cloud.stop();
  rmSync(directory, { recursive: true, force: true });
  return {
    exact: {},
    perSecond: { 'saves of 1,000 instances by second of CPU': 1_000 / cpuMs },
    bytes: { 'of the file for each instance': bytes / instances },
    report: `a save of ${instances} instances takes ${wallMs.toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of CPU, ${(bytes / 1e6).toFixed(1)} MB`,
  };
}
