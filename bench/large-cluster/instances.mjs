/** The instances, identical for the account that has them and for the cluster whose nodes they are. */
export const nodePoolCount = 20;

const zones = ['us-west-2a', 'us-west-2b', 'us-west-2c'];

/** One in ten has a type for which a cheaper one exists. */
const types = [
  { name: 'm7i-flex.2xlarge', family: 'm7i-flex', generation: '7' },
  { name: 'm6i.2xlarge', family: 'm6i', generation: '6' },
];

export const nodePoolName = (index) => `pool-${index % nodePoolCount}`;

export function instanceAt(index) {
  const { name: type, family, generation } = types[index % 10 === 3 ? 1 : 0];
  return {
    id: `i-0${index.toString(16).padStart(16, '0')}`,
    type,
    family,
    generation,
    zone: zones[index % zones.length],
    nodePool: nodePoolName(index),
    name: `${nodePoolName(index)}-${index.toString(36).padStart(5, 'x')}`,
    // Addresses that the subnets of the account do not assign to new instances.
    nodeName: `ip-172-16-${index >> 8}-${index & 0xff}.us-west-2.compute.internal`,
  };
}
