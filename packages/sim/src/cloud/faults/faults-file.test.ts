import { describe, expect, it } from 'vitest';
import { noFaults } from './faults.ts';
import { parseFaults } from './faults-file.ts';

describe('a faults file', () => {
  it('is read with durations, shares and defaults', () => {
    const text = `
latency: 50ms
slow:
- {call: 'ec2:*', by: 2s}
errors:
- {call: 'ec2:CreateFleet', code: InternalError, status: 500, chance: 0.1, times: 3}
deny: ['iam:*']
lostReplies:
- call: ec2:CreateFleet
throttling:
  ec2:describe: {burst: 10, perSecond: 0.5}
consistency: {describe: 2s}
capacity:
- {types: m5.*, zones: us-west-2a, depth: 0}
quotas: {spotVcpus: 64}
spot: {interruptionsPerHour: 0.2, serviceLinkedRole: missing}
boots: {delay: 1m, failing: 0.05}
`;
    expect(parseFaults(text)).toEqual({
      latency: 50,
      slow: [{ call: 'ec2:*', by: 2_000 }],
      errors: [
        {
          call: 'ec2:CreateFleet',
          code: 'InternalError',
          message: 'simulated InternalError',
          status: 500,
          chance: 0.1,
          times: 3,
        },
      ],
      deny: ['iam:*'],
      lostReplies: [{ call: 'ec2:CreateFleet', chance: 1, times: Number.POSITIVE_INFINITY }],
      throttling: { 'ec2:describe': { burst: 10, perSecond: 0.5 } },
      consistency: { describe: 2_000, profile: 0 },
      capacity: [{ types: 'm5.*', zones: 'us-west-2a', capacityTypes: '*', depth: 0 }],
      quotas: { ...noFaults.quotas, spotVcpus: 64 },
      spot: { ...noFaults.spot, interruptionsPerHour: 0.2, serviceLinkedRole: 'missing' },
      boots: { ...noFaults.boots, delay: 60_000, failing: 0.05 },
    });
  });

  it('may be JSON, may switch throttling off, may be empty', () => {
    expect(parseFaults('{"throttling": "off"}')).toEqual({ throttling: 'off' });
    expect(parseFaults('throttling: off')).toEqual({ throttling: 'off' });
    expect(parseFaults('')).toEqual({});
  });

  it.each([
    ['lag: 2s', 'f.yaml: lag is not known; use one of latency, slow, errors'],
    ['latency: fast', 'f.yaml: latency: "fast" is not a duration; write a duration such as 500ms, 30s or 2m'],
    ['latency: -1s', 'f.yaml: latency: "-1s" is not a duration; '],
    ['errors: {}', 'f.yaml: errors: {} is not a list; write a list with one entry for each fault'],
    ['errors: [{call: x}]', 'f.yaml: errors[0].code is missing and has to be a text; '],
    [
      'errors: [{call: x, code: y, chance: 2}]',
      'f.yaml: errors[0].chance: 2 is not a share; write a number from 0 to 1',
    ],
    ['deny: ec2:*', 'f.yaml: deny: "ec2:*" is not a list of texts; '],
    ['capacity: [{depth: -1}]', 'f.yaml: capacity[0].depth: -1 is not a whole number; write 0 or more'],
    ['throttling: {ec2: {}}', 'f.yaml: throttling.ec2 is not known; use one of ec2:describe, '],
    [
      'spot: {serviceLinkedRole: gone}',
      'f.yaml: spot.serviceLinkedRole: "gone" is not one of present, missing; ',
    ],
    ['[]', 'f.yaml: [] is not a table of settings; write keys and values'],
    ['a: [', 'f.yaml: is neither YAML nor JSON: '],
    ['['.repeat(100_000), 'f.yaml: is neither YAML nor JSON: it is nested too deeply; '],
  ])('throws one sentence for a mistake: %s', (text, message) => {
    expect(() => parseFaults(text, 'f.yaml')).toThrow(message);
  });
});
