/** What a sync fails with that somebody can understand: kept with it, and shown. */
export class SyncFailed extends Error {}
