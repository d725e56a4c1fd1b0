import type { Failure } from './schema.ts'

/**
 * An error whose message is stored with the sync and shown to people. A failure without a code is about the
 * content of the registry's response.
 */
export class SyncFailed extends Error {
  readonly failure: Failure

  constructor(message: string, { cause, ...failure }: Partial<Failure> & { cause?: unknown } = {}) {
    super(message, { cause })
    this.failure = { code: 'content', ...failure }
  }
}
