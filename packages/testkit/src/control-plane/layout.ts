import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of one control plane, in one directory that only this user can read. */
export interface Layout {
  readonly directory: string;
  readonly etcdData: string;
  readonly etcdSocket: string;
  readonly etcdPeerSocket: string;
  readonly certificates: string;
  /** kube-apiserver writes it on start: its certificate, then the CA that it generated. */
  readonly caFile: string;
  readonly tokenFile: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly kubeconfig: string;
  readonly auditPolicy: string;
  readonly auditLog: string;
  readonly token: string;
}

/** Creates the directory and every file that must exist before the programs start. */
export async function createLayout(): Promise<Layout> {
  // A short name, because the whole path of a socket is limited to about 100 characters.
  const directory = await mkdtemp(join(tmpdir(), 'karpenter-kube-'));
  const layout = layoutIn(directory, randomBytes(24).toString('hex'));
  // Elliptic-curve keys: unlike RSA keys they take no noticeable time to generate.
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await mkdir(layout.certificates);
  await writeFile(layout.tokenFile, `${layout.token},admin,admin,"system:masters"\n`);
  await writeFile(layout.serviceAccountKey, privateKey);
  await writeFile(layout.serviceAccountPublicKey, publicKey);
  return layout;
}

function layoutIn(directory: string, token: string): Layout {
  const certificates = join(directory, 'certificates');
  return {
    directory,
    etcdData: join(directory, 'etcd'),
    etcdSocket: join(directory, 'etcd.sock'),
    etcdPeerSocket: join(directory, 'peer.sock'),
    certificates,
    caFile: join(certificates, 'apiserver.crt'),
    tokenFile: join(directory, 'tokens.csv'),
    serviceAccountKey: join(directory, 'service-account.key'),
    serviceAccountPublicKey: join(directory, 'service-account.pub'),
    kubeconfig: join(directory, 'kubeconfig'),
    auditPolicy: join(directory, 'audit-policy.json'),
    auditLog: join(directory, 'audit.log'),
    token,
  };
}

/** A kubeconfig in JSON, which is valid YAML for kubectl and client libraries. */
export function kubeconfigText({ url, caPem, token }: Readonly<Record<'url' | 'caPem' | 'token', string>>) {
  const name = 'test';
  const certificate = Buffer.from(caPem).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': certificate } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

/** A policy that records what one user requested and how it was decided, and nothing of the objects. */
export function auditPolicyText(user: string): string {
  return JSON.stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', users: [user] }, { level: 'None' }],
  });
}
