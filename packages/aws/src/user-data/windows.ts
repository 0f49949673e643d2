import type { Bootstrap } from './bootstrap.ts';
import { kubeletArguments } from './kubelet-arguments.ts';

/** PowerShell that runs the user's script, then the EKS bootstrap script. */
export function windowsUserData(bootstrap: Bootstrap): string {
  const custom = bootstrap.customUserData ?? '';
  return [
    '<powershell>',
    ...(custom === '' ? [] : [custom]),
    '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
    command(bootstrap),
    '</powershell>',
  ].join('\n');
}

function command(bootstrap: Bootstrap): string {
  const { name, endpoint, caBundle } = bootstrap.cluster;
  const [dns] = bootstrap.kubelet?.clusterDNS ?? [];
  const parameters = [
    `-EKSClusterName '${name}'`,
    `-APIServerEndpoint '${endpoint}'`,
    ...(caBundle === undefined ? [] : [`-Base64ClusterCA '${caBundle}'`]),
    `-KubeletExtraArgs '${kubeletArguments(bootstrap)}'`,
    ...(dns === undefined ? [] : [`-DNSClusterIP '${dns}'`]),
  ];
  return `& $EKSBootstrapScriptFile ${parameters.join(' ')}`;
}
