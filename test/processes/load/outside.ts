import { text } from 'node:stream/consumers'
import { device, openRegistry } from '../../../src/modules/defibrillateurs/sync/registry.test-kit.ts'
import { rss } from '../../../src/modules/imports/imports.test-kit.ts'
import { readMessage, startSmtpServer } from '../../../src/platform/mail/mail-servers.test-kit.ts'

export type Outside = Awaited<ReturnType<typeof openOutside>>

/** Everything the service talks to, on this machine: a mail server, a feed, the defibrillator registry. */
export async function openOutside() {
  const mails = await startSlowMailServer()
  const feed = await openRegistry()
  const registry = await openRegistry()
  const devices: ReturnType<typeof device>[] = []
  return {
    settings: {
      MAIL_URL: `smtp://127.0.0.1:${mails.port}`,
      IMPORT_ALLOW_PRIVATE: 'true',
      GEODAE_API_URL: registry.apiUrl,
    },
    feedUrl: `${feed.url}/feed.xml`,
    /** Sets the content of the feed. */
    publish(items: Parameters<typeof rss>) {
      const text = rss(...items)
      feed.says((response) => response.setHeader('content-type', 'text/xml').end(text))
    },
    /** Adds one device in Saint-Étienne. */
    install(number: number) {
      devices.push(device(number))
      registry.answersPages(devices, 50)
    },
    /** How often each mail arrived completely. */
    arrived() {
      const whole = mails.contents.filter((content) => /(--|quipe)\r\n$/.test(content))
      const ids = whole.map((content) => readMessage(content).headers.get('Message-ID') ?? '')
      return new Map(ids.map((id) => [id, ids.filter((other) => other === id).length]))
    },
    close() {
      feed.close()
      registry.close()
    },
  }
}

/** Holds a mail for a while before it acknowledges it: a sender killed meanwhile cannot know. */
async function startSlowMailServer() {
  const contents: string[] = []
  const { port } = await startSmtpServer({
    async onData(stream, _session, done) {
      // Null when the sender dies in the middle.
      const content = await text(stream).catch(() => null)
      if (content !== null) contents.push(content)
      setTimeout(done, 200)
    },
  })
  return { contents, port }
}
