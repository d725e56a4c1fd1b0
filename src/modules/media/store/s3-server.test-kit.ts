import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

const keys = {
  AWS_ACCESS_KEY_ID: 'parvis',
  AWS_SECRET_ACCESS_KEY: 'secret/of+parvis',
  AWS_REGION: 'eu-west-3',
}

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Computes the signature of a request as Signature Version 4 describes it. */
function signatureOf({ method, headers, url = '' }: IncomingMessage, date: string, signed: string): string {
  const { pathname, search } = new URL(url, 'http://s3')
  const canonical = [
    ...[method, pathname, search.slice(1)],
    ...signed.split(';').map((name) => `${name}:${headers[name]}`),
    ...['', signed, headers['x-amz-content-sha256']],
  ].join('\n')
  const scope = `${date}/${keys.AWS_REGION}/s3/aws4_request`
  const key = [date, keys.AWS_REGION, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${keys.AWS_SECRET_ACCESS_KEY}`,
  )
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest(canonical)].join('\n')
  return hmac(key, text).toString('hex')
}

/** True if a request is signed with the keys of this server, and says the digest of its body. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { authorization = '', ...headers } = request.headers
  const [, date = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=parvis\/(\d{8})\/eu-west-3\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      authorization,
    ) ?? []
  const isBody = request.method === 'PUT' ? headers['x-amz-content-sha256'] === digest(body) : true
  return isBody && signature === signatureOf(request, date, signed)
}

type Behaviour = (method: string, response: ServerResponse, content: Buffer | undefined) => boolean

/** Starts an S3 server for the tests of a file: a bucket in memory that verifies signatures, and misbehaves when told. */
export async function openS3() {
  const objects = new Map<string, Buffer>()
  const asked: string[] = []
  let misbehave: Behaviour = () => false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { method = '', url = '' } = request
    const content = objects.get(url)
    asked.push(`${method} ${url}`)
    if (!isSigned(request, body)) return response.writeHead(403).end()
    if (misbehave(method, response, content)) return
    if (method === 'PUT') {
      objects.set(url, body)
      return response.writeHead(200).end()
    }
    if (method === 'DELETE') {
      objects.delete(url)
      return response.writeHead(204).end()
    }
    if (content === undefined) return response.writeHead(404).end()
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined) return response.writeHead(200).end(content)
    return response.writeHead(206).end(content.subarray(Number(first), Number(last) + 1))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  afterAll(close)
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  return {
    env: { ...keys, MEDIA_URL: `s3://parvis-media/in-Bresse?endpoint=${endpoint}` },
    place: {
      ...{ endpoint, bucket: 'parvis-media', prefix: 'in-Bresse/', region: keys.AWS_REGION },
      accessKeyId: keys.AWS_ACCESS_KEY_ID,
      secretAccessKey: keys.AWS_SECRET_ACCESS_KEY,
    },
    objects,
    /** The requests so far. */
    asked,
    close,
    /** The behaviour returns true if it answers, or never will. */
    behave(behaviour: Behaviour | null) {
      misbehave = behaviour ?? (() => false)
    },
  }
}
