import { dirname } from 'node:path';
import { type ApiResponse, apiRequest } from './api-request.ts';
import { type KubectlCall, type KubectlResult, runKubectl } from './kubectl.ts';

/**
 * Everything needed to reach a control plane, as plain data that can be passed between processes and threads.
 */
export interface ControlPlaneConnection {
  readonly url: string;
  readonly caPem: string;
  /** Token of the user `admin` in the group `system:masters`. */
  readonly token: string;
  readonly kubeconfigPath: string;
  readonly binary: string;
}

type KubectlOptions = Pick<KubectlCall, 'input' | 'editor'>;

export interface ControlPlaneClient extends ControlPlaneConnection {
  /** Runs kubectl of the same release; resolves for any exit code. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Resolves for any status. Sends the body as JSON; the headers replace the default ones. */
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
