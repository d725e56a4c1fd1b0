import type { FastifyRequest } from 'fastify'
import type { JobAttempt } from '../../platform/jobs/job.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Deps, RouteDeps } from '../../platform/module.ts'

/** Options of jobs that send one mail: they retry for a day. */
export const oneMail = { retries: 20, backoffSeconds: 60, maxBackoffSeconds: 3_600, timeoutSeconds: 120 }

/**
 * Sends a mail, or throws so that the job is retried. Does not retry a mail that may have been sent, unless the process
 * dies before the outcome is known: then the same mail is sent again.
 */
export async function sendOrRetry(
  { mailer, log }: Pick<Deps, 'mailer' | 'log'>,
  mail: Mail,
  { signal, isLast, job }: JobAttempt,
): Promise<void> {
  signal.throwIfAborted()
  const outcome = await mailer.send(mail)
  if (outcome.status === 'failed' && outcome.retry && !isLast) throw new Error(`not sent: ${outcome.error}`)
  if (outcome.status !== 'sent') log.warn({ ...outcome, job: job.name }, 'a mail may not have been sent')
}

/**
 * Counts a mail with a code to an address, whoever has it: 429 above the limits. Strangers cause few mails to an address,
 * and each network only a part of them, so that it takes two to use them up. A known `browser` has its own count: no flood
 * uses that up, whether it comes from the same network or from others.
 */
export async function countMail(
  { limits }: Pick<RouteDeps, 'limits'>,
  request: FastifyRequest,
  address: string,
  browser: string | null,
): Promise<void> {
  if (browser !== null) return limits.countKey('sign_in_mails', `${browser} ${address}`)
  await limits.countClient('sign_in', 'mail', request)
  await limits.countNetwork('sign_in_mails_network', address, request)
  await limits.countKey('sign_in_mails', address)
}
