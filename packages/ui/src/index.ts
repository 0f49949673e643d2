/**
 * The web page. Empty so far.
 */

export {};
