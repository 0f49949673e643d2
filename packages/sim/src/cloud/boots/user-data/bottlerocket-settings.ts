import { parse, TomlError } from 'smol-toml';
import { type JoinRequest, UnusableUserData } from './join-request.ts';
import { taintOf } from './kubelet-arguments.ts';
import { numberAt, type Tree, textAt, textsAt, treeAt } from './tree.ts';

/** Reads the user data of Bottlerocket: settings in TOML. */
export function readBottlerocketSettings(text: string): JoinRequest {
  const settings = treeAt(parsed(text), 'settings');
  const kubernetes = treeAt(settings, 'kubernetes');
  if (Object.keys(kubernetes).length === 0) {
    throw new UnusableUserData('the user data has no settings.kubernetes');
  }
  const maxPods = numberAt(kubernetes, 'max-pods');
  return {
    clusterName: textAt(kubernetes, 'cluster-name'),
    endpoint: textAt(kubernetes, 'api-server'),
    certificateAuthority: textAt(kubernetes, 'cluster-certificate'),
    labels: textsAt(kubernetes, 'node-labels'),
    taints: taintsOf(treeAt(kubernetes, 'node-taints')),
    kubelet: {
      ...(maxPods !== undefined && { maxPods }),
      systemReserved: textsAt(kubernetes, 'system-reserved'),
      kubeReserved: textsAt(kubernetes, 'kube-reserved'),
      evictionHard: textsAt(kubernetes, 'eviction-hard'),
    },
    usesInstanceStorage: JSON.stringify(settings['bootstrap-commands'] ?? {}).includes('ephemeral-storage'),
  };
}

function parsed(text: string): Tree {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new UnusableUserData(`the user data is not TOML: ${problem} at line ${error.line}`);
  }
}

/** Bottlerocket writes taints by key, each with one `value:Effect` or a list of them. */
function taintsOf(taints: Tree) {
  return Object.entries(taints).flatMap(([key, written]) => {
    const each = Array.isArray(written) ? written : [written];
    return each.map((text) => taintOf(`${key}=${String(text)}`));
  });
}
