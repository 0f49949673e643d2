import { describe, expect, it } from 'vitest';
import { parseMessage } from './interruption-message.ts';
import { responseTo } from './response.ts';

const envelope = {
  version: '0',
  id: 'event-1',
  source: 'aws.ec2',
  account: '123456789012',
  region: 'us-east-1',
  time: '2026-01-01T00:00:10Z',
  resources: [],
};
const at = Date.UTC(2026, 0, 1, 0, 0, 10);

function body(detailType: string, detail: object, more: object = {}): string {
  return JSON.stringify({ ...envelope, 'detail-type': detailType, detail, ...more });
}

const stateChange = (state: unknown) =>
  body('EC2 Instance State-change Notification', { 'instance-id': 'i-1', state });
const health = (detail: object) => body('AWS Health Event', detail, { source: 'aws.health' });
const scheduled = { service: 'EC2', eventTypeCategory: 'scheduledChange' };

describe('a message', () => {
  it.each([
    ['spot_interrupted', 'EC2 Spot Instance Interruption Warning', 'drain'],
    ['rebalance_recommendation', 'EC2 Instance Rebalance Recommendation', 'none'],
    ['capacity_reservation_interrupted', 'EC2 Capacity Reservation Instance Interruption Warning', 'drain'],
  ])('of kind %s is recognized by its type', (kind, detailType, action) => {
    const parsed = parseMessage(body(detailType, { 'instance-id': 'i-1', 'instance-action': 'terminate' }));
    expect(parsed).toEqual({ kind, id: 'event-1', instanceIds: ['i-1'], at });
    expect('kind' in parsed && responseTo(parsed.kind)?.action).toBe(action);
  });

  it.each([
    ['stopping', 'instance_stopped'],
    ['stopped', 'instance_stopped'],
    ['shutting-down', 'instance_terminated'],
    ['terminated', 'instance_terminated'],
    ['Stopped', 'instance_terminated'],
    ['TERMINATED', 'instance_terminated'],
  ])('about the state %s is of kind %s', (state, kind) => {
    expect(parseMessage(stateChange(state))).toEqual({ kind, id: 'event-1', instanceIds: ['i-1'], at });
  });

  it.each(['pending', 'running', 'rebooting', ''])(
    'about the state %j is ignored and has no time',
    (state) => {
      expect(parseMessage(stateChange(state))).toEqual({ kind: 'no_op', id: 'event-1', instanceIds: [] });
    },
  );

  it('about a scheduled change contains every affected instance', () => {
    const affectedEntities = [{ entityValue: 'i-1' }, {}, { entityValue: 'i-2' }];
    expect(parseMessage(health({ ...scheduled, affectedEntities }))).toEqual({
      kind: 'scheduled_change',
      id: 'event-1',
      instanceIds: ['i-1', 'i-2'],
      at,
    });
  });

  it.each([
    { ...scheduled, service: 'RDS' },
    { ...scheduled, eventTypeCategory: 'issue' },
  ])('about other health events is ignored: %j', (detail) => {
    expect(parseMessage(health(detail))).toMatchObject({ kind: 'no_op', instanceIds: [] });
  });

  it.each([
    ['an empty body', ''],
    ['no fields', '{}'],
    [
      'another version',
      body('EC2 Instance Rebalance Recommendation', { 'instance-id': 'i-1' }, { version: '1' }),
    ],
    ['another source', body('EC2 Instance Rebalance Recommendation', {}, { source: 'aws.s3' })],
    ['an unhandled type', body('EC2 AMI State Change', { state: 'available' })],
  ])('with %s is ignored', (_, text) => {
    expect(parseMessage(text)).toMatchObject({ kind: 'no_op', instanceIds: [] });
  });

  it.each([
    ['no body', undefined, 'the message has no body'],
    ['a body that breaks off', stateChange('stopped').slice(0, -5), 'the body is not JSON'],
    ['a list', '[]', 'the body is not an object'],
    ['a text', '"stopped"', 'the body is not an object'],
    ['null', 'null', 'the body is not an object'],
    ['a state that is no text', stateChange(7), 'state is not a text'],
    ['no instance', body('EC2 Spot Instance Interruption Warning', {}), 'instance-id is missing'],
    [
      'no detail',
      body('EC2 Spot Instance Interruption Warning', {}, { detail: null }),
      'instance-id is missing',
    ],
    [
      'entities that are no list',
      health({ ...scheduled, affectedEntities: {} }),
      'affectedEntities is not a list',
    ],
    ['a time that is none', body('EC2 AMI State Change', {}, { time: 'noon' }), 'time is not a time'],
  ])('with %s is malformed', (_, text, malformed) => {
    expect(parseMessage(text)).toEqual({ malformed });
  });
});

it('terminates instances whose checks fail and drains those with a scheduled event', () => {
  expect(responseTo('instance_status')?.action).toBe('terminate');
  expect(responseTo('system_status')?.action).toBe('terminate');
  expect(responseTo('event_status')?.action).toBe('drain');
  expect(responseTo('no_op')).toBeUndefined();
});
