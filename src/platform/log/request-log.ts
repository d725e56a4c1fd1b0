import type { FastifyBaseLogger } from 'fastify'
import { infoLines } from './log.ts'

/** The line of a request in the log. The path, the query and the body are never part of it. */
export type RequestLine = {
  request_id: string
  method: string
  route: string | undefined
  status: number
  ms: number
  /** How long it waited for a slot, of `ms`. */
  queued_ms?: number
  from: string | null
  error?: string
  reason?: string
  user_id?: string
  app_source?: string
  /** The client disconnected before the response was sent. */
  aborted?: true
  /** How many lines of refusals were left out before this one. */
  not_logged?: number
}

/** Returns the one writer of request lines: of responses by routes, cached responses and early refusals. */
export function requestLog(log: Pick<FastifyBaseLogger, 'info' | 'warn'>): (line: RequestLine) => void {
  const writeFields = infoLines(log)
  return (request) => {
    const line = { ...request, ms: Math.round(request.ms * 10) / 10 }
    if (line.status >= 500) log.warn(line)
    else if (line.error !== undefined) log.info(line)
    // The service sets all these fields, so redaction is skipped; it would cost a seventh of a small read.
    else writeFields(JSON.stringify(line).slice(1, -1))
  }
}
