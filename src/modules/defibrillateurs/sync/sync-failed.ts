/** An error whose message is stored with the sync and shown to people. */
export class SyncFailed extends Error {}
