import { type JoinRequest, UnusableUserData } from './join-request.ts';
import { kubeletArguments } from './kubelet-arguments.ts';
import { mimeParts } from './mime.ts';
import { optionsOf, wordsOf } from './words.ts';

const script = '/etc/eks/bootstrap.sh';

/** Reads the user data of Amazon Linux 2: shell scripts, of which the last call of bootstrap.sh decides. */
export function readBootstrapScript(text: string): JoinRequest {
  const parts = mimeParts(text)?.filter(({ contentType }) => contentType === 'text/x-shellscript');
  const scripts = parts?.map(({ body }) => body) ?? [text];
  const lines = scripts.flatMap((body) => body.replaceAll(/\\\r?\n/g, ' ').split('\n'));
  const line = lines.findLast((each) => each.trimStart().startsWith(script));
  if (line === undefined) throw new UnusableUserData(`the user data does not call ${script}`);
  const words = wordsOf(line);
  const options = optionsOf(words);
  return {
    clusterName: words[1] ?? '',
    endpoint: options.get('--apiserver-endpoint') ?? '',
    certificateAuthority: options.get('--b64-cluster-ca') ?? '',
    usesInstanceStorage: options.get('--local-disks') === 'raid0',
    ...kubeletArguments(options.get('--kubelet-extra-args') ?? ''),
  };
}
