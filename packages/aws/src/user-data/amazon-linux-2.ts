import { isIPv4 } from 'node:net';
import type { Bootstrap } from './bootstrap.ts';
import { kubeletArguments } from './kubelet-arguments.ts';
import { contentTypes, formatMime, isMime, type MimePart, parseMime, partOf } from './mime.ts';

/** MIME message with the bootstrap script last, so that custom parts can prepare the node for it. */
export function amazonLinux2UserData(bootstrap: Bootstrap): string {
  return formatMime([
    ...customParts(bootstrap.customUserData ?? ''),
    partOf(contentTypes.shell, script(bootstrap)),
  ]);
}

function customParts(text: string): readonly MimePart[] {
  if (text === '') return [];
  return isMime(text) ? parseMime(text) : [partOf(contentTypes.shell, text)];
}

function script(bootstrap: Bootstrap): string {
  return [
    '#!/bin/bash -xe',
    'exec > >(tee /var/log/user-data.log|logger -t user-data -s 2>/dev/console) 2>&1',
    [command(bootstrap), ...options(bootstrap)].join(' \\\n'),
  ].join('\n');
}

function command({ cluster: { name, endpoint, caBundle } }: Bootstrap): string {
  const certificates = caBundle === undefined ? '' : ` --b64-cluster-ca '${caBundle}'`;
  return `/etc/eks/bootstrap.sh '${name}' --apiserver-endpoint '${endpoint}'${certificates}`;
}

/**
 * Options of bootstrap.sh. `--use-max-pods false` stops it from computing maxPods, which kubelet flags set.
 */
function options(bootstrap: Bootstrap): readonly string[] {
  const [dns] = bootstrap.kubelet?.clusterDNS ?? [];
  return [
    ...(dns !== undefined && !isIPv4(dns) ? ['--ip-family ipv6'] : []),
    ...(dns === undefined ? [] : [`--dns-cluster-ip '${dns}'`]),
    ...(bootstrap.kubelet?.maxPods === undefined ? [] : ['--use-max-pods false']),
    `--kubelet-extra-args '${kubeletArguments(bootstrap)}'`,
    ...(bootstrap.instanceStorePolicy === 'RAID0' ? ['--local-disks raid0'] : []),
  ];
}
