import { describe, expect, it } from 'vitest';
import { parseSchedulerConfig } from './scheduler-config.ts';

const zoneSpread = {
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'ScheduleAnyway',
};
const config = (...defaultConstraints: readonly unknown[]) => ({ podTopologySpread: { defaultConstraints } });
const path = 'scheduler-config: podTopologySpread.defaultConstraints';

describe('parseSchedulerConfig', () => {
  it.each([undefined, null, {}, { podTopologySpread: {} }, { podTopologySpread: null }])(
    'is empty for %j',
    (value) => {
      expect(parseSchedulerConfig(value)).toEqual({ defaultConstraints: [] });
    },
  );

  it('returns the constraints unchanged', () => {
    const hostSpread = {
      ...zoneSpread,
      topologyKey: 'kubernetes.io/hostname',
      nodeTaintsPolicy: 'Honor',
      minDomains: 2,
    };
    expect(parseSchedulerConfig(config(zoneSpread, hostSpread))).toEqual({
      defaultConstraints: [zoneSpread, hostSpread],
    });
  });

  it('allows one key with both whenUnsatisfiable values', () => {
    const strict = { ...zoneSpread, whenUnsatisfiable: 'DoNotSchedule' };
    expect(parseSchedulerConfig(config(zoneSpread, strict)).defaultConstraints).toHaveLength(2);
  });

  it.each([
    ['text', 'scheduler-config: the whole value is not an object'],
    [{ profiles: [] }, 'scheduler-config: the whole value has the unknown field "profiles"'],
    [{ podTopologySpread: [] }, 'scheduler-config: podTopologySpread is not an object'],
    [{ podTopologySpread: { defaultConstraints: {} } }, `${path} is not a list`],
    [config(1), `${path}[0] is not an object`],
    [config({ ...zoneSpread, maxSkew: 0 }), `${path}[0].maxSkew is not a whole number greater than 0`],
    [config({ ...zoneSpread, topologyKey: '' }), `${path}[0].topologyKey is not the key of a node label`],
    [
      config({ ...zoneSpread, whenUnsatisfiable: 'Never' }),
      `${path}[0].whenUnsatisfiable is not DoNotSchedule or ScheduleAnyway`,
    ],
    [
      config({ ...zoneSpread, minDomains: 1.5 }),
      `${path}[0].minDomains is not a whole number greater than 0`,
    ],
    [
      config({ ...zoneSpread, nodeAffinityPolicy: 'No' }),
      `${path}[0].nodeAffinityPolicy is not Honor or Ignore`,
    ],
    [
      config({ ...zoneSpread, labelSelector: {} }),
      `${path}[0].labelSelector must not be set, since it is taken from the pod`,
    ],
    [
      config({ ...zoneSpread, matchLabelKeys: [] }),
      `${path}[0].matchLabelKeys must not be set, since it is taken from the pod`,
    ],
    [config({ ...zoneSpread, weight: 1 }), `${path}[0] has the unknown field "weight"`],
    [
      config(zoneSpread, zoneSpread),
      `${path}[1] repeats topologyKey and whenUnsatisfiable of an earlier one`,
    ],
  ])('rejects %j', (value, message) => {
    expect(() => parseSchedulerConfig(value)).toThrow(
      expect.objectContaining({ code: 'invalid-setting', message }),
    );
  });

  it('reports every problem', () => {
    expect(() => parseSchedulerConfig(config({ maxSkew: 1 }))).toThrow(
      `${path}[0].topologyKey is not the key of a node label; ${path}[0].whenUnsatisfiable is not DoNotSchedule or ScheduleAnyway`,
    );
  });
});
