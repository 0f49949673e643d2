import { readFileSync } from 'node:fs';
import { parseDuration } from '@karpenter/core/values';
import { expect, it } from 'vitest';
import { podAnnotations } from './pod-timetable.ts';
import { defaultPodDelays } from './simulated-node.ts';

const page = readFileSync(new URL('../../../../docs/simulated-cloud.md', import.meta.url), 'utf8');

it.each(Object.entries(podAnnotations))(
  'docs/simulated-cloud.md has %s (%s) with its default',
  (name, annotation) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${annotation}\` |`)) ?? '';
    const fallback = /\| `([^`]+)` \|$/.exec(row)?.[1] ?? '';
    const delay = Object.entries(defaultPodDelays).find(([step]) => step === name)?.[1];
    if (delay === undefined) expect(fallback).toBe('0');
    else expect(parseDuration(fallback)).toBe(BigInt(delay) * 1_000_000n);
  },
);
