import { Requirements, Vocabulary } from '@karpenter/core/requirements';
import { seeded } from './harness/random.mjs';

// Requirement sets of 1,000 instance types against 100 sets of pods and NodePools.

const aws = (name) => `karpenter.k8s.aws/${name}`;
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c', 'us-east-1d'];
const sizes = ['large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '12xlarge', '16xlarge', '24xlarge'];
const cpus = [2, 4, 8, 16, 32, 48, 64, 96];
const categories = ['c', 'm', 'r', 'g', 'i', 't', 'x'];
const optionalKeys = [
  'instance-gpu-name',
  'instance-gpu-manufacturer',
  'instance-gpu-count',
  'instance-gpu-memory',
  'instance-accelerator-name',
  'instance-accelerator-manufacturer',
  'instance-accelerator-count',
  'instance-local-nvme',
].map(aws);

/** One synthetic family per category, generation and variant, labelled as the AWS provider does. */
function families() {
  const variants = ['', 'a', 'g', 'i', 'n', 'd'];
  return categories.flatMap((category) =>
    [4, 5, 6, 7].flatMap((generation) => variants.map((variant) => ({ category, generation, variant }))),
  );
}

function typeItems({ category, generation, variant }, size, random) {
  const cpu = cpus[sizes.indexOf(size)];
  const family = `${category}${generation}${variant}`;
  const gpu = category === 'g';
  const values = {
    'node.kubernetes.io/instance-type': `${family}.${size}`,
    'kubernetes.io/arch': variant === 'g' ? 'arm64' : 'amd64',
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/region': 'us-east-1',
    [aws('instance-family')]: family,
    [aws('instance-category')]: category,
    [aws('instance-generation')]: String(generation),
    [aws('instance-size')]: size,
    [aws('instance-cpu')]: String(cpu),
    [aws('instance-cpu-manufacturer')]: { g: 'aws', a: 'amd' }[variant] ?? 'intel',
    [aws('instance-memory')]: String(cpu * 1024 * ({ c: 2, r: 8, x: 16 }[category] ?? 4)),
    [aws('instance-ebs-bandwidth')]: String(cpu * 600),
    [aws('instance-network-bandwidth')]: String(cpu * (variant === 'n' ? 1500 : 390)),
    [aws('instance-hypervisor')]: 'nitro',
    [aws('instance-encryption-in-transit-supported')]: String(generation > 5),
    ...(variant === 'd' ? { [aws('instance-local-nvme')]: String(cpu * 37) } : {}),
    ...(gpu
      ? {
          [aws('instance-gpu-name')]: 't4',
          [aws('instance-gpu-manufacturer')]: 'nvidia',
          [aws('instance-gpu-count')]: String(Math.max(1, cpu >> 5)),
          [aws('instance-gpu-memory')]: '16384',
        }
      : {}),
  };
  return [
    ...Object.entries(values).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...optionalKeys.filter((key) => !(key in values)).map((key) => ({ key, operator: 'DoesNotExist' })),
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: random.some(zones, 0.8) },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand', 'spot'] },
    { key: aws('instance-tenancy'), operator: 'In', values: ['dedicated', 'default'] },
  ];
}

/** Combined requirements of a pod and its NodePool, with the frequencies that we have seen in clusters. */
function incomingItems(random) {
  const bound = (key, operator, choices) => ({
    key: aws(key),
    operator,
    values: [String(random.pick(choices))],
  });
  const choices = [
    [
      0.9,
      () => ({ key: 'kubernetes.io/arch', operator: 'In', values: random.some(['amd64', 'arm64'], 0.7) }),
    ],
    [0.9, () => ({ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] })],
    [0.5, () => ({ key: 'topology.kubernetes.io/zone', operator: 'In', values: random.some(zones, 0.4) })],
    [
      0.6,
      () => ({
        key: 'karpenter.sh/capacity-type',
        operator: 'In',
        values: random.some(['on-demand', 'spot'], 0.6),
      }),
    ],
    [0.7, () => ({ key: aws('instance-category'), operator: 'In', values: random.some(categories, 0.6) })],
    [0.6, () => bound('instance-generation', 'Gt', [3, 4, 5])],
    [0.2, () => ({ key: aws('instance-cpu'), operator: 'In', values: random.some(cpus.map(String), 0.5) })],
    [0.2, () => bound('instance-cpu', 'Lt', [33, 64, 97])],
    [0.2, () => bound('instance-memory', 'Gte', [4096, 16384])],
    [
      0.2,
      () => ({ key: aws('instance-family'), operator: 'NotIn', values: ['m5', 'c5', 't4', 'x4g', 'zz9'] }),
    ],
    [0.2, () => ({ key: aws('instance-hypervisor'), operator: 'In', values: ['nitro'] })],
    [0.1, () => ({ key: aws('instance-local-nvme'), operator: 'Exists' })],
    [0.1, () => ({ key: aws('instance-gpu-count'), operator: 'DoesNotExist' })],
    [0.3, () => ({ key: 'team', operator: 'In', values: [random.pick(['a', 'b', 'c'])] })],
  ];
  const asked = choices.filter(([probability]) => random.chance(probability)).map(([, item]) => item());
  return [...asked, { key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] }];
}

export function workload() {
  const random = seeded(2_026);
  const vocabulary = new Vocabulary();
  const types = families()
    .flatMap((family) => sizes.map((size) => typeItems(family, size, random)))
    .slice(0, 1_000)
    .map((items) => Requirements.fromItems(vocabulary, items));
  const incoming = Array.from({ length: 100 }, () =>
    Requirements.fromItems(vocabulary, incomingItems(random)),
  );
  const wellKnown = vocabulary.keySet([...types[0].keys().map(({ name }) => name), 'karpenter.sh/nodepool']);
  return { types, incoming, wellKnown };
}

/** Pairs of requirements on one key, from the sets above. */
function singles({ types, incoming }) {
  return incoming.flatMap((set) =>
    set.entries.flatMap((b) => types.slice(0, 50).map((type) => [type.find(b.key), b])).filter(([a]) => a),
  );
}

const countPairs = (types, incoming, test) => () => {
  let matches = 0;
  for (const b of incoming) for (const a of types) if (test(a, b)) matches++;
  return matches;
};

export function run({ rate, bytesEach }) {
  const work = workload();
  const { types, incoming, wellKnown } = work;
  const pairs = types.length * incoming.length;
  const intersect = countPairs(types, incoming, (a, b) => a.intersects(b));
  const compatible = countPairs(types, incoming, (a, b) => a.compatible(b, wellKnown));
  const both = singles(work);
  const left = both.map(([a]) => a);
  const right = both.map(([, b]) => b);
  const single = () => {
    let matches = 0;
    for (let i = 0; i < left.length; i++) if (left[i].intersects(right[i])) matches++;
    return matches;
  };
  const joinTo = (few) => () => {
    let changed = 0;
    for (const b of incoming) for (const a of few) if (a.and(b) !== a) changed++;
    return changed;
  };
  const join = joinTo(types.slice(0, 100));
  // Few enough that no collection runs while bytes are counted.
  const joinFew = joinTo(types.slice(0, 1));
  return {
    exact: {
      'keys per type': types.reduce((sum, { size }) => sum + size, 0) / types.length,
      'pairs that intersect %': (100 * intersect()) / pairs,
      'pairs that are compatible %': (100 * compatible()) / pairs,
      'single pairs': left.length,
      'single pairs that intersect': single(),
      'sets that change when joined %': join() / 100,
    },
    perSecond: {
      'single requirements intersected': rate(single, left.length),
      'sets intersected': rate(intersect, pairs),
      'sets checked for compatibility': rate(compatible, pairs),
      'sets joined': rate(join, 10_000),
    },
    bytes: {
      'per set intersected': bytesEach(intersect, pairs),
      'per set checked for compatibility': bytesEach(compatible, pairs),
      'per set joined': bytesEach(joinFew, 100),
    },
  };
}
