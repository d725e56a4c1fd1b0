import type { Text } from '../../errors.ts'

/** Null while writes are accepted, else the reason. `watchDisk` sets it; requests that write check it. */
export type WriteState = { writesRefused: Text | null }
