import { unregisteredTaint } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Bootstrap } from './bootstrap.ts';
import { bottlerocketUserData } from './bottlerocket.ts';
import { parseMime } from './mime.ts';
import { userDataFor } from './user-data.ts';

const base: Bootstrap = {
  cluster: { name: 'dev', endpoint: 'https://dev.example', caBundle: 'Y2E=', cidr: '10.100.0.0/16' },
  kubelet: { maxPods: 10, clusterDNS: ['10.100.0.10'] },
  labels: { team: 'a' },
  taints: [unregisteredTaint],
};
const bottlerocket = (customUserData: string, change: Partial<Bootstrap> = {}) =>
  bottlerocketUserData({ ...base, ...change, customUserData });

describe('custom user data', () => {
  it.each([
    ['AL2', '#!/bin/bash\n\necho hi\n'],
    ['AL2023', '#!/bin/bash\n\necho hi\n'],
    ['AL2023', 'kind: NodeConfig\nspec:\n  kubelet: {}\n'],
    ['AL2023', 'Content-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: a/b\n\nx\n\ny\n--B--\n'],
    ['Bottlerocket', '[settings.motd]\ntext = """\na\nb"""\n'],
    ['Custom', 'anything\n\nat all\n'],
    ['Windows2022', 'Write-Host a\nWrite-Host b'],
  ] as const)('of %s loses the carriage returns of %j', (family, written) => {
    const text = userDataFor(family, { ...base, customUserData: written.replaceAll('\n', '\r\n') });
    expect(text).toBe(userDataFor(family, { ...base, customUserData: written }));
    expect(text).not.toContain('\r');
  });
});

it('takes custom user data of AL2023 for a script if it is nested too deeply for a NodeConfig', () => {
  const customUserData = `a: ${'['.repeat(5_000)}`;
  const [first] = parseMime(userDataFor('AL2023', { ...base, customUserData }));
  expect(first).toEqual({
    headers: { 'Content-Type': 'text/x-shellscript; charset="us-ascii"' },
    body: customUserData,
  });
});

describe('user data of AL2', () => {
  it('puts the parts of a custom message first and keeps their headers', () => {
    const customUserData =
      'Content-Type: multipart/mixed; boundary="B"\n\n--B\nX-A: 1\nContent-Type: a/b\n\nx\n--B--\n';
    const [first, second] = parseMime(userDataFor('AL2', { ...base, customUserData }));
    expect(first).toEqual({ headers: { 'Content-Type': 'a/b', 'X-A': '1' }, body: 'x' });
    expect(second?.body).toContain('/etc/eks/bootstrap.sh');
  });

  it('enables IPv6 when the DNS service has an IPv6 address, and sets up RAID0', () => {
    const text = userDataFor('AL2', {
      ...base,
      kubelet: { clusterDNS: ['fd00::a'] },
      instanceStorePolicy: 'RAID0',
    });
    expect(text).toContain(
      "--b64-cluster-ca 'Y2E=' \\\n--ip-family ipv6 \\\n--dns-cluster-ip 'fd00::a' \\\n--kubelet-extra-args '",
    );
    expect(text).toContain("' \\\n--local-disks raid0\n--//--");
  });

  it('leaves out the label flag when there are no labels', () => {
    expect(userDataFor('AL2', { ...base, labels: {} })).toContain(`'--register-with-taints="`);
  });
});

describe('user data of AL2023', () => {
  const configOf = (bootstrap: Bootstrap) =>
    parse(parseMime(userDataFor('AL2023', bootstrap)).at(-1)?.body ?? '');

  it.each([
    ['a NodeConfig', 'kind: NodeConfig\n', 'application/node.eks.aws'],
    ['several documents', 'a: 1\n---\nb: 2\n', 'application/node.eks.aws'],
    ['a script', '#!/bin/bash\necho hi\n', 'text/x-shellscript; charset="us-ascii"'],
    ['a list', '- a\n', 'text/x-shellscript; charset="us-ascii"'],
  ])('detects the type of %s', (_, customUserData, type) => {
    const [part] = parseMime(userDataFor('AL2023', { ...base, customUserData }));
    expect(part).toEqual({ headers: { 'Content-Type': type }, body: customUserData });
  });

  it('keeps only the content types of a custom message', () => {
    const customUserData =
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nX-A: 1\nContent-Type: a/b\n\nx\n--B--\n';
    expect(parseMime(userDataFor('AL2023', { ...base, customUserData }))[0]).toEqual({
      headers: { 'Content-Type': 'a/b' },
      body: 'x',
    });
  });

  it('quotes strings that YAML would read as other types', () => {
    const kubelet = { kubeReserved: { cpu: '1', memory: '1e3', 'ephemeral-storage': '1Gi', pid: '0x10' } };
    const taints = ['true', 'y', '2026-01-02', '007', 'null'].map((value) => ({
      key: 'k',
      value,
      effect: 'NoSchedule',
    }));
    const config = configOf({ ...base, kubelet, taints }).spec.kubelet.config;
    expect(config.kubeReserved).toEqual(kubelet.kubeReserved);
    expect(config.registerWithTaints).toEqual(taints);
    expect(userDataFor('AL2023', { ...base, kubelet })).toContain('cpu: "1"\n');
  });

  it('sets up RAID0 on local disks', () => {
    expect(configOf({ ...base, instanceStorePolicy: 'RAID0' }).spec.instance).toEqual({
      localStorage: { strategy: 'RAID0' },
    });
  });

  it('fails while the service CIDR is unknown', () => {
    const cluster = { ...base.cluster, cidr: undefined };
    expect(() => userDataFor('AL2023', { ...base, cluster })).toThrow(
      expect.objectContaining({ code: 'unknown-cluster-cidr' }),
    );
  });
});

describe('user data of Bottlerocket', () => {
  it('keeps user settings except taints and cluster settings', () => {
    const text = bottlerocket(
      `top = 1\n[settings.kubernetes]\ncluster-name = 'other'\nmax-pods = 5\n[settings.kubernetes.node-labels]\nteam = 'b'\nrack = '7'\n[settings.kubernetes.node-taints]\nmine = ['x:NoSchedule']\n[settings.ntp]\ntime-servers = ['a']\n`,
    );
    expect(text).toContain(`cluster-name = 'dev'`);
    expect(text).toContain('max-pods = 10\n');
    expect(text).toContain(`[settings.kubernetes.node-labels]\nrack = '7'\nteam = 'a'\n`);
    expect(text).toContain(
      `[settings.kubernetes.node-taints]\n'karpenter.sh/unregistered' = [':NoExecute']\n`,
    );
    expect(text).toContain(`[settings.ntp]\ntime-servers = ['a']\n`);
    expect(text).not.toContain('top');
  });

  it('drops unknown Kubernetes settings and reports them', () => {
    const unknown: string[] = [];
    const customUserData = `[settings.kubernetes]\nnew-thing = 1\n[settings.kubernetes.static-pods.a]\nenabled = true\nextra = 1\n`;
    const text = bottlerocketUserData({ ...base, customUserData }, (path) => unknown.push(path));
    expect(unknown).toEqual(['settings.kubernetes.new-thing', 'settings.kubernetes.static-pods.a.extra']);
    expect(text).toContain(
      '[settings.kubernetes.static-pods]\n[settings.kubernetes.static-pods.a]\nenabled = true\n',
    );
    expect(text).not.toContain('new-thing');
  });

  it.each([
    [`[settings.kubernetes]\nmax-pods = 'ten'`, 'settings.kubernetes.max-pods is a string, not an integer'],
    [
      `[settings.kubernetes.node-labels]\na = 1`,
      'settings.kubernetes.node-labels is a table, not a table of strings',
    ],
    [`settings = 1`, 'settings is not a table'],
    [
      `[settings.kubernetes]\nstatic-pods = { a = 1 }`,
      'settings.kubernetes.static-pods.a is an integer, not a table',
    ],
  ])('rejects %j', (customUserData, problem) => {
    expect(() => bottlerocket(customUserData)).toThrow(`invalid UserData toml: ${problem}`);
  });

  it('groups effects of one taint key', () => {
    const taints = [
      { key: 'a', value: 'x', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoExecute' },
    ];
    expect(bottlerocket('', { taints })).toContain(`a = ['x:NoSchedule', ':NoExecute']\n`);
  });

  it.each([
    ['latest', false],
    ['v1.46.0', false],
    ['1.50.1', false],
    ['v1.45.9', true],
    ['v2', true],
    [undefined, true],
  ])('mounts local disks in release %s, naming directories: %s', (imageVersion, names) => {
    const own = `[settings.bootstrap-commands.mine]\nessential = false\ncommands = [['apiclient']]\nmode = 'off'\n`;
    const text = bottlerocket(own, { instanceStorePolicy: 'RAID0', imageVersion });
    const directories = names ? `, '--dirs', '/var/lib/containerd', '/var/lib/kubelet', '/var/log/pods'` : '';
    expect(text).toContain(
      `[settings.bootstrap-commands]\n[settings.bootstrap-commands.000-mount-instance-storage]\n` +
        `commands = [['apiclient', 'ephemeral-storage', 'init'], ['apiclient', 'ephemeral-storage', 'bind'${directories}]]\n` +
        `mode = 'always'\nessential = true\n\n[settings.bootstrap-commands.mine]\n` +
        `commands = [['apiclient']]\nmode = 'off'\nessential = false\n`,
    );
  });
});

describe('user data of Windows', () => {
  it('ignores the instance store policy', () => {
    expect(userDataFor('Windows2025', { ...base, instanceStorePolicy: 'RAID0' })).toBe(
      userDataFor('Windows2019', base),
    );
  });
});
