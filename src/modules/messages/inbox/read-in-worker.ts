import { startThread, type Thread } from '../../../platform/thread.ts'
import type { Body } from './body.ts'

const limits = { timeoutMs: 20_000, maxHeapMb: 256 }

export class MailUnreadable extends Error {}

export type BodyReader = { read(source: Uint8Array): Promise<Body>; end(): Promise<unknown> }

/**
 * Reads mails in a thread: a long one delays no request. `read` throws `MailUnreadable` for one that is no valid mail, or is
 * made to take forever.
 */
export function startReader(signal: AbortSignal): BodyReader {
  let thread: Thread<Uint8Array, Body> | null = null
  const end = async () => {
    await thread?.end()
    thread = null
  }
  return {
    async read(source) {
      thread ??= startThread<Uint8Array, Body>(new URL('./worker.ts', import.meta.url), {
        limits,
        signal,
        fail: (sentence, cause) => new MailUnreadable(sentence, { cause }),
      })
      try {
        return await thread.request(source)
      } catch (error) {
        // It may still be busy with this mail.
        await end()
        throw error
      }
    },
    end,
  }
}
