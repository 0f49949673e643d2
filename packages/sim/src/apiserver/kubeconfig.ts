export interface KubeconfigFacts {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  /** Name of the context, the cluster and the user. */
  readonly name: string;
}

/** A kubeconfig with one context, which authenticates with the token. */
export function kubeconfigText({ url, caPem, token, name }: KubeconfigFacts): string {
  const certificate = Buffer.from(caPem).toString('base64');
  return [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${name}`,
    'clusters:',
    `  - name: ${name}`,
    '    cluster:',
    `      server: ${url}`,
    `      certificate-authority-data: ${certificate}`,
    'users:',
    `  - name: ${name}`,
    '    user:',
    `      token: ${token}`,
    'contexts:',
    `  - name: ${name}`,
    '    context:',
    `      cluster: ${name}`,
    `      user: ${name}`,
    '',
  ].join('\n');
}
