import { describe, expect, it } from 'vitest';
import type { ImageSystem } from '../../world/image.ts';
import { readUserData } from './read-user-data.ts';

const read = (system: ImageSystem, text: string) =>
  readUserData(system, Buffer.from(text).toString('base64'));

const al2 = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
echo hello

--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash -xe
exec > >(tee /var/log/user-data.log|logger -t user-data -s 2>/dev/console) 2>&1
/etc/eks/bootstrap.sh 'prod' --apiserver-endpoint 'https://x' --b64-cluster-ca 'Y2E=' \\
--dns-cluster-ip '172.20.0.10' \\
--use-max-pods false \\
--kubelet-extra-args '--node-labels="karpenter.sh/capacity-type=spot,team=a" --register-with-taints="karpenter.sh/unregistered:NoExecute,dedicated=gpu:NoSchedule" --max-pods=58 --system-reserved="cpu=100m" --eviction-hard="memory.available<5%,nodefs.available<10%"' \\
--local-disks raid0
--//--
`;

const al2023 = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: application/node.eks.aws

apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      maxPods: 5
      podsPerCore: 2

--//
Content-Type: application/node.eks.aws

# Karpenter Generated NodeConfig
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
metadata: {}
spec:
  cluster:
    apiServerEndpoint: https://x
    certificateAuthority: Y2E=
    cidr: 172.20.0.0/16
    name: prod
  containerd: {}
  instance:
    localStorage:
      strategy: RAID0
  kubelet:
    config:
      clusterDNS:
      - 172.20.0.10
      kubeReserved:
        cpu: 200m
      maxPods: 58
      registerWithTaints:
      - effect: NoExecute
        key: karpenter.sh/unregistered
      - effect: NoSchedule
        key: dedicated
        value: gpu
    flags:
    - --node-labels="karpenter.sh/capacity-type=spot,team=a"

--//--
`;

const bottlerocket = `[settings]
motd = "a # sign"
[settings.kubernetes]
api-server = 'https://x'
cluster-certificate = 'Y2E='
cluster-name = 'prod' # ours
max-pods = 58

[settings.kubernetes.node-labels]
'karpenter.sh/capacity-type' = 'spot'
team = 'a'

[settings.kubernetes.node-taints]
dedicated = ['gpu:NoSchedule']
'karpenter.sh/unregistered' = [
  ':NoExecute',
]

[settings.kubernetes.eviction-hard]
'memory.available' = '5%'

[settings.bootstrap-commands.000-mount-instance-storage]
commands = [['apiclient', 'ephemeral-storage', 'init'], ['apiclient', 'ephemeral-storage', 'bind']]
mode = 'always'
essential = true
`;

const windows = `<powershell>
Write-Host "hello"
[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"
& $EKSBootstrapScriptFile -EKSClusterName 'prod' -APIServerEndpoint 'https://x' -Base64ClusterCA 'Y2E=' -KubeletExtraArgs '--node-labels="karpenter.sh/capacity-type=spot,team=a" --register-with-taints="karpenter.sh/unregistered:NoExecute,dedicated=gpu:NoSchedule" --max-pods=58' -DNSClusterIP '172.20.0.10'
</powershell>`;

const cases: readonly [ImageSystem, string][] = [
  ['al2', al2],
  ['al2023', al2023],
  ['bottlerocket', bottlerocket],
  ['windows', windows],
];

describe('user data', () => {
  it.each(cases)('of %s names the cluster, labels, taints and maxPods', (system, text) => {
    const request = read(system, text);
    expect(request).toMatchObject({
      clusterName: 'prod',
      endpoint: 'https://x',
      certificateAuthority: 'Y2E=',
      labels: { 'karpenter.sh/capacity-type': 'spot', team: 'a' },
      kubelet: { maxPods: 58 },
    });
    expect(request.taints).toContainEqual({ key: 'karpenter.sh/unregistered', effect: 'NoExecute' });
    expect(request.taints).toContainEqual({ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' });
    expect(request.taints).toHaveLength(2);
  });

  it('of Amazon Linux 2 sets reserved resources, eviction thresholds and instance storage', () => {
    const { kubelet, usesInstanceStorage } = read('al2', al2);
    expect(kubelet.systemReserved).toEqual({ cpu: '100m' });
    expect(kubelet.evictionHard).toEqual({ 'memory.available': '5%', 'nodefs.available': '10%' });
    expect(usesInstanceStorage).toBe(true);
  });

  it('of Amazon Linux 2023 is merged from all parts; the last wins', () => {
    const { kubelet, usesInstanceStorage, serviceCidr } = read('al2023', al2023);
    expect(kubelet).toMatchObject({ maxPods: 58, podsPerCore: 2, kubeReserved: { cpu: '200m' } });
    expect(usesInstanceStorage).toBe(true);
    expect(serviceCidr).toBe('172.20.0.0/16');
  });

  it('of Amazon Linux 2023 may hold several documents in one part', () => {
    const more =
      '---\napiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {kubelet: {config: {maxPods: 7}}}\n';
    expect(read('al2023', al2023.replace('\n--//--', `${more}\n--//--`)).kubelet.maxPods).toBe(7);
  });

  it('of Bottlerocket sets eviction thresholds and instance storage', () => {
    const { kubelet, usesInstanceStorage } = read('bottlerocket', bottlerocket);
    expect(kubelet.evictionHard).toEqual({ 'memory.available': '5%' });
    expect(usesInstanceStorage).toBe(true);
  });

  it.each(cases)('of %s is understood by a custom image', (_, text) => {
    expect(read('other', text).clusterName).toBe('prod');
  });

  it.each([
    ['al2', ''],
    ['al2', '#!/bin/bash\necho no bootstrap'],
    ['al2', bottlerocket],
    ['al2023', al2],
    ['al2023', 'apiVersion: v1\nkind: Pod'],
    ['al2023', al2023.replace('    cidr: 172.20.0.0/16\n', '')],
    ['al2023', '\tnot: [yaml'],
    ['bottlerocket', al2],
    ['bottlerocket', '[settings\nx = 1'],
    ['bottlerocket', 'x = '],
    ['windows', al2],
    ['other', '#!/bin/bash'],
  ] as const)('throws for %s if it has the wrong format', (system, text) => {
    expect(() => read(system, text)).toThrow(expect.objectContaining({ name: 'UnusableUserData' }));
  });

  it.each(['a = 1\na = 2', 'a = 1\n[a]\nb = 2', 'a = yes', 'just text', 'a = "open'])(
    'of Bottlerocket is refused in one line if it is not TOML: %j',
    (text) => {
      expect(() => read('bottlerocket', text)).toThrow(/^the user data is not TOML: [^\n]+ at line \d+$/);
    },
  );

  it('throws for an invalid taint', () => {
    const broken = al2.replace('dedicated=gpu:NoSchedule', 'dedicated=gpu:Sometimes');
    expect(() => read('al2', broken)).toThrow('invalid taint spec: dedicated=gpu:Sometimes');
  });
});
