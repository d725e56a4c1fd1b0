import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../formats/mail-url.ts'

export type SmtpTimeouts = {
  connectMs: number
  greetingMs: number
  idleMs: number
  /** Timeout for one message, including its connection. */
  wholeMs: number
  /** How long an idle connection waits for the next message. */
  keepIdleMs: number
}

export type SmtpOptions = { server: MailServer; ca: string | undefined; timeouts: SmtpTimeouts }

/** A connection to the mail server, used for several messages in sequence. */
export type Line = {
  connection: SMTPConnection
  /** Extensions the server offers; null before its greeting. */
  offers: string | null
  /** Rejects when the connection fails or ends. */
  broken: Promise<never>
  messages: number
}

export type Lines = {
  /** Returns an idle connection, or null. */
  takeIdle(): Line | null
  open(): Line
  /** Keeps the connection idle for a short time. */
  keep(line: Line): void
  close(): void
}

const maxCached = 4
const mostMessages = 100

/** Pools connections to one mail server, so that one TLS handshake and login serve several messages. */
export function smtpLines(options: SmtpOptions): Lines {
  const kept = new Map<Line, NodeJS.Timeout>()
  let closed = false

  /** Removes a connection from the idle ones; false when it was not idle. */
  function release(line: Line): boolean {
    clearTimeout(kept.get(line))
    return kept.delete(line)
  }

  return {
    takeIdle() {
      const [line] = [...kept.keys()].slice(-1)
      return line !== undefined && release(line) ? line : null
    },
    open() {
      const line = openLine(options)
      line.broken.catch(() => release(line))
      return line
    },
    keep(line) {
      line.messages += 1
      if (closed || kept.size >= maxCached || line.messages >= mostMessages) return leave(line)
      const timer = setTimeout(() => release(line) && leave(line), options.timeouts.keepIdleMs)
      kept.set(line, timer.unref())
    },
    close() {
      closed = true
      for (const line of [...kept.keys()]) if (release(line)) leave(line)
    },
  }
}

/**
 * Opens a connection. Its listeners stay for its life: an `error` without a listener would end the process.
 */
function openLine({ server, ca, timeouts }: SmtpOptions): Line {
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls && !server.secure,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED does not turn it off.
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
    socketCloseTimeout: 1_000,
    maxResponseSize: 65_536,
  })
  const { promise: broken, reject } = Promise.withResolvers<never>()
  connection.on('error', reject)
  // `end` is emitted before the reply that caused it; the reply explains more, so it rejects first.
  connection.on('end', () => setImmediate(reject, new Error('The connection ended')))
  return { connection, offers: null, broken, messages: 0 }
}

/** Sends QUIT. All messages were accepted, so the connection is closed even if the server does not reply. */
function leave({ connection }: Line): void {
  connection.quit()
  setTimeout(() => connection.close(), 1_000).unref()
}
