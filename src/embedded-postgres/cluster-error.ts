/** A reason not to start or not to go on, told to a person in one sentence that says what to do. */
export class ClusterError extends Error {}
