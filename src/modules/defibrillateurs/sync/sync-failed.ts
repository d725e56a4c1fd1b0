/** A failure with a message for people, stored with the sync and shown. */
export class SyncFailed extends Error {}
