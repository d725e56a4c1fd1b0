import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPError as SmtpError } from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../formats/mail-url.ts'
import type { ComposedMail } from './compose.ts'
import { describeMailError, type MailOutcome } from './mail.ts'
import type { Connection, Pool, SmtpOptions } from './smtp-connections.ts'

/** Sends one message to one recipient; never rejects. */
export async function sendBySmtp(
  message: ComposedMail,
  pool: Pool,
  options: SmtpOptions,
): Promise<MailOutcome> {
  const limit = timeLimit(options.timeouts.wholeMs)
  const attemptOn = (connection: Connection) => attempt(message, connection, options.server, limit.promise)
  try {
    const idle = pool.takeIdle()
    const first = idle && (await attemptOn(idle))
    const { connection, error, handedOver } =
      first && !hadEnded(first) ? first : await attemptOn(await pool.open())
    if (error !== null) return outcomeOf(error, handedOver)
    pool.keep(connection)
    return { status: 'sent' }
  } finally {
    limit.stop()
  }
}

type Attempt = { connection: Connection; error: SmtpError | null; handedOver: boolean }

async function attempt(
  message: ComposedMail,
  connection: Connection,
  server: MailServer,
  limit: Promise<never>,
): Promise<Attempt> {
  const within = <T>(work: Promise<T>) => Promise.race([work, connection.broken, limit])
  const data = readInChunks(message.content)
  // The data is read only when the server asks for it, and the final dot follows its last byte. Before that
  // the server cannot have the message; afterwards only its reply shows whether it has.
  let handedOver = false
  data.once('end', () => {
    handedOver = true
  })
  try {
    const isNew = connection.offers === null
    if (isNew) {
      await within(connect(connection.smtp))
      // Right after the greeting the last reply lists the extensions that the server offers.
      connection.offers = connection.smtp.lastServerResponse || ''
    }
    refuseWhatTheServerLacks(connection, message, server)
    if (isNew) await within(logIn(connection.smtp, server))
    await within(sendMessage(connection.smtp, message, data))
    return { connection, error: null, handedOver }
  } catch (error) {
    connection.smtp.close()
    return { connection, error: error as SmtpError, handedOver }
  }
}

/**
 * True if the server had closed an idle connection. It has not received the message, so a new connection may
 * send it.
 */
const hadEnded = ({ error, handedOver }: Attempt) =>
  error !== null && !handedOver && (error.responseCode === undefined || error.responseCode === 421)

function timeLimit(wholeMs: number) {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const timer = setTimeout(() => reject(new Error(`Not done within ${wholeMs} ms`)), wholeMs)
  return { promise, stop: () => clearTimeout(timer) }
}

function connect(smtp: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    smtp.connect((error) => (error ? reject(error) : resolve()))
  })
}

function refuseWhatTheServerLacks({ smtp, offers }: Connection, message: ComposedMail, server: MailServer) {
  const addresses = message.envelope.from + message.envelope.to
  if (/[^\p{ASCII}]/u.test(addresses) && !/[ -]SMTPUTF8\b/i.test(offers ?? '')) {
    throw Object.assign(new Error('The server does not take addresses beyond ASCII'), UNDELIVERABLE)
  }
  if (server.auth && !smtp.allowsAuth) throw new Error('The server offers no authentication')
}

async function logIn(smtp: SMTPConnection, { auth }: MailServer): Promise<void> {
  if (!auth) return
  await new Promise<void>((resolve, reject) => {
    smtp.login({ ...auth }, (error) => (error ? reject(error) : resolve()))
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

function sendMessage(
  smtp: SMTPConnection,
  { envelope, content }: ComposedMail,
  data: Readable,
): Promise<void> {
  return new Promise((resolve, reject) => {
    smtp.send({ ...envelope, size: content.length }, data, (error) => (error ? reject(error) : resolve()))
  })
}

/** Derives the outcome from an error and the moment it occurred. */
function outcomeOf(error: SmtpError, handedOver: boolean): MailOutcome {
  const code = error.responseCode ?? 0
  const refused = error.command === 'DATA' && code >= 400 && code < 600
  if (handedOver && !refused) return { status: 'uncertain', error: describeMailError(error) }
  const isOfRecipient = isFinal(error) && error.command === 'RCPT TO' && !REFUSES_ALL.test(error.message)
  return {
    ...{ status: 'failed', retry: !isFinal(error), error: describeMailError(error) },
    ...(isOfRecipient && { refused: 'recipient' }),
  }
}

/** A server that takes no mail of ours for others refuses each recipient, but means us: “554 5.7.1 Relay access denied”. */
const REFUSES_ALL = /\brelay/i

/**
 * Only a refusal of this message or recipient is final. A refused login, certificate or greeting, and 530
 * (authentication required), concern settings that may be corrected while the message is queued.
 */
function isFinal({ code, command = '', permanent, responseCode }: SmtpError): boolean {
  const tooLarge = code === 'EMESSAGE' && responseCode === undefined
  const refused = permanent === true && responseCode !== 530 && /^(MAIL FROM|RCPT TO|DATA)$/.test(command)
  return tooLarge || refused
}

const UNDELIVERABLE = { permanent: true, command: 'RCPT TO' }
