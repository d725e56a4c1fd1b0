import type { Pool } from 'pg'
import { modules } from '../app.ts'
import { readSecret } from '../embedded-postgres/files/secrets.ts'
import { ignoreEvent, replayEvent, replayFailed } from '../modules/payments/failures/rules.ts'
import type { PaymentEvent } from '../modules/payments/inbox/schema.ts'
import { sign } from '../modules/payments/inbox/signature.ts'
import { sampleInvoice, sampleSubscription } from '../modules/payments/sample.ts'
import { paymentsSettings, storedSigningSecret } from '../modules/payments/settings.ts'
import { type Config, readConfig, settingsOf } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { isUuid } from '../platform/formats/uuid.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { type Arguments, command, flag, type Io, text, withDatabase } from './command.ts'

const options = { id: text, failed: flag, acteur: text, url: text }

/** `payments replay --id e | --failed`, `payments ignore --id e`, `payments sample [--acteur a] [--url u]`. */
export const run = command(
  {
    name: 'payments',
    usage: `Usage: npm run payments -- replay --id <event> | --failed
  enqueues an event of the payment provider again, or all whose effect could not be applied
npm run payments -- ignore --id <event>
  closes one that nobody needs
npm run payments -- sample [--acteur <id>] [--url http://127.0.0.1:3000]
  sends a signed event to the running service: a paid invoice, which makes a line of the log;
  with an acteur, a subscription of that acteur for a month
`,
    options,
    allowPositionals: true,
  },
  async (given, io) => {
    io.stdout.write(`${await perform(readRequest(given), io)}\n`)
  },
)

type Request =
  | { what: 'replay'; id: string | null }
  | { what: 'ignore'; id: string }
  | { what: 'sample'; acteur: string | null; url: string | null }

function readRequest({ values, positionals: [what, ...more] }: Arguments<typeof options>): Request {
  const { id = null, failed, acteur = null, url = null } = values
  if (more.length > 0 || (what !== 'replay' && what !== 'ignore' && what !== 'sample'))
    throw new StartError('Name what to do: replay, ignore or sample.')
  if (what === 'sample') {
    if (id !== null || failed) throw new StartError('sample needs --acteur and --url.')
    if (acteur !== null && !isUuid(acteur)) throw new StartError('--acteur is the id of an acteur.')
    return { what, acteur, url }
  }
  if (acteur !== null || url !== null) throw new StartError('--acteur and --url go with sample.')
  if (what === 'ignore') {
    if (id === null || failed) throw new StartError('Name the event: --id <event>.')
    return { what, id }
  }
  if ((id === null) !== failed) throw new StartError('Name the event: --id <event>, or --failed for all.')
  return { what, id }
}

async function perform(request: Request, io: Io): Promise<string> {
  const config = readConfig(modules, io.env, { needsTokens: false })
  if (request.what === 'sample') return sendSample(request, config)
  return withDatabase(io, config, async ({ db, pools }) => {
    if (request.what === 'ignore') {
      await ignoreEvent(db, request.id)
      return `${request.id} is ignored.`
    }
    return withJobs(db, pools.jobs, async (jobs) => {
      if (request.id === null) {
        const count = await replayFailed({ db, jobs })
        return count === 0 ? 'None has failed.' : `Enqueued again: ${count}.`
      }
      await replayEvent({ db, jobs }, request.id)
      return `${request.id} is enqueued again.`
    })
  })
}

/** Enqueues jobs; the service runs them, at the latest when it starts. */
async function withJobs<T>(
  db: Database,
  pool: Pool,
  work: (jobs: ReturnType<typeof createJobs>) => Promise<T>,
): Promise<T> {
  const jobs = createJobs({ db, pool, log: { warn: () => {}, error: () => {} } })
  return work(jobs).finally(() => jobs.stop())
}

type SampleRequest = Extract<Request, { what: 'sample' }>

async function sendSample({ acteur, url }: SampleRequest, config: Config): Promise<string> {
  const event = sampleOf(acteur, new Date())
  const body = JSON.stringify(event)
  const target = new URL('/api/v1/webhooks/payment', url ?? addressOf(config))
  const response = await send(target, body, await sign(body, findSecret(config)))
  const text = await response.text()
  if (!response.ok) throw new StartError(`${target} answered ${response.status}: ${text}`)
  return `${event.id} (${event.type}): ${text}`
}

function sampleOf(acteurId: string | null, now: Date): PaymentEvent {
  if (acteurId === null) return sampleInvoice(now)
  const periodEnd = new Date(now.getTime() + 30 * 86_400_000)
  const ids = { subscription: `sub_sample_${acteurId}`, customer: `cus_sample_${acteurId}` }
  return sampleSubscription({
    ...ids,
    acteurId,
    periodEnd,
    status: 'active',
    price: 'sample',
    createdAt: now,
  })
}

async function send(url: URL, body: string, signature: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'payment-signature': signature }
  return fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new StartError(
      `No service responds at ${url.origin}: start Parvis, or give its address with --url.`,
    )
  })
}

/** Returns the local address of the service. */
function addressOf({ host, port }: Config): string {
  const near = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${near}:${port}`
}

/** Returns a secret that the service accepts. */
function findSecret(config: Config): string {
  const [given] = settingsOf(config, paymentsSettings).signingSecrets
  const kept = config.databaseUrl === null ? readSecret(config.dataDir, storedSigningSecret) : null
  const secret = given ?? kept
  if (secret !== null) return secret
  throw new StartError('Set PAYMENT_SIGNING_SECRETS to the value of the service, or start Parvis here first.')
}
