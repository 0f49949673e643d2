import type { PersistentVolume, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { planAttachments } from './plan-attachments.ts';

const volume = (name: string): PersistentVolume => ({
  metadata: { name },
  spec: { csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${name}` } },
});
const pod = (name: string, phase = 'Running'): Pod => ({ metadata: { name }, status: { phase } });
const volumesOf = ({ metadata }: Pod) => [volume(metadata?.name ?? '')];

describe('the volumes of a node', () => {
  it('are attached once while pods use them and detached afterwards', () => {
    const first = planAttachments({
      nodeName: 'n',
      pods: [pod('a'), pod('b'), pod('a')],
      volumesOf,
      attachments: [],
    });
    expect(first.attach.map(({ spec }) => spec.source.persistentVolumeName)).toEqual(['a', 'b']);
    expect(new Set(first.attach.map(({ metadata }) => metadata?.name)).size).toBe(2);

    const later = planAttachments({
      nodeName: 'n',
      pods: [pod('a'), pod('b', 'Succeeded')],
      volumesOf,
      attachments: first.attach,
    });
    expect(later.attach).toEqual([]);
    expect(later.detach.map(({ spec }) => spec.source.persistentVolumeName)).toEqual(['b']);
  });
});
