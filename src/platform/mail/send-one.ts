import type { FastifyBaseLogger } from 'fastify'
import type { JobAttempt } from '../jobs/job.ts'
import type { Mail } from './mail.ts'
import type { Mailer } from './mailer.ts'

/** Options of jobs that send one mail: they retry for a day. */
export const oneMail = { retries: 20, backoffSeconds: 60, maxBackoffSeconds: 3_600, timeoutSeconds: 120 }

/**
 * Sends a mail, or throws so that the job is retried. Does not retry a mail that may have been sent, unless the process
 * dies before the outcome is known: then the same mail is sent again.
 */
export async function sendOrRetry(
  { mailer, log }: { mailer: Mailer; log: FastifyBaseLogger },
  mail: Mail,
  { signal, isLast, job }: JobAttempt,
): Promise<void> {
  signal.throwIfAborted()
  const outcome = await mailer.send(mail)
  if (outcome.status === 'failed' && outcome.retry && !isLast) throw new Error(`not sent: ${outcome.error}`)
  if (outcome.status !== 'sent') log.warn({ ...outcome, job: job.name }, 'a mail may not have been sent')
}
