import { Readable } from 'node:stream'
import SMTPConnection, { type SMTPError as SmtpError } from 'nodemailer/lib/smtp-connection'
import type { ComposedMail } from './compose.ts'
import { describeMailError, type MailOutcome } from './mail.ts'
import type { MailServer } from './mail-url.ts'

export type SmtpTimeouts = { connectMs: number; greetingMs: number; idleMs: number; wholeMs: number }

export type SmtpOptions = { server: MailServer; ca: string | undefined; timeouts: SmtpTimeouts }

/** One connection, one message, one recipient. Does not reject. */
export async function sendBySmtp(message: ComposedMail, options: SmtpOptions): Promise<MailOutcome> {
  const connection = openConnection(options)
  const broken = watchForTrouble(connection, options.timeouts.wholeMs)
  const data = readInChunks(message.content)
  // Nothing reads the data before the server has asked for it, and the final dot follows its last byte. Until
  // then the server cannot have the message; from then on only its answer tells.
  let handedOver = false
  data.once('end', () => {
    handedOver = true
  })
  try {
    await Promise.race([connect(connection), broken.promise])
    refuseWhatTheServerLacks(connection, message, options.server)
    await Promise.race([logIn(connection, options.server), broken.promise])
    await Promise.race([hand(connection, message, data), broken.promise])
    leave(connection)
    return { status: 'sent' }
  } catch (error) {
    connection.close()
    return judge(error as SmtpError, handedOver)
  } finally {
    broken.stop()
  }
}

function openConnection({ server, ca, timeouts }: SmtpOptions): SMTPConnection {
  return new SMTPConnection({
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
}

/**
 * A promise that rejects when the connection fails or the whole send takes too long. The listeners stay for as
 * long as the connection does: an `error` nobody listens to would end the process.
 */
function watchForTrouble(connection: SMTPConnection, wholeMs: number) {
  const { promise, reject } = Promise.withResolvers<never>()
  const limit = setTimeout(() => reject(new Error(`Not done within ${wholeMs} ms`)), wholeMs)
  promise.catch(() => undefined)
  connection.on('error', reject)
  // The end is announced before the answer that caused it: let a better explanation come first.
  connection.on('end', () => setImmediate(reject, new Error('The connection ended')))
  return { promise, stop: () => clearTimeout(limit) }
}

function connect(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()))
  })
}

/** Just after the greetings, the last answer is the list of what the server offers. */
function refuseWhatTheServerLacks(connection: SMTPConnection, message: ComposedMail, server: MailServer) {
  const offers = connection.lastServerResponse || ''
  const addresses = message.envelope.from + message.envelope.to
  if (/[^\p{ASCII}]/u.test(addresses) && !/[ -]SMTPUTF8\b/i.test(offers)) {
    throw Object.assign(new Error('The server does not take addresses beyond ASCII'), UNDELIVERABLE)
  }
  if (server.auth && !connection.allowsAuth) throw new Error('The server offers no authentication')
}

async function logIn(connection: SMTPConnection, { auth }: MailServer): Promise<void> {
  if (!auth) return
  await new Promise<void>((resolve, reject) => {
    connection.login({ ...auth }, (error) => (error ? reject(error) : resolve()))
  })
}

function readInChunks(content: Buffer): Readable {
  let offset = 0
  return new Readable({
    read() {
      const chunk = content.subarray(offset, offset + 16_384)
      offset += chunk.length
      this.push(chunk.length > 0 ? chunk : null)
    },
  })
}

function hand(
  connection: SMTPConnection,
  { envelope, content }: ComposedMail,
  data: Readable,
): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.send({ ...envelope, size: content.length }, data, (error) =>
      error ? reject(error) : resolve(),
    )
  })
}

/** Says goodbye; the message is accepted, so a server that does not answer is left behind. */
function leave(connection: SMTPConnection): void {
  connection.quit()
  setTimeout(() => connection.close(), 1_000).unref()
}

/** Turns an error and the moment it came at into what is known of the message. */
function judge(error: SmtpError, handedOver: boolean): MailOutcome {
  const code = error.responseCode ?? 0
  const refused = error.command === 'DATA' && code >= 400 && code < 600
  if (handedOver && !refused) return { status: 'uncertain', error: describeMailError(error) }
  return { status: 'failed', retry: !isFinal(error), error: describeMailError(error) }
}

/**
 * Only a refusal of this message or its recipient is final. A refused login, certificate or greeting speaks of
 * settings, which may be mended while the message waits; so does 530, authentication wanted.
 */
function isFinal({ code, command = '', permanent, responseCode }: SmtpError): boolean {
  const tooLarge = code === 'EMESSAGE' && responseCode === undefined
  const refused = permanent === true && responseCode !== 530 && /^(MAIL FROM|RCPT TO|DATA)$/.test(command)
  return tooLarge || refused
}

const UNDELIVERABLE = { permanent: true, command: 'RCPT TO' }
