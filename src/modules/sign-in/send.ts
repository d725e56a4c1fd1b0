import type { JobAttempt } from '../../platform/jobs/job.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Deps } from '../../platform/module.ts'

/** Sends a mail, or throws so that the job is retried. Does not retry a mail that may have been sent. */
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
