import type { DescribeCapacityReservationsCommandInput, Filter } from '@aws-sdk/client-ec2';
import type { CapacityReservationSelectorTerm } from '../node-class/index.ts';
import { tagFilters } from '../resolution/index.ts';

const active: Filter = { Name: 'state', Values: ['active'] };

/** Whether the term names anything to select by. An empty map of tags counts as absent. */
export function isSelecting({
  id,
  instanceMatchCriteria,
  tags = {},
}: CapacityReservationSelectorTerm): boolean {
  return id !== undefined || instanceMatchCriteria !== undefined || Object.keys(tags).length > 0;
}

/** Builds the request of a term. EC2 rejects MaxResults together with ids. */
export function reservationQuery(
  term: CapacityReservationSelectorTerm,
): DescribeCapacityReservationsCommandInput {
  if (term.id !== undefined) return { CapacityReservationIds: [term.id], Filters: [active] };
  const { ownerID, instanceMatchCriteria, tags = {} } = term;
  return {
    Filters: [
      active,
      ...(ownerID === undefined ? [] : [{ Name: 'owner-id', Values: [ownerID] }]),
      ...(instanceMatchCriteria === undefined
        ? []
        : [{ Name: 'instance-match-criteria', Values: [instanceMatchCriteria] }]),
      ...tagFilters(tags),
    ],
    MaxResults: 1000,
  };
}
