import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterConfig, connect, isForbidden, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectToPlane } from './kube-connection.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'kube-config-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

function client(config: ClusterConfig) {
  const connected = connect(config);
  onTestFinished(() => connected.close());
  return connected;
}

describe('a configuration for a real API server', () => {
  it('comes from a kubeconfig with a token', async () => {
    const config = await loadConfig({ env: { KUBECONFIG: plane.kubeconfigPath } });
    expect(await client(config).request('GET', '/version')).toMatchObject({ major: '1' });
  });

  it('comes from an exec plugin of a kubeconfig', async () => {
    const path = await directory();
    const program = join(path, 'credentials');
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: plane.token },
    };
    await writeFile(
      program,
      `#!/bin/sh\ntest -n "$KUBERNETES_EXEC_INFO" && echo '${JSON.stringify(credential)}'\n`,
    );
    await chmod(program, 0o755);
    const kubeconfig = {
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'me' } }],
      clusters: [
        {
          name: 'here',
          cluster: {
            server: plane.url,
            'certificate-authority-data': Buffer.from(plane.caPem).toString('base64'),
          },
        },
      ],
      users: [
        {
          name: 'me',
          user: {
            exec: {
              apiVersion: credential.apiVersion,
              command: program,
              interactiveMode: 'Never',
              provideClusterInfo: false,
            },
          },
        },
      ],
    };
    const file = join(path, 'kubeconfig');
    await writeFile(file, JSON.stringify(kubeconfig));
    const config = await loadConfig({ kubeconfig: file });
    expect((await client(config).list(kinds.namespace)).items.length).toBeGreaterThan(0);
  });

  it('comes from the service account of a pod, with its permissions', async () => {
    const { client: admin, namespace } = await connectToPlane();
    const answer = await admin.request(
      'POST',
      `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`,
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      },
    );
    const { token } = (answer as { readonly status: { readonly token: string } }).status;
    const path = await directory();
    await Promise.all(
      Object.entries({ token, namespace, 'ca.crt': plane.caPem }).map(([name, text]) =>
        writeFile(join(path, name), text),
      ),
    );
    const { hostname, port } = new URL(plane.url);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const config = await loadConfig({ env, accountDirectory: path });
    expect(config.namespace).toBe(namespace);
    const error: unknown = await client(config)
      .list(kinds.node)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(error).toSatisfy(isForbidden);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        `User "system:serviceaccount:${namespace}:default" cannot list resource "nodes"`,
      ),
    });
  });
});
