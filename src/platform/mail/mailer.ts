import { parseMailFrom } from '../formats/mail-address.ts'
import { parseMailUrl } from '../formats/mail-url.ts'
import { type ComposedMail, composeMail, findMailFault } from './compose.ts'
import type { Mail, MailOutcome } from './mail.ts'
import { openOutbox } from './outbox.ts'
import { sendBySmtp } from './smtp.ts'
import { type SmtpOptions, type SmtpTimeouts, smtpPool } from './smtp-connections.ts'
import type { NotesAttempts } from './transports.ts'

export type Mailer = {
  /** Makes one attempt and returns its outcome; never rejects. */
  send(mail: Mail): Promise<MailOutcome>
  /** Refuses further mail and waits for running attempts, each bounded by its own timeout. */
  close(): Promise<void>
}

export type MailerOptions = {
  /** `MAIL_URL`; null writes messages as files. */
  url: string | null
  /** `MAIL_FROM`, with or without a display name. */
  from: string
  outboxDir: string
  /** Trusts only this certificate authority. Operators add their own through `NODE_EXTRA_CA_CERTS`. */
  ca?: string
  timeouts?: SmtpTimeouts
  /** Keeps the state of the transport. Absent: nobody does. */
  noteAttempts?: NotesAttempts
}

const TIMEOUTS: SmtpTimeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  idleMs: 30_000,
  wholeMs: 60_000,
  keepIdleMs: 10_000,
}

export function createMailer({
  url,
  from,
  outboxDir,
  ca,
  timeouts = TIMEOUTS,
  noteAttempts,
}: MailerOptions): Mailer {
  const sendsTo = url === null ? openOutbox(outboxDir) : smtpTo({ server: parseMailUrl(url), ca, timeouts })
  const sender = parseMailFrom(from)
  const underWay = new Set<Promise<MailOutcome>>()
  let closed = false

  async function deliver(mail: Mail): Promise<MailOutcome> {
    if (closed) return { status: 'failed', retry: true, error: 'the mailer is closed' }
    const fault = findMailFault(mail)
    if (fault) return { status: 'failed', retry: false, error: fault }
    const outcome = await sendsTo.send(await composeMail(sender, mail))
    // A server that refuses one recipient for good says nothing of the others.
    const isOfRecipient = outcome.status === 'failed' && outcome.refused === 'recipient'
    if (!isOfRecipient) await noteAttempts?.([outcome.status === 'sent' ? null : outcome.error])
    return outcome
  }

  return {
    send(mail) {
      const sending = deliver(mail).finally(() => underWay.delete(sending))
      underWay.add(sending)
      return sending
    },
    async close() {
      closed = true
      await Promise.allSettled(underWay)
      await sendsTo.close()
    },
  }
}

function smtpTo(options: SmtpOptions) {
  const pool = smtpPool(options)
  return { send: (message: ComposedMail) => sendBySmtp(message, pool, options), close: pool.close }
}
