/** A reason not to start, meant for a person: one sentence that says what to do, printed without a stack. */
export class StartError extends Error {}
