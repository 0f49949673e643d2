import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import { uuid } from './identifiers.ts';
import type { EventCode, Instance, InstanceStateName } from './instance.ts';
import type { CloudWorld } from './world.ts';

/** An EventBridge event without its envelope. */
interface Notice {
  readonly source: string;
  readonly detailType: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Sends to the interruption queues what EventBridge sends, in its envelope. */
export class Notices {
  readonly #world: CloudWorld;
  readonly #clock: Clock;
  readonly #chance: Chance;

  constructor(world: CloudWorld, clock: Clock, chance: Chance) {
    this.#world = world;
    this.#clock = clock;
    this.#chance = chance;
  }

  stateChanged(instance: Instance, state: InstanceStateName): void {
    this.#aboutInstance('EC2 Instance State-change Notification', instance, { state });
  }

  spotInterruption(instance: Instance): void {
    this.#aboutInstance('EC2 Spot Instance Interruption Warning', instance, {
      'instance-action': 'terminate',
    });
  }

  reservationInterruption(instance: Instance): void {
    this.#aboutInstance('EC2 Capacity Reservation Instance Interruption Warning', instance, {
      'instance-action': 'terminate',
    });
  }

  rebalance(instance: Instance): void {
    this.#aboutInstance('EC2 Instance Rebalance Recommendation', instance, {});
  }

  scheduledChange(instance: Instance, code: EventCode, description: string): void {
    const { region, accountId } = this.#world;
    const eventTypeCode = `AWS_EC2_${code.replaceAll('-', '_').toUpperCase()}_SCHEDULED`;
    this.#send({
      source: 'aws.health',
      detailType: 'AWS Health Event',
      resources: [instance.id],
      detail: {
        eventArn: `arn:aws:health:${region}::event/EC2/${eventTypeCode}/${uuid(this.#chance)}`,
        service: 'EC2',
        eventTypeCode,
        eventTypeCategory: 'scheduledChange',
        // AWS Health writes times like HTTP headers, unlike all other events.
        startTime: new Date(this.#clock.now()).toUTCString(),
        eventDescription: [{ language: 'en_US', latestDescription: description }],
        affectedEntities: [{ entityValue: instance.id }],
        affectedAccount: accountId,
      },
    });
  }

  /** Sends any text, as another sender with access to the queue could. */
  sendBody(body: string): void {
    for (const queue of this.#world.queues.values()) queue.send(body);
  }

  #aboutInstance(detailType: string, { id }: Instance, more: Readonly<Record<string, unknown>>): void {
    const { region, accountId } = this.#world;
    const resources = [`arn:aws:ec2:${region}:${accountId}:instance/${id}`];
    this.#send({ source: 'aws.ec2', detailType, resources, detail: { 'instance-id': id, ...more } });
  }

  #send({ source, detailType, resources, detail }: Notice): void {
    const { accountId: account, region } = this.#world;
    const time = `${new Date(this.#clock.now()).toISOString().slice(0, 19)}Z`;
    const id = uuid(this.#chance);
    this.sendBody(
      JSON.stringify({
        version: '0',
        id,
        'detail-type': detailType,
        source,
        account,
        time,
        region,
        resources,
        detail,
      }),
    );
  }
}
