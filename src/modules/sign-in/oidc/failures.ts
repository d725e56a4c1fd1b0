import { FetchFailed } from '../../../platform/fetch/fetch-failed.ts'

/** The errors that led to an error, itself first. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let one = error; one !== undefined && causes.length < 6; one = (one as { cause?: unknown })?.cause)
    causes.push(one)
  return causes
}

/** Whether the provider did not answer, rather than answered what is refused. */
export const isUnavailable = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    if (cause instanceof FetchFailed) return true
    const status = cause instanceof Response ? cause.status : (cause as { status?: unknown } | null)?.status
    return typeof status === 'number' && (status >= 500 || status === 429)
  })

/**
 * A short reason for the log. What the provider sent is not quoted: it may hold tokens, addresses and names. Its OAuth
 * error code is a word of a fixed alphabet.
 */
export function reasonOf(error: unknown): string {
  const messages = causesOf(error).flatMap((cause) => {
    if (!(cause instanceof Error)) return []
    const { error: code } = cause as { error?: unknown }
    return typeof code === 'string' && /^\w{1,50}$/.test(code) ? [cause.message, code] : [cause.message]
  })
  return messages.join(': ').slice(0, 300)
}
