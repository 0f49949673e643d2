import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CodedError } from '@karpenter/core/errors';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNamespace, sharedControlPlane } from './shared-control-plane.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const patience = { timeout: 30_000, interval: 50 };

type Remains = Pick<ControlPlane, 'directory' | 'programs' | 'url'>;

/** A zombie still has its process id, but does not run any more. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!existsSync('/proc/self/stat')) return true;
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function remainsOf({ directory, programs }: Remains): readonly string[] {
  const running = programs.filter(({ pid }) => isRunning(pid)).map(({ name }) => name);
  return existsSync(directory) ? [...running, directory] : running;
}

const pod = {
  metadata: { name: 'lonely' },
  spec: { containers: [{ name: 'main', image: 'registry.invalid/main:1' }] },
};

describe('the shared control plane', () => {
  it('is Kubernetes 1.36.1', async () => {
    const answer = await sharedControlPlane().request('GET', '/version');

    expect(answer).toMatchObject({ status: 200, body: { gitVersion: 'v1.36.1', major: '1', minor: '36' } });
  });

  it('works with kubectl of the same release', async () => {
    const { code, stdout, stderr } = await sharedControlPlane().kubectl(['version', '--output=json']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      clientVersion: { gitVersion: 'v1.36.1' },
      serverVersion: { gitVersion: 'v1.36.1' },
    });
  });

  it('passes standard input through kubectl to the API server', async () => {
    const plane = sharedControlPlane();
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'piped' } });

    const { stdout } = await plane.kubectl(['create', '--dry-run=server', '--output=name', '-f', '-'], {
      input,
    });

    expect(stdout).toBe('configmap/piped\n');
  });

  it('reports the exit code and the error output of kubectl', async () => {
    const { code, stderr } = await sharedControlPlane().kubectl(['get', 'node', 'absent']);

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('"absent" not found') });
  });

  it('rejects an unknown token', async () => {
    const answer = await sharedControlPlane().request('GET', '/api/v1/nodes', undefined, {
      authorization: 'Bearer unknown',
    });

    expect(answer).toMatchObject({ status: 401, body: { reason: 'Unauthorized' } });
  });

  it('authorizes with RBAC', async () => {
    const answer = await sharedControlPlane().request('GET', '/api/v1/nodes', undefined, {
      'impersonate-user': 'somebody',
    });

    expect(answer).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  });

  it('marks a pod unschedulable if it fits on no node', async () => {
    const plane = sharedControlPlane();
    const pods = `/api/v1/namespaces/${await createNamespace(plane)}/pods`;

    // Other tests have nodes in this cluster.
    const demanding = { ...pod, spec: { ...pod.spec, nodeSelector: { 'test.example/nowhere': 'true' } } };
    expect(await plane.request('POST', pods, demanding)).toMatchObject({ status: 201 });

    await expect
      .poll(() => plane.request('GET', `${pods}/lonely`), patience)
      .toMatchObject({
        body: {
          status: {
            phase: 'Pending',
            conditions: [
              {
                type: 'PodScheduled',
                status: 'False',
                reason: 'Unschedulable',
              },
            ],
          },
        },
      });
  });

  it('creates the pods of a Deployment', async () => {
    const plane = sharedControlPlane();
    const namespace = await createNamespace(plane);
    const labels = { app: 'web' };

    await plane.request('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: pod.spec },
      },
    });

    const ownedByReplicaSet = { metadata: { labels, ownerReferences: [{ kind: 'ReplicaSet' }] } };
    await expect
      .poll(() => plane.request('GET', `/api/v1/namespaces/${namespace}/pods`), patience)
      .toMatchObject({ body: { items: [ownedByReplicaSet, ownedByReplicaSet] } });
  });
});

describe('a control plane of one test', () => {
  it('leaves neither processes nor files after it is stopped, even twice', async () => {
    const plane = await startControlPlane();
    onTestFinished(plane.stop);
    expect(remainsOf(plane)).toEqual([
      'etcd',
      'kube-apiserver',
      'kube-scheduler',
      'kube-controller-manager',
      plane.directory,
    ]);

    await Promise.all([plane.stop(), plane.stop()]);

    expect(remainsOf(plane)).toEqual([]);
    await expect(plane.request('GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
  });

  it('runs only the requested components', async () => {
    const plane = await startControlPlane({ components: [] });
    onTestFinished(plane.stop);

    expect(plane.programs.map(({ name }) => name)).toEqual(['etcd', 'kube-apiserver']);
    expect(await plane.request('GET', '/readyz')).toEqual({ status: 200, body: 'ok' });
  });

  it('uses another port if a process took the first one meanwhile', async () => {
    const { binary: kube } = sharedControlPlane();
    const binary = await fakeBinary(`
      if [ "$1" = kube-apiserver ] && mkdir "$0.tried"; then
        set -- "$@" --secure-port=${new URL(sharedControlPlane().url).port}
      fi
      exec "${kube}" "$@"`);

    const plane = await startControlPlane({ binary, components: [] });
    onTestFinished(plane.stop);

    expect(existsSync(`${binary}.tried`)).toBe(true);
    expect(await plane.request('GET', '/readyz')).toEqual({ status: 200, body: 'ok' });
  });

  it('leaves neither processes nor files after its test process is killed', async () => {
    await promisify(execFile)(join(repository, 'node_modules/.bin/tsc'), ['-b', 'packages/testkit'], {
      cwd: repository,
    });
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', ownerProgram], {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void owner.kill('SIGKILL'));
    const plane = await announcedBy(owner);
    expect(remainsOf(plane)).toHaveLength(5);

    owner.kill('SIGKILL');

    await expect.poll(() => remainsOf(plane), patience).toEqual([]);
  });
});

describe('a control plane that cannot start', () => {
  it('names the program and shows the end of its log', async () => {
    const binary = await fakeBinary('echo "$1: no luck today"; exit 3');

    const failure = await startControlPlane({ binary }).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(CodedError);
    expect(failure).toMatchObject({
      code: 'control-plane-not-started',
      message:
        'cannot start a control plane: etcd exited with code 3 before it was ready; its log ends with:\n' +
        'etcd: no luck today',
    });
  });

  it('says how long it waited in vain', async () => {
    const binary = await fakeBinary('cat');

    await expect(startControlPlane({ binary, readyWithinMs: 100 })).rejects.toMatchObject({
      code: 'control-plane-not-started',
      message: expect.stringContaining('etcd was not ready within 0.1 s'),
    });
  });

  it('kills a program that ignores SIGTERM, and removes its files', async () => {
    const binary = await fakeBinary('trap "" TERM; echo $$ > "$0.pid"; pwd > "$0.directory"; read -r line');

    await expect(startControlPlane({ binary, readyWithinMs: 1000 })).rejects.toThrow('etcd was not ready');

    expect(isRunning(Number(readFileSync(`${binary}.pid`, 'utf8')))).toBe(false);
    expect(existsSync(readFileSync(`${binary}.directory`, 'utf8').trim())).toBe(false);
  });

  it('reports that its binary cannot be run', async () => {
    await expect(startControlPlane({ binary: join(tmpdir(), 'absent') })).rejects.toMatchObject({
      code: 'control-plane-not-started',
      message: expect.stringContaining('etcd could not run: spawn'),
    });
  });
});

const ownerProgram = `
import { startControlPlane } from '@karpenter/testkit/control-plane';
const { directory, programs, url } = await startControlPlane();
console.log(JSON.stringify({ directory, programs, url }));
`;

async function announcedBy({ stdout }: ChildProcess): Promise<Remains> {
  if (stdout === null) throw new Error('the process that owns a control plane has no output');
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line);
  throw new Error('the process that owns a control plane ended without one');
}

async function fakeBinary(script: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'fake-kube-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'kube');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}
