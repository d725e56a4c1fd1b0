/** Thrown if a source cannot be read. The message is shown to administrators and never quotes the source. */
export class ReadFailed extends Error {}
