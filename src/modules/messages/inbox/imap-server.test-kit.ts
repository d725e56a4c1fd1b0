import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

type Stored = { uid: number; raw: Buffer; bytes: number; flags: Set<string>; at: Date }
export type ImapOptions = {
  tls?: TlsOptions
  uidValidity?: number
  /** Called before each command; a server that hangs up while it waits has not carried it out. */
  before?: ((command: string, hangUp: () => void) => void | Promise<void>) | undefined
}

/** Starts a small IMAP server on a free port: what `openMailbox` asks for, over real sockets, and no more. */
export async function startImapServer({ uidValidity = 1, before, tls }: ImapOptions = {}) {
  const mails: Stored[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const state = {
    ...{ uidValidity, password: 'sesame', before },
    /** Commands that are answered by NO. */
    refuses: undefined as ((command: string) => boolean) | undefined,
  }
  const server = tls ? createTlsServer(tls, converse) : createServer(converse)
  function converse(socket: Socket) {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    const say = (text: string) => socket.writable && socket.write(text, 'latin1')
    say('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    let pending = ''
    let turn = Promise.resolve()
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1')
      for (let end = pending.indexOf('\r\n'); end !== -1; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end)
        pending = pending.slice(end + 2)
        turn = turn.then(() => obey(line))
      }
    })
    async function obey(line: string) {
      const [tag = '', ...words] = line.split(' ')
      const command = words.join(' ')
      commands.push(command)
      await state.before?.(command, () => socket.destroy())
      if (socket.destroyed) return
      say(`${respond(command)}${tag} ${verdict(command)}\r\n`)
      if (/^LOGOUT/i.test(command)) socket.end()
    }
  }
  function verdict(command: string): string {
    if (state.refuses?.(command)) return 'NO no'
    const isStranger = /^LOGIN/i.test(command) && !command.includes(state.password)
    return isStranger ? 'NO [AUTHENTICATIONFAILED] no' : 'OK done'
  }

  function respond(command: string): string {
    if (state.refuses?.(command)) return ''
    if (/^CAPABILITY/i.test(command)) return '* CAPABILITY IMAP4rev1\r\n'
    if (/^(LIST|LSUB)/i.test(command)) return '* LIST () "/" INBOX\r\n'
    if (/^SELECT/i.test(command))
      return `* FLAGS (\\Seen)\r\n* ${mails.length} EXISTS\r\n* OK [UIDVALIDITY ${state.uidValidity}]\r\n* OK [UIDNEXT ${mails.length + 1}]\r\n`
    if (/^UID SEARCH/i.test(command)) return search(command)
    if (/^UID FETCH/i.test(command)) return named(command).map(fetched(command)).join('')
    if (/^UID STORE/i.test(command)) return named(command).map(flagged).join('')
    return ''
  }
  const named = (command: string) => {
    const uids = new Set((/^UID \w+ (\S+)/i.exec(command)?.[1] ?? '').split(',').flatMap(range))
    return mails.filter(({ uid }) => uids.has(uid))
  }
  function range(text: string): number[] {
    const [from = 0, to = from] = text.split(':').map(Number)
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  }
  function search(command: string): string {
    const since = new Date(/SINCE (\S+)/i.exec(command)?.[1] ?? 0)
    const found = mails.filter(
      ({ at, flags }) => at >= since && !(/UNSEEN/i.test(command) && flags.has('\\Seen')),
    )
    return `* SEARCH ${found.map(({ uid }) => uid).join(' ')}\r\n`
  }
  const fetched =
    (command: string) =>
    ({ uid, raw, bytes }: Stored): string => {
      const fields = /BODY\.PEEK\[HEADER\.FIELDS \(([^)]*)\)\]/i.exec(command)
      const whole = /BODY\.PEEK\[\]<0\.(\d+)>/i.exec(command)
      const text = raw.toString('latin1')
      const parts = [`UID ${uid}`]
      if (/RFC822\.SIZE/i.test(command)) parts.push(`RFC822.SIZE ${bytes}`)
      if (fields) parts.push(literal(`BODY[HEADER.FIELDS (${fields[1]})]`, headOf(text, fields[1] ?? '')))
      if (whole) parts.push(literal('BODY[]<0>', text.slice(0, Number(whole[1]))))
      return `* ${uid} FETCH (${parts.join(' ')})\r\n`
    }
  const flagged = ({ uid, flags }: Stored): string => {
    flags.add('\\Seen')
    return `* ${uid} FETCH (UID ${uid} FLAGS (\\Seen))\r\n`
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    state,
    commands,
    mails,
    open: () => sockets.size,
    url: `imap://reponse%40example.org:sesame@127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Puts a mail into the mailbox, and returns its number. `bytes`: how large the server says that it is. */
    deliver(text: string, bytes?: number): number {
      const uid = mails.length + 1
      const raw = Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'))
      mails.push({ uid, raw, bytes: bytes ?? raw.length, flags: new Set(), at: new Date() })
      return uid
    },
    isRead: (uid: number) => mails.find((mail) => mail.uid === uid)?.flags.has('\\Seen') ?? false,
  }
}

const literal = (name: string, text: string) => `${name} {${text.length}}\r\n${text}`

function headOf(text: string, asked: string): string {
  const names = new Set(asked.toLowerCase().split(' '))
  const [head = ''] = text.split('\r\n\r\n', 1)
  const fields = head.split(/\r\n(?![ \t])/)
  return `${fields.filter((field) => names.has(field.split(':')[0]?.toLowerCase() ?? '')).join('\r\n')}\r\n\r\n`
}
