import type SMTPConnection from 'nodemailer/lib/smtp-connection'
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
export type Connection = {
  smtp: SMTPConnection
  /** Extensions the server offers; null before its greeting. */
  offers: string | null
  /** Rejects when the connection fails or ends. */
  broken: Promise<never>
  messages: number
}

export type Pool = {
  /** Returns an idle connection, or null. */
  takeIdle(): Connection | null
  open(): Promise<Connection>
  /** Keeps the connection idle for a short time. */
  keep(connection: Connection): void
  close(): void
}

const maxIdle = 4
const maxMessages = 100

/** Pools connections to one mail server, so that one TLS handshake and login serve several messages. */
export function smtpPool(options: SmtpOptions): Pool {
  const idle = new Map<Connection, NodeJS.Timeout>()
  let closed = false

  /** Removes a connection from the idle ones; false when it was not idle. */
  function release(connection: Connection): boolean {
    clearTimeout(idle.get(connection))
    return idle.delete(connection)
  }

  return {
    takeIdle() {
      const [connection] = [...idle.keys()].slice(-1)
      return connection !== undefined && release(connection) ? connection : null
    },
    async open() {
      const connection = await openConnection(options)
      connection.broken.catch(() => release(connection))
      return connection
    },
    keep(connection) {
      connection.messages += 1
      if (closed || idle.size >= maxIdle || connection.messages >= maxMessages) return quit(connection)
      const timer = setTimeout(() => release(connection) && quit(connection), options.timeouts.keepIdleMs)
      idle.set(connection, timer.unref())
    },
    close() {
      closed = true
      for (const connection of [...idle.keys()]) if (release(connection)) quit(connection)
    },
  }
}

/**
 * Opens a connection. Its listeners stay for its life: an `error` without a listener would end the process.
 */
async function openConnection({ server, ca, timeouts }: SmtpOptions): Promise<Connection> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const smtp = new SMTPConnection({
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
  smtp.on('error', reject)
  // `end` is emitted before the reply that caused it; the reply explains more, so it rejects first.
  smtp.on('end', () => setImmediate(reject, new Error('The connection ended')))
  return { smtp, offers: null, broken, messages: 0 }
}

/** Sends QUIT. All messages were accepted, so the connection is closed even if the server does not reply. */
function quit({ smtp }: Connection): void {
  smtp.quit()
  setTimeout(() => smtp.close(), 1_000).unref()
}
