import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseMailFrom } from '../formats/mail-address.ts'
import { parseMailUrl } from '../formats/mail-url.ts'
import { type ComposedMail, composeMail, findMailFault } from './compose.ts'
import { describeMailError, type Mail, type MailOutcome } from './mail.ts'
import { sendBySmtp } from './smtp.ts'
import { type SmtpOptions, type SmtpTimeouts, smtpPool } from './smtp-connections.ts'

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
}

const TIMEOUTS: SmtpTimeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  idleMs: 30_000,
  wholeMs: 60_000,
  keepIdleMs: 10_000,
}

export function createMailer({ url, from, outboxDir, ca, timeouts = TIMEOUTS }: MailerOptions): Mailer {
  const smtp = url === null ? null : smtpTo({ server: parseMailUrl(url), ca, timeouts })
  const sender = parseMailFrom(from)
  const underWay = new Set<Promise<MailOutcome>>()
  let closed = false

  async function deliver(mail: Mail): Promise<MailOutcome> {
    if (closed) return { status: 'failed', retry: true, error: 'the mailer is closed' }
    const fault = findMailFault(mail)
    if (fault) return { status: 'failed', retry: false, error: fault }
    const message = await composeMail(sender, mail)
    return smtp ? smtp.send(message) : writeToOutbox(outboxDir, message)
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
      smtp?.close()
    },
  }
}

function smtpTo(options: SmtpOptions) {
  const pool = smtpPool(options)
  return { send: (message: ComposedMail) => sendBySmtp(message, pool, options), close: pool.close }
}

/** Writes the message atomically as a file that only its owner can read. */
async function writeToOutbox(dir: string, message: ComposedMail): Promise<MailOutcome> {
  const draft = join(dir, `.draft-${randomUUID()}`)
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await writeDurably(draft, message.content)
    await rename(draft, join(dir, fileName(message.messageId)))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    return { status: 'failed', retry: true, error: describeMailError(error) }
  }
  return syncDirectory(dir)
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The file is in place by now: a failure here must not cause a second copy. */
async function syncDirectory(dir: string): Promise<MailOutcome> {
  try {
    const handle = await open(dir)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return { status: 'sent' }
  } catch (error) {
    return { status: 'uncertain', error: describeMailError(error) }
  }
}

/** Sorts by time. Nothing in the Message-ID can name another directory or a hidden file. */
function fileName(messageId: string): string {
  const time = new Date().toISOString().replace(/[-:]/g, '')
  const id = messageId.replace(/^<|>$/g, '').replace(/[^A-Za-z0-9.@_-]/g, '_')
  return `${time}-${id.slice(0, 200)}.eml`
}
