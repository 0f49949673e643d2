import type { Layout } from './layout.ts';

// Feature gates and admission plugins keep their defaults: the control plane decides what production would
// accept.

/**
 * etcd listens on sockets in the private directory, so it needs no port and no other user can reach it. A
 * single member never dials the addresses that it advertises, but it rejects sockets there.
 */
export function etcdFlags({ etcdData, etcdSocket, etcdPeerSocket }: Layout): readonly string[] {
  const unused = 'http://127.0.0.1:1';
  return [
    `--data-dir=${etcdData}`,
    `--listen-client-urls=unix://${etcdSocket}`,
    `--advertise-client-urls=${unused}`,
    `--listen-peer-urls=unix://${etcdPeerSocket}`,
    `--initial-advertise-peer-urls=${unused}`,
    `--initial-cluster=default=${unused}`,
    // The data does not outlive the process, and a single member need not wait a second before it elects
    // itself.
    '--unsafe-no-fsync',
    '--heartbeat-interval=20',
    '--election-timeout=100',
    '--log-level=warn',
  ];
}

export function apiServerFlags(layout: Layout, port: number): readonly string[] {
  return [
    `--etcd-servers=unix://${layout.etcdSocket}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    // The API rejects endpoints on loopback, so the `kubernetes` service has none.
    '--endpoint-reconciler-type=none',
    `--cert-dir=${layout.certificates}`,
    `--token-auth-file=${layout.tokenFile}`,
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${layout.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${layout.serviceAccountKey}`,
  ];
}

export function auditFlags({ auditPolicy, auditLog }: Layout): readonly string[] {
  return [`--audit-policy-file=${auditPolicy}`, `--audit-log-path=${auditLog}`];
}

export function controllerManagerFlags(layout: Layout): readonly string[] {
  return [
    ...clientFlags(layout),
    `--service-account-private-key-file=${layout.serviceAccountKey}`,
    `--root-ca-file=${layout.caFile}`,
  ];
}

export function schedulerFlags(layout: Layout): readonly string[] {
  return clientFlags(layout);
}

/** Client rate limits of a program; defaults to its own. */
export function paceFlags(requestsPerSecond: number | undefined): readonly string[] {
  if (requestsPerSecond === undefined) return [];
  return [`--kube-api-qps=${requestsPerSecond}`, `--kube-api-burst=${2 * requestsPerSecond}`];
}

/** A single instance needs no leader election, and nothing scrapes its metrics, so it gets no port. */
function clientFlags({ kubeconfig }: Layout): readonly string[] {
  return [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
}
