/**
 * The DaemonSet agent that watches the instance metadata service. Empty so far.
 */

export {};
