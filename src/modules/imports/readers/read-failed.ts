/** Why a source cannot be read. The sentence is shown to whoever looks after it, and quotes nothing of the source. */
export class ReadFailed extends Error {}
