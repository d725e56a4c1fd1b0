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
import { type BenchDatabase, run } from '../connections.ts'
import { type Bench, skipped, verdictOf, whole } from '../measure.ts'
import { folder } from '../process.ts'
import type { Row } from '../report.ts'
import { secret } from '../service.ts'
import { communesOfGroup, makeGroups } from './groups.ts'
import { asAdmin } from './long-work.ts'

/** Mails per second: what a relay for mass mail takes. At the default of 20, 10 000 mails take 500 s by the clock alone. */
const mailRate = 200
const heapMb = 128
const batchSize = 5_000

/** A mail server and a push service that accept everything and note when. Services that are to use them get `env`. */
export async function openSinks() {
  const mails: { at: number; to: string }[] = []
  const pushes: { at: number; path: string }[] = []
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
      pushes.push({ at: performance.now(), path: request.url ?? '' })
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
  const { world, database } = bench.small
  const [commune] = await run(database.superuser, 'select id from communes where slug = $1', [
    world.communeSlug,
  ])
  const path = `/mairie/communes/${commune.id}/alertes`
  return alerteTo(bench, sinks, {
    ...{ scenario: `alerte to ${whole(count)} subscribers`, path, count },
    communesOf: () => [commune.id],
  })
}

/**
 * An urgent alerte of a group of 545 communes, a hundred of which are also in another group of its acteur. Each subscriber follows
 * three of them.
 */
export async function alerteByGroup(bench: Bench, sinks: Sinks, count: number): Promise<Row[]> {
  const [acteur] = bench.small.world.acteurs
  const communes = await communesOfGroup(bench.small)
  await makeGroups(bench.small, acteur, [communes, communes.slice(0, 100)])
  return alerteTo(bench, sinks, {
    scenario: `alerte by a group of 545 communes to 2 × ${whole(count)} subscribers`,
    path: `/mairie/acteurs/${acteur}/alertes`,
    count,
    communesOf: (n) => [0, 1, 2].flatMap((at) => communes[(n * 7 + at * 181) % communes.length] ?? []),
  })
}

type Sending = {
  scenario: string
  path: string
  /** As many by mail and as many by browser. */
  count: number
  /** The communes that a subscriber follows. */
  communesOf(number: number): string[]
}

async function alerteTo(bench: Bench, sinks: Sinks, sending: Sending): Promise<Row[]> {
  const { service, world, database } = bench.small
  const { scenario, path, count } = sending
  const small = { ...bench, service, world }
  const page = await fetch(`http://127.0.0.1:${service.port}/communes/${world.communeSlug}/abonnement`)
  const [, serverKey] = /data-cle="([^"]+)"/.exec(await page.text()) ?? []
  if (serverKey === undefined) return [skipped(scenario, 'there are no notifications')]
  await subscribe(bench, sinks, { ...sending, serverKey })
  // Mail sign-in is for accounts whose subject is their address.
  const email = 'sign-in@example.org'
  await run(
    database.superuser,
    `insert into users (id, issuer, subject, email, email_verified) values ($1, 'parvis', $2, $2, true)
     on conflict (issuer, subject) do nothing`,
    [uuidv7(), email],
  )
  sinks.mails.length = 0
  sinks.pushes.length = 0
  /** The goal is for 10 000; a longer one has as much time for each 10 000. */
  const times10k = Math.max(1, count / 10_000)
  const before = service.memoryMb() ?? 0
  let most = before
  const startedAt = performance.now()
  const made = await asAdmin(small, 'POST', path, {
    ...{ titre: 'Coupure d’eau', message: 'Rue du Puits, de 8 h à midi.', niveau: 'urgence' },
  })
  if (made.status !== 201) return [skipped(scenario, `it answered ${made.status}: ${await made.text()}`)]
  const until = async (isDone: () => boolean) => {
    for (; !isDone() && performance.now() - startedAt < 600_000 * times10k; await sleep(20))
      most = Math.max(most, service.memoryMb() ?? 0)
  }
  let read = 0
  const mailed: number[] = []
  /** When the mails of the alerte arrived. */
  const arrived = () => {
    for (; read < sinks.mails.length; read++) {
      const { at, to } = sinks.mails[read] as { at: number; to: string }
      if (to.startsWith('bench-')) mailed.push(at)
    }
    return mailed
  }
  await until(() => arrived().length >= 100)
  const askedAt = performance.now()
  await asAdmin(small, 'POST', '/auth/email', { email })
  const signIn = () => sinks.mails.find(({ to }) => to === email)
  await until(() => signIn() !== undefined || performance.now() - askedAt > 30_000)
  await until(() => sinks.pushes.length >= count && arrived().length >= count)
  // A second message to a subscriber comes after the first ones of all.
  await untilEnded(database.superuser)
  const seconds = (at: number | undefined) => ((at ?? Number.POSITIVE_INFINITY) - startedAt) / 1_000
  const times = {
    hundred: seconds(sinks.pushes[99]?.at),
    pushes: seconds(sinks.pushes[count - 1]?.at),
    mails: seconds(arrived()[count - 1]),
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
    row('last push', times.pushes, 30 * times10k),
    row('last mail', times.mails, 600 * times10k, 's', [`MAIL_RATE=${mailRate}`]),
    row('a sign-in mail in between', times.sign_in, 2),
    row('growth of memory', grown, 50, 'MB', [`heap of ${heapMb} MB`]),
    row('not told once', notToldOnce(sinks, count), 0, 'subscribers'),
  ]
}

/** Waits until nothing of any broadcast remains to be sent. */
async function untilEnded(database: BenchDatabase['superuser']): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const open = await run(
      database,
      "select 1 from broadcasts where status in ('expanding', 'sending') limit 1",
    )
    if (open.length === 0) return
    await sleep(100)
  }
}

/** Counts subscribers that were told not at all or more than once. */
function notToldOnce({ mails, pushes }: Sinks, count: number): number {
  const told = new Map<string, number>()
  for (const name of [...mails.map(({ to }) => to), ...pushes.map(({ path }) => path)])
    told.set(name, (told.get(name) ?? 0) + 1)
  const names = Array.from({ length: count }, (_, n) => [`bench-${n}@example.org`, `/${n}`]).flat()
  return names.filter((name) => told.get(name) !== 1).length
}

/** Stores as many subscribers by mail as by browser. Browsers share one key pair: nobody decrypts here. */
async function subscribe(
  { small: { database } }: Bench,
  { pushUrl }: Sinks,
  { count, communesOf, serverKey }: Sending & { serverKey: string },
): Promise<void> {
  const addresses = addressesOf([secret])
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  const keys = { p256dh, auth: randomBytes(16).toString('base64url'), serverKey }
  await run(database.superuser, 'delete from resident_subscribers')
  for (let from = 0; from < count; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - from) }, (_, at) => {
      const n = from + at
      const contents = [
        { channel: 'email' as const, address: `bench-${n}@example.org`, secret: newSecret() },
        { channel: 'push' as const, address: `${pushUrl}/${n}`, secret: newSecret(), push: keys },
      ]
      return contents.map((one) => {
        const id = uuidv7()
        const { address, address_digest, key_id } = addresses.seal(id, one)
        return {
          ...{ id, channel: one.channel, key_id, address: address.toString('hex') },
          ...{ digest: address_digest.toString('hex'), communes: communesOf(n) },
        }
      })
    }).flat()
    await run(
      database.superuser,
      `with given as (
         select * from jsonb_to_recordset($1::jsonb)
           as r (id uuid, channel text, address text, digest text, key_id text, communes uuid[])),
       stored as (
         insert into resident_subscribers (id, channel, address, address_digest, key_id)
         select id, channel, decode(address, 'hex'), decode(digest, 'hex'), key_id from given)
       insert into resident_choices (subscriber_id, commune_id, alertes, confirmed_at)
       select id, unnest(communes), 'all', now() from given`,
      [JSON.stringify(rows)],
    )
  }
  await run(database.superuser, 'analyze resident_subscribers, resident_choices')
}
