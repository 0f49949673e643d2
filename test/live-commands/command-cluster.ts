import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@karpenter/cli';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { afterAll, beforeAll } from 'vitest';
import { type CountingServer, type ServerBehind, startCountingServer } from '../viewers/counting-server.ts';

export interface ViewedServer extends ServerBehind {
  stop(): Promise<void>;
}

/** What a command printed and its exit code. */
export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** An API server for the commands of one test file: a client with all rights, and a kubeconfig for the commands. */
export class CommandCluster {
  readonly client: KubeClient;
  /** Every request of the commands goes through it. */
  readonly counting: CountingServer;
  readonly directory: string;
  readonly #server: ViewedServer;

  private constructor(server: ViewedServer, counting: CountingServer, directory: string) {
    this.#server = server;
    this.counting = counting;
    this.directory = directory;
    const credentials = tokenCredentials(server.token);
    this.client = connect({ server: server.url, ca: server.caPem, credentials });
  }

  static async on(server: ViewedServer): Promise<CommandCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'karpenter-commands-'));
    return new CommandCluster(server, await startCountingServer(server), directory);
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.counting.close();
    await this.#server.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  async file(name: string, content: unknown): Promise<string> {
    const path = join(this.directory, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** A kubeconfig with one context, `main`. */
  kubeconfig(user: object = {}): Promise<string> {
    return this.file('kubeconfig', {
      'current-context': 'main',
      clusters: [{ name: 'main', cluster: { server: this.counting.url } }],
      users: [{ name: 'main', user }],
      contexts: [{ name: 'main', context: { cluster: 'main', user: 'main' } }],
    });
  }

  /** Runs a command on this cluster, with all rights unless a user is given. */
  async run(args: readonly string[], user: object = {}): Promise<CommandOutcome> {
    return runCommand([...args, '--kubeconfig', await this.kubeconfig(user)]);
  }

  /** A user with a token of a new account with these rights. */
  async userWith(name: string, rules: readonly object[]): Promise<{ readonly token: string }> {
    const namespace = 'default';
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await this.client.create(kinds.serviceAccount, { metadata: { name, namespace } });
    await this.client.request('POST', `${rbac}/clusterroles`, { metadata: { name }, rules });
    await this.client.request('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
    const { status } = (await this.client.request(
      'POST',
      `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } },
    )) as { status: { token: string } };
    return { token: status.token };
  }
}

/** Registers the start and the end of a cluster for the tests of a file; call the result inside a test. */
export function commandCluster(start: () => Promise<ViewedServer>): () => CommandCluster {
  let cluster: CommandCluster;
  beforeAll(async () => {
    cluster = await CommandCluster.on(await start());
  });
  afterAll(() => cluster.stop());
  return () => cluster;
}

/** Runs a command in this process. */
export async function runCommand(args: readonly string[]): Promise<CommandOutcome> {
  const texts = { out: '', err: '' };
  const code = await main([...args], {
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
  });
  return { code, ...texts };
}
