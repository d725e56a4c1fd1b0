import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from './mail-url.ts'

export type SmtpTimeouts = {
  connectMs: number
  greetingMs: number
  idleMs: number
  /** For one message, with the connection that it may need. */
  wholeMs: number
  /** How long a connection waits for another message. */
  keptMs: number
}

export type SmtpOptions = { server: MailServer; ca: string | undefined; timeouts: SmtpTimeouts }

/** A connection to the mail server, for one message after the other. */
export type Line = {
  connection: SMTPConnection
  /** What the server said that it can; null until it has greeted. */
  offers: string | null
  /** Rejects when the connection fails or ends. */
  broken: Promise<never>
  messages: number
}

export type Lines = {
  /** One that has served; null when none waits. */
  takeKept(): Line | null
  open(): Line
  /** Keeps it for another message, if there is soon one. */
  keep(line: Line): void
  close(): void
}

const mostKept = 4
const mostMessages = 100

/** Connections to one mail server: a TLS handshake and a login are worth more than one message. */
export function smtpLines(options: SmtpOptions): Lines {
  const kept = new Map<Line, NodeJS.Timeout>()
  let closed = false

  /** Kept no longer; false when it was not. */
  function release(line: Line): boolean {
    clearTimeout(kept.get(line))
    return kept.delete(line)
  }

  return {
    takeKept() {
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
      if (closed || kept.size >= mostKept || line.messages >= mostMessages) return leave(line)
      const timer = setTimeout(() => release(line) && leave(line), options.timeouts.keptMs)
      kept.set(line, timer.unref())
    },
    close() {
      closed = true
      for (const line of [...kept.keys()]) if (release(line)) leave(line)
    },
  }
}

/** The listeners stay for as long as the connection does: an `error` nobody listens to would end the process. */
function openLine({ server, ca, timeouts }: SmtpOptions): Line {
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls && !server.secure,
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED does not turn it off.
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
    socketCloseTimeout: 1_000,
    maxResponseSize: 65_536,
  })
  const { promise: broken, reject } = Promise.withResolvers<never>()
  connection.on('error', reject)
  // The end is announced before the answer that caused it: let a better explanation come first.
  connection.on('end', () => setImmediate(reject, new Error('The connection ended')))
  return { connection, offers: null, broken, messages: 0 }
}

/** Says goodbye; all its messages are accepted, so a server that does not answer is left behind. */
function leave({ connection }: Line): void {
  connection.quit()
  setTimeout(() => connection.close(), 1_000).unref()
}
