import type { SearchObject } from 'imapflow'
import type { MailBox } from '../../../platform/formats/mail-url.ts'

export type Arrived = { uid: number; bytes: number; head: Buffer }
export type OpenMailbox = {
  /** Changes when the server numbers its mails anew. */
  uidValidity: bigint
  /** The numbers of mails that arrived since a day. */
  list(since: Date): Promise<number[]>
  listUnread(since: Date): Promise<number[]>
  heads(uids: number[]): Promise<Arrived[]>
  /** Returns the mail, at most so many bytes of it. */
  source(uid: number, maxBytes: number): Promise<Buffer>
  markRead(uids: number[]): Promise<void>
  close(): void
}

const readHeaders = [
  ...['from', 'to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'subject', 'date', 'message-id'],
  ...['in-reply-to', 'references', 'content-type', 'authentication-results', 'return-path', 'auto-submitted'],
  ...['precedence', 'x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-apple-action', 'list-id'],
]

/** Opens a mailbox by IMAP, and marks nothing as read by reading it. */
export async function openMailbox(
  { folder, requireTls, ...server }: MailBox,
  signal: AbortSignal,
): Promise<OpenMailbox> {
  // Loaded here and not at each start: most installations have no mailbox.
  const { ImapFlow } = await import('imapflow')
  signal.throwIfAborted()
  const client = new ImapFlow({
    ...server,
    ...(requireTls && { doSTARTTLS: true }),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
  })
  const close = () => client.close()
  // The command that waits fails too.
  client.on('error', () => undefined)
  signal.addEventListener('abort', close, { once: true })
  const { uidValidity } = await client
    .connect()
    .then(() => client.mailboxOpen(folder))
    .catch((error: unknown) => {
      close()
      throw error
    })
  async function search(wanted: SearchObject): Promise<number[]> {
    const found = await client.search(wanted, { uid: true })
    if (!Array.isArray(found)) throw new Error('the mailbox cannot be searched')
    return found
  }
  return {
    uidValidity,
    list: (since) => search({ since }),
    listUnread: (since) => search({ since, seen: false }),
    async heads(uids) {
      const found = await client.fetchAll(
        uids.join(),
        { uid: true, size: true, headers: readHeaders },
        { uid: true },
      )
      return found.map(({ uid, size = 0, headers = Buffer.alloc(0) }) => ({
        uid,
        bytes: size,
        head: headers,
      }))
    },
    async source(uid, maxBytes) {
      const found = await client.fetchOne(String(uid), { source: { maxLength: maxBytes } }, { uid: true })
      if (found === false || found.source === undefined) throw new Error(`mail ${uid} is gone`)
      return found.source
    },
    async markRead(uids) {
      if (uids.length > 0) await client.messageFlagsAdd(uids.join(), ['\\Seen'], { uid: true })
    },
    close,
  }
}
