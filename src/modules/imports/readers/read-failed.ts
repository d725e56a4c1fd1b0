/** The reason why a source cannot be read. The sentence is shown to administrators and quotes nothing of the source. */
export class ReadFailed extends Error {}
