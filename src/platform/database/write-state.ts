import type { Text } from '../errors.ts'

/** Null while writes are accepted, else why they are not. The watch of the disk sets it; requests that write read it. */
export type WriteState = { writesRefused: Text | null }
