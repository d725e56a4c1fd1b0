import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import type { World } from '../../../test/support/world.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../platform/mail/certificate.test-kit.ts'
import { webhookBox } from './secrets.ts'
import { postToWebhooks, sendDue, type Tools } from './sending/jobs.ts'

export type Message = {
  headers: IncomingHttpHeaders
  text: string
  body: { type: string; data: { id: string; url: string } }
}
type Answer = (response: ServerResponse, message: Message) => void

/** Starts a program that receives webhooks over https. It accepts all unless told otherwise. */
export async function startReceiver() {
  const received: Message[] = []
  const accepts: Answer = (response) => void response.writeHead(204).end()
  const receiver = { received, answer: accepts, accepts, atOnce: 0, most: 0 }
  const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, async (request, response) => {
    receiver.atOnce += 1
    receiver.most = Math.max(receiver.most, receiver.atOnce)
    response.on('close', () => {
      receiver.atOnce -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const message = { headers: request.headers, text, body: JSON.parse(text) }
    received.push(message)
    receiver.answer(response, message)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return Object.assign(receiver, { url })
}

/** Posts to receivers of tests. */
export const postTo = (timeoutMs = 15_000) => postToWebhooks(true, { ca: TEST_CERTIFICATE, timeoutMs })

/** What sends webhooks in tests: private addresses are allowed, and the certificate of the receiver is known. */
export function senderOf({ db, config }: { db: World['db']; config: { sessionKeys: readonly string[] } }) {
  const post = postTo()
  const box = webhookBox(config.sessionKeys)
  const noticed: string[] = []
  const notify: Tools['notify'] = async (_tx, kind) => void noticed.push(kind)
  const tools: Tools = {
    db,
    post,
    box,
    notify,
    clock: () => new Date(),
    publicUrl: 'https://parvis.example/',
  }
  const { signal } = new AbortController()
  /** Sends what is due, until nothing is. */
  const send = (changed: Partial<Tools> = {}, stopped = signal) =>
    sendDue({ ...tools, ...changed }, stopped, { forMs: 60_000, everyMs: 5 })
  /** Makes waiting deliveries and paused webhooks due. A second ago, because the columns round to the next millisecond. */
  const makeDue = async () => {
    await sql`update webhook_deliveries set next_at = now() - interval '1 second', claimed_until = null
      where state = 'waiting' and at <= now()`.execute(db)
    await sql`update webhooks set paused_until = null`.execute(db)
  }
  return { tools, send, makeDue, noticed }
}
