import { dirname } from 'node:path';
import { type ApiResponse, apiRequest } from './api-request.ts';
import { type KubectlCall, type KubectlResult, runKubectl } from './kubectl.ts';

/** All it takes to talk to a control plane: plain data, so that one process or thread can hand it to another. */
export interface ControlPlaneConnection {
  readonly url: string;
  readonly caPem: string;
  /** Of the user `admin` in the group `system:masters`. */
  readonly token: string;
  readonly kubeconfigPath: string;
  readonly binary: string;
}

export type KubectlOptions = Pick<KubectlCall, 'input' | 'editor'>;

export interface ControlPlaneClient extends ControlPlaneConnection {
  /** Runs the kubectl of the same release; resolves whatever the exit code is. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Resolves whatever the status is. The body goes out as JSON; headers replace the usual ones. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiResponse>;
}

export function connectControlPlane(connection: ControlPlaneConnection): ControlPlaneClient {
  const { url, caPem, token, kubeconfigPath, binary } = connection;
  return {
    ...connection,
    kubectl: (args, options = {}) =>
      runKubectl({ binary, kubeconfigPath, home: dirname(kubeconfigPath), args, ...options }),
    request: (method, path, body, headers) => apiRequest({ url, caPem, token, method, path, body, headers }),
  };
}
