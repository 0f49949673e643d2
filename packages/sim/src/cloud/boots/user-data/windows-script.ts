import { type JoinRequest, UnusableUserData } from './join-request.ts';
import { kubeletArguments } from './kubelet-arguments.ts';
import { optionsOf, wordsOf } from './words.ts';

/**
 * Reads the user data of Windows: a PowerShell block, of which the last call of the bootstrap script decides.
 */
export function readWindowsScript(text: string): JoinRequest {
  const [, block] = /<powershell>(.*?)<\/powershell>/is.exec(text) ?? [];
  const line = block
    ?.split(/\r?\n/)
    .findLast((each) => /^\s*&\s*(\$EKSBootstrapScriptFile|.*Start-EKSBootstrap)/.test(each));
  if (line === undefined) throw new UnusableUserData('the user data does not call Start-EKSBootstrap.ps1');
  const options = optionsOf(wordsOf(line));
  return {
    clusterName: options.get('-EKSClusterName') ?? '',
    endpoint: options.get('-APIServerEndpoint') ?? '',
    certificateAuthority: options.get('-Base64ClusterCA') ?? '',
    usesInstanceStorage: false,
    ...kubeletArguments(options.get('-KubeletExtraArgs') ?? ''),
  };
}
