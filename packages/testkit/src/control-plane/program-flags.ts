import type { Layout } from './layout.ts';

// Feature gates and admission plugins stay at their defaults everywhere: the control plane is here to judge
// what production would accept.

/**
 * etcd talks through sockets in the private directory, so it needs no port and nobody else can reach it. A
 * single member never dials the addresses it advertises, but it refuses sockets there.
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
    // The data does not outlive the process, and a single member need not wait a second to elect itself.
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
    // The API refuses endpoints on loopback, so the `kubernetes` service goes without.
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

/** How fast a program may talk to the API server; defaults to the limits of the program. */
export function paceFlags(requestsPerSecond: number | undefined): readonly string[] {
  if (requestsPerSecond === undefined) return [];
  return [`--kube-api-qps=${requestsPerSecond}`, `--kube-api-burst=${2 * requestsPerSecond}`];
}

/** Alone in its cluster a program has no leader to elect, and nobody asks it for metrics: no port either. */
function clientFlags({ kubeconfig }: Layout): readonly string[] {
  return [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
}
