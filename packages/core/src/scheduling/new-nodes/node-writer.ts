import { driversOf } from '../devices/index.ts';
import { minValuesShortfalls } from '../instance-types/min-values.ts';
import type { NodeTemplate, TemplateOffer } from '../instance-types/node-template.ts';
import type { RemainingReservations } from '../limits/reservations.ts';
import type { Cost } from '../packing/cost.ts';
import type { PlannedNode } from '../plan-result.ts';
import type { ChoiceExplainer } from '../reasons/choice-explainer.ts';
import type { NodeChoice } from '../reasons/node-choice.ts';
import type { ClaimWriter } from './claim-writer.ts';
import type { NodeDraft } from './node-drafts.ts';
import { maskOf, type NodeLoad, sizeOf } from './node-load.ts';

/** Nodes with the same load. */
export interface DraftedNodes {
  readonly draft: NodeDraft;
  /** What each node was charged against the limits. */
  readonly charged: Float64Array;
  /** Uids, node by node. */
  readonly pods: readonly (readonly string[])[];
}

export interface NodeWriterInputs {
  readonly explainer: ChoiceExplainer;
  readonly writer: ClaimWriter;
  readonly template: NodeTemplate;
  readonly reservations: RemainingReservations;
}

/** Writes the planned nodes of one NodePool, once their offers are final. */
export class NodeWriter {
  readonly #inputs: NodeWriterInputs;
  #price = 0;
  #count = 0;

  constructor(inputs: NodeWriterInputs) {
    this.#inputs = inputs;
  }

  /** Of the nodes written so far, including what they cost besides their instances. */
  get cost(): Cost {
    return { price: this.#price, nodes: this.#count };
  }

  /** Nodes on reservations are written one by one, as each may hold what the earlier ones left; others are equal. */
  write({ draft, pods }: DraftedNodes): readonly PlannedNode[] {
    const { load, offers } = draft;
    const { reservations } = this.#inputs;
    const { reservation } = load;
    if (reservation !== undefined) {
      return pods.flatMap((uids) =>
        this.#nodes([uids], this.#describe(draft, holdReservations(reservations, offers, reservation))),
      );
    }
    return this.#nodes(pods, this.#describe(draft, []));
  }

  #nodes(pods: readonly (readonly string[])[], described: NodeDescription): readonly PlannedNode[] {
    this.#count += pods.length;
    this.#price += pods.length * described.cost;
    return pods.map((uids) => nodeWith(uids, described));
  }

  #describe({ load, requirements, offers: fitting }: NodeDraft, held: readonly string[]): NodeDescription {
    const { writer, template, explainer } = this.#inputs;
    const offers =
      template.reservedOffers.length === 0 ? fitting : fitting.filter((offer) => isOpen(offer, held));
    // As in Karpenter, `minValues` is met by listing types that the node cannot be launched as (ADR 0009).
    const hasMinValues = offers === fitting || minValuesShortfalls(requirements, offers).length === 0;
    const size = sizeOf(load);
    const { contents } = load;
    let choice: NodeChoice | undefined;
    return {
      nodePool: template.name,
      requirements: writer.requirements(requirements, offers, held),
      instanceTypes: writer.instanceTypes(hasMinValues ? offers : [...offers, ...fitting]),
      requests: writer.requests(size, offers),
      price: offers[0]?.offering.price ?? 0,
      cost: offers[0]?.price ?? 0,
      ...claimedDrivers(load),
      choice: () => {
        const mask = maskOf(load);
        choice ??= explainer.explain({
          template,
          contents,
          mask,
          requirements,
          size,
          offers,
          fitting,
          held,
        });
        return choice;
      },
    };
  }
}

/** What nodes for the same load share. */
interface NodeDescription extends Omit<PlannedNode, 'pods' | 'choice'> {
  /** The price, including what a node costs besides its instance. */
  readonly cost: number;
  /** Computed when first read, because nobody reads the reasons of most plans. */
  readonly choice: () => NodeChoice;
}

function nodeWith(pods: readonly string[], described: NodeDescription): PlannedNode {
  return {
    nodePool: described.nodePool,
    requirements: described.requirements,
    instanceTypes: described.instanceTypes,
    requests: described.requests,
    price: described.price,
    ...(described.drivers !== undefined && { drivers: described.drivers }),
    get choice() {
      return described.choice();
    },
    pods,
  };
}

function claimedDrivers({ contents }: NodeLoad): Pick<PlannedNode, 'drivers'> {
  const drivers = contents.flatMap(({ item }) => (item.devices === undefined ? [] : driversOf(item.devices)));
  return drivers.length === 0 ? {} : { drivers };
}

/** A node that holds reservations launches from them alone; one that holds none leaves them to others. */
function isOpen({ offering }: TemplateOffer, held: readonly string[]): boolean {
  return offering.reservation === undefined ? held.length === 0 : held.includes(offering.reservation.id);
}

/**
 * Beside the reservation that the node was packed for, it holds an instance of every other reservation that
 * it can use and no other node needs, so that the launch has a choice if one of them is full by then.
 */
function holdReservations(
  reservations: RemainingReservations,
  offers: readonly TemplateOffer[],
  id: string,
): readonly string[] {
  const held = new Set([id]);
  for (const { offering } of offers) {
    const other = offering.reservation?.id;
    if (other === undefined || held.has(other) || reservations.left(other) < 1) continue;
    reservations.take(other, 1);
    held.add(other);
  }
  return [...held];
}
