import { zoneOf } from './useful-offers.mjs';

/**
 * The linear programme of a price bound, in the format of CPLEX: `n3` is the number of nodes of offer 3, `x5_3` the
 * number of pods of class 5 on them.
 */
export function programme(classes, offers) {
  const rows = [
    ...classes.map((one, number) => placedRow(one, number, offers)),
    ...offers.flatMap((offer, index) => [
      ...roomRows(offer, index, classes),
      ...groupRows(offer, index, classes),
    ]),
    ...limitRows(offers),
    ...zoneRows(classes, offers),
  ];
  const cost = terms(offers.map(({ price }, index) => [price, `n${index}`]));
  return ['Minimize', cost, 'Subject To', ...rows, 'End'].join('\n');
}

const pods = (number, offer) => `x${number}_${offer}`;

const heldBy = ({ holds }, classes) =>
  classes.map((one, number) => ({ ...one, number })).filter(({ number }) => holds[number]);

/** Every pod has a node. */
function placedRow({ count }, number, offers) {
  const places = offers.flatMap(({ holds }, index) => (holds[number] ? [[1, pods(number, index)]] : []));
  return `${terms(places)} = ${count}`;
}

/** Pods request no more than their nodes have, of each resource. */
function roomRows(offer, index, classes) {
  const held = heldBy(offer, classes);
  const resources = [...new Set(held.flatMap(({ requests }) => [...requests.keys()]))];
  return resources.map((resource) => {
    const requested = held.map(({ requests, number }) => [requests.get(resource) ?? 0, pods(number, index)]);
    return `${terms([...requested, [-(offer.room.get(resource) ?? 0), `n${index}`]])} <= 0`;
  });
}

/** A node holds no more pods of a group than rules on host names allow. */
function groupRows(offer, index, classes) {
  const groups = new Map();
  for (const { groups: names, number } of heldBy(offer, classes))
    for (const [name, most] of names) {
      const group = groups.get(name) ?? { most, members: [] };
      groups.set(name, group);
      group.members.push([1, pods(number, index)]);
    }
  return [...groups.values()].map(({ most, members }) => `${terms([...members, [-most, `n${index}`]])} <= 0`);
}

/** A zone holds as many pods of a group as their spread over zones allows. */
function zoneRows(classes, offers) {
  const held = new Map();
  for (const [index, offer] of offers.entries())
    for (const { zoneGroup, number } of heldBy(offer, classes)) {
      if (zoneGroup === undefined) continue;
      const key = JSON.stringify([zoneGroup.name, zoneOf(offer)]);
      const row = held.get(key) ?? { ...zoneGroup, members: [] };
      held.set(key, row);
      row.members.push([1, pods(number, index)]);
    }
  return [...held.values()].flatMap(({ least, most, members }) => [
    `${terms(members)} <= ${most}`,
    ...(least > 0 ? [`${terms(members)} >= ${least}`] : []),
  ]);
}

/** The nodes of each NodePool use no more than its limits. */
function limitRows(offers) {
  const pools = [...new Set(offers.map(({ pool }) => pool))];
  return pools.flatMap((pool) =>
    pool.limits.flatMap(([, limit], at) => {
      const used = offers.flatMap((offer, index) =>
        offer.pool === pool && offer.used[at] > 0 ? [[offer.used[at], `n${index}`]] : [],
      );
      return used.length === 0 ? [] : [`${terms(used)} <= ${limit}`];
    }),
  );
}

const terms = (all) =>
  all
    .filter(([factor]) => factor !== 0)
    .map(([factor, name]) => (factor < 0 ? `- ${-factor} ${name}` : `+ ${factor} ${name}`))
    .join('\n');
