import { FetchFailed } from '../../../platform/fetch/fetch-failed.ts'

/** Lists the error and its chain of causes. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let one = error; one !== undefined && causes.length < 6; one = (one as { cause?: unknown })?.cause)
    causes.push(one)
  return causes
}

/** True if the provider was unavailable; false if its response was refused. */
export const isUnavailable = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    if (cause instanceof FetchFailed) return true
    const status = cause instanceof Response ? cause.status : (cause as { status?: unknown } | null)?.status
    return typeof status === 'number' && (status >= 500 || status === 429)
  })

/**
 * Returns a short reason for the log. Quotes nothing of the provider's response but the OAuth error code,
 * because the rest may hold tokens, addresses and names.
 */
export function reasonOf(error: unknown): string {
  const messages = causesOf(error).flatMap((cause) => {
    if (!(cause instanceof Error)) return []
    const { error: code } = cause as { error?: unknown }
    return typeof code === 'string' && /^\w{1,50}$/.test(code) ? [cause.message, code] : [cause.message]
  })
  return messages.join(': ').slice(0, 300)
}
