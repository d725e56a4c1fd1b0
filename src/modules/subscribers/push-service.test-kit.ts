import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { afterAll } from 'vitest'
import { TEST_CERTIFICATE, TEST_KEY } from '../../platform/mail/certificate.test-kit.ts'

/** A browser that subscribed: its keys, and its endpoint at a push service of the tests. */
export type Browser = { endpoint: string; p256dh: string; auth: string }
type Answer = { status: number; headers?: Record<string, string> } | 'silence' | 'cut'
type Received = {
  browser: Browser
  title: string
  body: string
  path: string
  tag: string
  manage: string
  headers: Record<string, string | string[] | undefined>
  size: number
  /** The subject of the verified signature, and the key that signed. */
  subject: unknown
  key: string
}

type AnswerTo = (browser: Browser) => Answer | Promise<Answer>

/**
 * Starts a push service over https, which does what a browser would: it decrypts each message with code of its own (RFC 8291) and
 * verifies its signature (RFC 8292). It accepts all unless told otherwise. `asked` counts requests; silent messages are in `silent`.
 */
export async function startPushService(answerTo: AnswerTo = () => ({ status: 201 })) {
  const received: Received[] = []
  const silent: Browser[] = []
  const browsers = new Map<string, { browser: Browser; curve: ECDH }>()
  const service = { answerTo, asked: 0 }
  const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, async (request, response) => {
    service.asked += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const known = browsers.get(request.url ?? '')
    const answer = known === undefined ? { status: 404 } : await service.answerTo(known.browser)
    if (answer === 'silence') return
    if (answer === 'cut') return void request.socket.destroy()
    if (known !== undefined && answer.status < 300) {
      const content = Buffer.concat(chunks)
      const { authorization = '' } = request.headers
      const message = JSON.parse(decrypt(content, known.curve, known.browser).toString())
      const signed = await verify(authorization, url())
      if (message.silent === true) silent.push(known.browser)
      else
        received.push({
          ...{ browser: known.browser, ...message, headers: request.headers, size: content.length },
          ...signed,
        })
    }
    response.writeHead(answer.status, answer.headers ?? {}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(service, {
    received,
    silent,
    /** Cuts all connections, those too that wait for an answer. */
    hangUp: () => server.closeAllConnections(),
    url: url(),
    ca: TEST_CERTIFICATE,
    browser(): Browser {
      const curve = createECDH('prime256v1')
      const path = `/push/${randomBytes(16).toString('base64url')}`
      const browser = {
        endpoint: `${url()}${path}`,
        p256dh: curve.generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      }
      browsers.set(path, { browser, curve })
      return browser
    },
  })
}

/** Decrypts a message of one record: salt, record size, the sender's key, then AES-128-GCM. */
function decrypt(content: Buffer, curve: ECDH, { p256dh, auth }: Browser): Buffer {
  const salt = content.subarray(0, 16)
  const sender = content.subarray(21, 21 + content.readUInt8(20))
  const sealed = content.subarray(21 + sender.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(p256dh, 'base64url'), sender])
  const derive = (secret: Buffer, salted: Buffer, about: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salted, about, length))
  const shared = derive(curve.computeSecret(sender), Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The last record ends with 2, then padding.
  return padded.subarray(0, padded.lastIndexOf(2))
}

async function verify(authorization: string, audience: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const { payload } = await jwtVerify(token, createPublicKey({ key: jwk, format: 'jwk' }), { audience })
  return { subject: payload.sub, key }
}
