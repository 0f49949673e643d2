import { claim, node } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { hasLostInstance } from './lost-instance.ts';

const registered = claim('a', { providerID: 'cloud://a', conditions: ['Launched', 'Registered'] });

function nodeWith(status: 'True' | 'False' | 'Unknown') {
  const { status: shown, ...rest } = node('a');
  return { ...rest, status: { ...shown, conditions: [{ type: 'Ready', status }] } };
}

const isLost = (parts: Partial<Parameters<typeof hasLostInstance>[0]> = {}) =>
  hasLostInstance({ claim: registered, nodes: [nodeWith('Unknown')], instances: new Set(), ...parts });

describe('the instance of a claim is gone', () => {
  it('when the cloud does not list it and its Node is not ready, missing or one of several', () => {
    expect(isLost()).toBe(true);
    expect(isLost({ nodes: [nodeWith('False')] })).toBe(true);
    expect(isLost({ nodes: [] })).toBe(true);
    expect(isLost({ nodes: [nodeWith('True'), nodeWith('True')] })).toBe(true);
  });

  it('but not while the cloud lists it, or its only Node is ready', () => {
    expect(isLost({ instances: new Set(['cloud://a']) })).toBe(false);
    expect(isLost({ nodes: [nodeWith('True')] })).toBe(false);
  });

  it('but not for a claim that is being deleted or never registered', () => {
    const { metadata } = registered;
    const deleted = { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(isLost({ claim: { ...registered, metadata: deleted } })).toBe(false);
    expect(isLost({ claim: claim('a', { providerID: 'cloud://a', conditions: ['Launched'] }) })).toBe(false);
  });
});
