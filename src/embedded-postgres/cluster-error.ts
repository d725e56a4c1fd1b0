/** A reason not to start or continue, in one sentence for people that says what to do. */
export class ClusterError extends Error {}
