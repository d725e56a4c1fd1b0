/** An error that prevents starting or continuing. Its message is one sentence that names the remedy. */
export class ClusterError extends Error {}
