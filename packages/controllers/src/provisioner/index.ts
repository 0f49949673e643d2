/**
 * Provisioning: collects pending pods into batches, plans for them and creates NodeClaims through
 * `../nodeclaim-creation`. It publishes events and metrics; plans are made by `@karpenter/core`.
 *
 * Start with `provisioner.ts` (the loop and its rounds), then `provisioning-pass.ts` (how a plan is applied)
 * and `pass-report.ts` (events, metrics and log lines). ADR 0023 gives the reasons for rounds.
 */
export { ProvisioningBatcher } from './batcher.ts';
export { capacityTrigger } from './capacity-trigger.ts';
export { nominationEvent } from './nomination-event.ts';
export { nominationWindow } from './nomination-window.ts';
export { provisioner } from './provisioner.ts';
export { nodeTrigger, podTrigger } from './triggers.ts';
