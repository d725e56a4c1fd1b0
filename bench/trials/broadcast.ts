import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { addressesOf } from '../../src/modules/subscribers/addresses.ts'
import { newSecret } from '../../src/platform/access/sealed-addresses.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../src/platform/mail/certificate.test-kit.ts'
import { run } from '../connections.ts'
import { type Bench, skipped, verdictOf, whole } from '../measure.ts'
import { folder } from '../process.ts'
import type { Row } from '../report.ts'
import { secret } from '../service.ts'
import { asAdmin } from './long-work.ts'

/** Mails per second: what a relay for mass mail takes. At the default of 20, 10 000 mails take 500 s by the clock alone. */
const mailRate = 200
const heapMb = 128

/** A mail server and a push service that accept everything and note when. Services that are to use them get `env`. */
export async function openSinks() {
  const mails: { at: number; to: string }[] = []
  const pushes: number[] = []
  const smtp = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData(stream, { envelope }, done) {
      stream.resume()
      stream.on('end', () => {
        mails.push({ at: performance.now(), to: envelope.rcptTo[0]?.address ?? '' })
        done()
      })
    },
  })
  const push = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (request, response) => {
    request.resume().on('end', () => {
      pushes.push(performance.now())
      response.writeHead(201).end()
    })
  })
  await Promise.all([
    once(smtp.listen(0, '127.0.0.1'), 'listening'),
    once(push.listen(0, '127.0.0.1'), 'listening'),
  ])
  mkdirSync(folder, { recursive: true })
  const certificate = join(folder, 'push.pem')
  writeFileSync(certificate, TEST_CERTIFICATE)
  return {
    mails,
    pushes,
    pushUrl: `https://127.0.0.1:${(push.address() as AddressInfo).port}`,
    env: {
      MAIL_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
      MAIL_RATE: `${mailRate}`,
      // Shows what is needed: V8 keeps hundreds of megabytes of garbage while memory is free.
      NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
      NODE_EXTRA_CA_CERTS: certificate,
    },
    async close() {
      push.closeAllConnections()
      push.close()
      await new Promise<void>((resolve) => smtp.close(resolve))
    },
  }
}
type Sinks = Awaited<ReturnType<typeof openSinks>>

/** An urgent alerte to as many by mail and as many by browser, and a sign-in mail in between. */
export async function alerteToMany(bench: Bench, sinks: Sinks, count: number): Promise<Row[]> {
  const { service, world, database } = bench.small
  const scenario = `alerte to ${whole(count)} subscribers`
  const page = await fetch(`http://127.0.0.1:${service.port}/communes/${world.communeSlug}/abonnement`)
  const [, serverKey] = /data-cle="([^"]+)"/.exec(await page.text()) ?? []
  if (serverKey === undefined) return [skipped(scenario, 'there are no notifications')]
  const [commune] = await run(database.superuser, 'select id from communes where slug = $1', [
    world.communeSlug,
  ])
  await subscribe(bench, sinks, { count, communeId: commune.id, serverKey })
  // Mail sign-in is for accounts whose subject is their address.
  const email = 'sign-in@example.org'
  await run(
    database.superuser,
    `insert into users (id, issuer, subject, email, email_verified) values ($1, 'parvis', $2, $2, true)
     on conflict (issuer, subject) do nothing`,
    [uuidv7(), email],
  )
  const before = service.memoryMb() ?? 0
  let most = before
  const startedAt = performance.now()
  const made = await asAdmin({ ...bench, service, world }, 'POST', `/mairie/communes/${commune.id}/alertes`, {
    ...{ titre: 'Coupure d’eau', message: 'Rue du Puits, de 8 h à midi.', niveau: 'urgence' },
  })
  if (made.status !== 201) return [skipped(scenario, `it answered ${made.status}: ${await made.text()}`)]
  const until = async (isDone: () => boolean) => {
    for (; !isDone() && performance.now() - startedAt < 300_000; await sleep(20))
      most = Math.max(most, service.memoryMb() ?? 0)
  }
  const mailed = () => sinks.mails.filter(({ to }) => to.startsWith('bench-'))
  await until(() => mailed().length >= 100)
  const askedAt = performance.now()
  await asAdmin({ ...bench, service, world }, 'POST', '/auth/email', { email })
  const signIn = () => sinks.mails.find(({ to }) => to === email)
  await until(() => signIn() !== undefined || performance.now() - askedAt > 30_000)
  await until(() => sinks.pushes.length >= count && mailed().length >= count)
  const seconds = (at: number | undefined) => ((at ?? Number.POSITIVE_INFINITY) - startedAt) / 1_000
  const times = {
    hundred: seconds(sinks.pushes[99]),
    pushes: seconds(sinks.pushes[count - 1]),
    mails: seconds(mailed()[count - 1]?.at),
    sign_in: ((signIn()?.at ?? Number.POSITIVE_INFINITY) - askedAt) / 1_000,
  }
  const grown = most - before
  const row = (what: string, value: number, limit: number, unit = 's', notes: string[] = []): Row => ({
    scenario: `${scenario}: ${what}`,
    measured: `${value.toFixed(1)} ${unit}`,
    target: `≤ ${limit} ${unit}`,
    verdict: verdictOf(value <= limit),
    notes,
    figures: { value },
  })
  return [
    row('first hundred pushes', times.hundred, 2),
    row('last push', times.pushes, 30),
    row('last mail', times.mails, 600, 's', [`MAIL_RATE=${mailRate}`]),
    row('a sign-in mail in between', times.sign_in, 2),
    row('growth of memory', grown, 50, 'MB', [`heap of ${heapMb} MB`]),
  ]
}

type Audience = { count: number; communeId: string; serverKey: string }

/** Stores as many subscribers by mail as by browser. Browsers share one key pair: nobody decrypts here. */
async function subscribe(
  { small: { database } }: Bench,
  { pushUrl }: Sinks,
  audience: Audience,
): Promise<void> {
  const { count, communeId, serverKey } = audience
  const addresses = addressesOf([secret])
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  const keys = { p256dh, auth: randomBytes(16).toString('base64url'), serverKey }
  const contents = Array.from({ length: count }, (_, n) => [
    { channel: 'email' as const, address: `bench-${n}@example.org`, secret: newSecret() },
    { channel: 'push' as const, address: `${pushUrl}/${n}`, secret: newSecret(), push: keys },
  ]).flat()
  const rows = contents.map((one) => {
    const id = uuidv7()
    const { address, address_digest, key_id } = addresses.seal(id, one)
    return {
      ...{ id, channel: one.channel, key_id, address: address.toString('hex') },
      digest: address_digest.toString('hex'),
    }
  })
  await run(database.superuser, 'delete from resident_subscribers')
  await run(
    database.superuser,
    `with stored as (
       insert into resident_subscribers (id, channel, address, address_digest, key_id)
       select id, channel, decode(address, 'hex'), decode(digest, 'hex'), key_id
       from jsonb_to_recordset($1::jsonb) as r (id uuid, channel text, address text, digest text, key_id text)
       returning id)
     insert into resident_choices (subscriber_id, commune_id, alertes, confirmed_at) select id, $2, 'all', now() from stored`,
    [JSON.stringify(rows), communeId],
  )
  await run(database.superuser, 'analyze resident_subscribers, resident_choices')
}
