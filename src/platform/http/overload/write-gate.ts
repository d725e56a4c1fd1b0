import type { Text } from '../../errors.ts'

/** Null while writes are taken, else why they are not. Whoever finds a reason sets it, whoever writes looks at it. */
export type WriteGate = { writesRefused: Text | null }
