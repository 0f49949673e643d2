import { chosenPools, type Dashboard, type Row } from './dashboard.ts';

const price = `sum(karpenter_nodepools_cost_total{${chosenPools}})`;
const hoursPerMonth = 730;
const nodes = 'karpenter_nodes_current_lifetime_seconds';
const prices = 'karpenter_cloudprovider_instance_type_offering_price_estimate';
const offering = 'instance_type, capacity_type, zone';

const cpu = (selector: string) =>
  `sum(karpenter_nodes_allocatable{resource_type="cpu", nodepool!="", ${chosenPools}${selector}})`;

/** Nodes of each offering times its price. */
const pricesOfNodes = `count by (${offering}) (${nodes}{${chosenPools}}) * on (${offering}) max by (${offering}) (${prices})`;

const perType = (capacityType: string) =>
  `max by (instance_type, zone) (${prices}{capacity_type="${capacityType}"})`;
const spotNodes = `count by (instance_type, zone) (${nodes}{capacity_type="spot", ${chosenPools}})`;
/** What all spot nodes would cost more as on-demand nodes of the same type. */
const spotSavings = `sum(${spotNodes} * on (instance_type, zone) (${perType('on-demand')} - ${perType('spot')})) or vector(0)`;

const overview: Row = {
  title: 'Overview',
  panels: [
    {
      title: 'Per hour',
      description: 'What the nodes of the chosen NodePools cost now.',
      unit: 'dollars',
      kind: 'number',
      queries: [{ expr: price, legend: 'per hour' }],
    },
    {
      title: 'Per month',
      description: 'What the same nodes would cost in a month of 730 hours.',
      unit: 'dollars',
      kind: 'number',
      queries: [{ expr: `${price} * ${hoursPerMonth}`, legend: 'per month' }],
    },
    {
      title: 'Per core that pods request',
      description: 'Price of an hour of one requested core: falls when nodes are cheaper or fuller.',
      unit: 'dollars',
      kind: 'number',
      queries: [
        {
          expr: `${price} / sum(karpenter_nodes_total_pod_requests{resource_type="cpu", nodepool!="", ${chosenPools}})`,
          legend: 'per core and hour',
        },
      ],
    },
    {
      title: 'Spot share',
      description: 'Share of the CPU of all nodes that is on spot instances.',
      unit: 'share',
      kind: 'number',
      queries: [{ expr: `${cpu(', capacity_type="spot"')} / ${cpu('')} or vector(0)`, legend: 'spot' }],
    },
    {
      title: 'Saved by spot',
      description: 'What the spot nodes would cost more per hour as on-demand nodes of the same type.',
      unit: 'dollars',
      kind: 'number',
      queries: [{ expr: spotSavings, legend: 'per hour' }],
    },
  ],
};

const costRow: Row = {
  title: 'Cost',
  panels: [
    {
      title: 'Price by NodePool',
      description: 'Dollars per hour.',
      unit: 'dollars',
      isStacked: true,
      queries: [
        {
          expr: `sum by (nodepool) (karpenter_nodepools_cost_total{${chosenPools}})`,
          legend: '{{nodepool}}',
        },
      ],
    },
    {
      title: 'Price by capacity type',
      description: 'Dollars per hour, from the nodes and the current prices of their offerings.',
      unit: 'dollars',
      isStacked: true,
      queries: [{ expr: `sum by (capacity_type) (${pricesOfNodes})`, legend: '{{capacity_type}}' }],
    },
    {
      title: 'Price by instance type',
      description: 'Dollars per hour of the twelve types that cost most in total.',
      unit: 'dollars',
      queries: [{ expr: `topk(12, sum by (instance_type) (${pricesOfNodes}))`, legend: '{{instance_type}}' }],
    },
    {
      title: 'Price now and a day ago',
      description: 'The alert KarpenterCostJump compares with the highest price of the day before.',
      unit: 'dollars',
      queries: [
        { expr: price, legend: 'now' },
        { expr: `sum(karpenter_nodepools_cost_total{${chosenPools}} offset 1d)`, legend: 'a day ago' },
      ],
    },
    {
      title: 'Saved by spot',
      description: 'What the spot nodes would cost more per hour as on-demand nodes of the same type.',
      unit: 'dollars',
      queries: [{ expr: spotSavings, legend: 'per hour' }],
    },
    {
      title: 'Paid and not requested',
      description: 'Share of CPU and memory of the nodes that no pod requests.',
      unit: 'share',
      queries: ['cpu', 'memory'].map((resource) => ({
        expr: `1 - (sum(karpenter_nodes_total_pod_requests{resource_type="${resource}", nodepool!="", ${chosenPools}}) or vector(0)) / sum(karpenter_nodes_allocatable{resource_type="${resource}", nodepool!="", ${chosenPools}})`,
        legend: resource,
      })),
    },
  ],
};

const shareRow: Row = {
  title: 'Capacity types',
  panels: [
    {
      title: 'Nodes by capacity type',
      description: 'Spot, on-demand and reserved nodes.',
      unit: 'count',
      isStacked: true,
      queries: [
        {
          expr: `count by (capacity_type) (${nodes}{nodepool!="", ${chosenPools}})`,
          legend: '{{capacity_type}}',
        },
      ],
    },
    {
      title: 'Spot share by NodePool',
      description: 'Share of the CPU of each NodePool that is on spot instances.',
      unit: 'share',
      queries: [
        {
          expr: `sum by (nodepool) (karpenter_nodes_allocatable{resource_type="cpu", capacity_type="spot", nodepool!="", ${chosenPools}}) / sum by (nodepool) (karpenter_nodes_allocatable{resource_type="cpu", nodepool!="", ${chosenPools}})`,
          legend: '{{nodepool}}',
        },
      ],
    },
    {
      title: 'Pods by capacity type',
      description: 'Pods that run on spot, on-demand and reserved nodes.',
      unit: 'count',
      isStacked: true,
      queries: [
        {
          expr: `sum by (capacity_type) (karpenter_pods_state{phase="Running", nodepool!="", ${chosenPools}})`,
          legend: '{{capacity_type}}',
        },
      ],
    },
  ],
};

export const cost: Dashboard = {
  name: 'karpenter-cost',
  title: 'Karpenter / Cost and spot share',
  description: 'What the nodes cost, how much of them is spot, and what is paid for and not requested.',
  rows: [overview, costRow, shareRow],
};
