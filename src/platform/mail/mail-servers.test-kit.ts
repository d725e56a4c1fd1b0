import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { onTestFinished } from 'vitest'

type AtEnd = (close: () => Promise<void>) => void
export type ReceivedMail = { session: SMTPServerSession; content: string }

/** Starts a real SMTP server on a free port that stores what it accepts. `atEnd`: `afterAll` outside a test. */
export async function startSmtpServer(options: SMTPServerOptions = {}, atEnd = onTestFinished as AtEnd) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({ session: { ...session }, content: Buffer.concat(chunks).toString() })
        done()
      })
    },
    ...options,
  })
  // Some tests disconnect during the handshake.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => new Promise<void>((resolve) => server.close(resolve)))
  return { received, port: (server.server.address() as AddressInfo).port }
}

/** Starts a mail server that notes each complete mail, and can hold its replies back. */
export async function startGatedServer() {
  const received: { to: string; messageId: string }[] = []
  let gate: PromiseWithResolvers<void> | null = null
  let held = 0
  const { port } = await startSmtpServer({
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', async () => {
        const content = Buffer.concat(chunks).toString()
        const to = envelope.rcptTo.map(({ address }) => address).join()
        // A sender killed while it sends the content has not delivered the mail.
        if (content.endsWith('--\r\n'))
          received.push({ to, messageId: readMessage(content).headers.get('Message-ID') ?? '' })
        held += 1
        await gate?.promise
        held -= 1
        done()
      })
    },
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    held: () => held,
    hold() {
      gate = Promise.withResolvers()
    },
    letGo() {
      gate?.resolve()
      gate = null
    },
  }
}

export type Step = 'connection' | 'EHLO' | 'STARTTLS' | 'MAIL' | 'RCPT' | 'DATA' | 'content' | 'dot' | 'QUIT'

/**
 * Behaviour per step: a reply; null to hang up; '' to stay silent; `cut` to send it without its line end and hang up; a
 * function to call while staying silent.
 */
export type Mood = Partial<Record<Step, string | null | { cut: string } | (() => void)>>

const GOOD: Mood = {
  connection: '220 moody',
  EHLO: '250 moody',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  content: '',
  dot: '250 queued',
  QUIT: '221 bye',
}

/**
 * Starts a hand-written server that fails at the steps that `mood` defines. `open` counts its connections.
 */
export async function startMoodyServer(mood: Mood) {
  const steps: Step[] = []
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    converse(socket, (step, line) => {
      steps.push(step)
      lines.push(line)
      const reply = step in mood ? mood[step] : (GOOD[step] ?? '502 what?')
      if (reply === null || reply === undefined) socket.resetAndDestroy()
      else if (typeof reply === 'function') reply()
      else if (typeof reply === 'object') socket.end(reply.cut)
      else if (reply) socket.write(`${reply}\r\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { steps, lines, open: () => sockets.size, port: (server.address() as AddressInfo).port }
}

function converse(socket: Socket, reach: (step: Step, line: string) => void): void {
  let pending = ''
  let inContent = false
  reach('connection', '')
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    while (pending) {
      const end = inContent ? /(?:^|\r\n)\.\r\n/.exec(pending) : /\r\n/.exec(pending)
      if (inContent) reach('content', '')
      if (!end) {
        if (inContent) pending = pending.slice(-4)
        return
      }
      const line = pending.slice(0, end.index)
      pending = pending.slice(end.index + end[0].length)
      const step = inContent ? 'dot' : (line.split(' ')[0] as Step)
      inContent = step === 'DATA'
      reach(step, line)
    }
  })
}

/** Parses a message: unfolds headers, decodes encoded words and quoted-printable. */
export function readMessage(content: string) {
  const [head = '', body = ''] = content.split(/\r\n\r\n(.*)/s)
  const fields = head.replace(/\r\n[ \t]/g, ' ').split('\r\n')
  const headers = new Map(
    fields.map((field) => [field.split(':')[0], decodeWords(field.replace(/^[^:]*: ?/, ''))]),
  )
  return { head, headers, names: fields.map((field) => field.split(':')[0]), text: unquote(body).toString() }
}

function decodeWords(value: string): string {
  const joined = value.replace(/\?= +=\?/g, '?==?')
  return joined.replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
    encoding.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString()
      : unquote(text.replaceAll('_', ' ')).toString(),
  )
}

function unquote(text: string): Buffer {
  const joined = text.replace(/=\r\n/g, '')
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}
