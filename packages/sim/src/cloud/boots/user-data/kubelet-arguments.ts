import type { Taint } from '@karpenter/core/values';
import { type KubeletSettings, UnusableUserData } from './join-request.ts';
import { optionsOf, wordsOf } from './words.ts';

export interface KubeletArguments {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly kubelet: KubeletSettings;
}

/**
 * Parses the kubelet command line, as far as it affects the Node. Throws UnusableUserData as the kubelet
 * exits on a bad flag.
 */
export function kubeletArguments(text: string): KubeletArguments {
  const options = optionsOf(wordsOf(text));
  const read = (name: string) => options.get(`--${name}`) ?? '';
  const maxPods = numberOf(read('max-pods'), 'max-pods');
  const podsPerCore = numberOf(read('pods-per-core'), 'pods-per-core');
  return {
    labels: pairsOf(read('node-labels'), '='),
    taints: listOf(read('register-with-taints')).map(taintOf),
    kubelet: {
      ...(maxPods !== undefined && { maxPods }),
      ...(podsPerCore !== undefined && { podsPerCore }),
      systemReserved: pairsOf(read('system-reserved'), '='),
      kubeReserved: pairsOf(read('kube-reserved'), '='),
      evictionHard: pairsOf(read('eviction-hard'), '<'),
    },
  };
}

function numberOf(text: string, name: string): number | undefined {
  if (text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UnusableUserData(`invalid argument "${text}" for "--${name}" flag`);
}

function listOf(text: string): readonly string[] {
  return text.split(',').filter((part) => part !== '');
}

function pairsOf(text: string, separator: '=' | '<'): Record<string, string> {
  return Object.fromEntries(
    listOf(text).map((part) => {
      const at = part.indexOf(separator);
      if (at < 1) throw new UnusableUserData(`"${part}" is not of the form key${separator}value`);
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** `key=value:Effect`, or `key:Effect`. */
export function taintOf(text: string): Taint {
  const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(text) ?? [];
  if (key === undefined || effect === undefined || !effects.includes(effect)) {
    throw new UnusableUserData(`invalid taint spec: ${text}`);
  }
  return { key, ...(value !== undefined && value !== '' && { value }), effect };
}
