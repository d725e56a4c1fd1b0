import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { withTimeout } from '../../platform/database/timeout.ts'
import type { Text } from '../../platform/errors.ts'
import { countFigure } from '../../platform/figures.ts'
import {
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import {
  failingFrom,
  listTransportFailures,
  type TransportKind,
  transportKinds,
} from '../../platform/mail/transports.ts'
import type { Deps } from '../../platform/module.ts'

export const Transport = titled('Transport', {
  kind: oneOf(transportKinds),
  failing_since: nullable(
    ResponseTimestamp('Since its first refusal in a row, from the second on; the first success ends it'),
  ),
  last_error: textOrNull(
    'The server refuses the connection (connect ECONNREFUSED 127.0.0.1:587)',
    'The last refusal, without addresses of recipients; null once a message got through',
  ),
  refusals: Type.Integer({ description: 'Refusals in a row', examples: [4] }),
  waiting: Type.Integer({
    description: 'Messages that have not left, with those that wait for a retry; at most 1 000 of a kind',
    examples: [3],
  }),
  oldest_unsent: nullable(ResponseTimestamp('Since when the oldest of them waits')),
})
export type Transport = Static<typeof Transport>

/** Number of transports that fail, for the dashboard. */
export const failingTransports = {
  transports_failing: {
    ...countFigure(
      'Ways out (mail, push) that refused two messages in a row, and accepted none since',
      1,
      sql`transport_failures where refusals >= ${sql.lit(failingFrom)}`,
    ),
    area: 'system',
  },
}

const timeoutMs = 1_000

/** Measures since when transports fail, when metrics are scraped. Missing without the database. */
export function watchTransports(registry: Registry, { db }: Pick<Deps, 'db'>): void {
  new Gauge({
    name: 'transport_failing_seconds',
    help: 'For how long a transport (mail, push) has refused messages, from the second refusal in a row on; 0 while it works',
    labelNames: ['transport'],
    registers: [registry],
    async collect() {
      const failures = await withTimeout(db, timeoutMs, listTransportFailures).catch(() => null)
      this.reset()
      if (failures === null) return
      for (const transport of transportKinds) {
        const failure = failures.find((one) => one.kind === transport && one.refusals >= failingFrom)
        this.set({ transport }, failure === undefined ? 0 : (Date.now() - failure.since.getTime()) / 1_000)
      }
    },
  })
}

/** Describes how mails and pushes get through. */
export async function listTransports(
  db: Database,
  modules: Deps['modules'],
  language: keyof Text,
): Promise<Transport[]> {
  const failures = await listTransportFailures(db)
  const unsent = await countUnsent(db, modules)
  return transportKinds.map((kind) => {
    const failure = failures.find((one) => one.kind === kind)
    const refusals = failure?.refusals ?? 0
    return {
      kind,
      failing_since: failure !== undefined && refusals >= failingFrom ? failure.since : null,
      last_error: failure === undefined ? null : inWords(failure.last_error, language),
      refusals,
      waiting: unsent.get(kind)?.count ?? 0,
      oldest_unsent: unsent.get(kind)?.oldest_at ?? null,
    }
  })
}

export type Unsent = { kind: TransportKind; count: number; oldest_at: Date | null }

/** Counts, by transport, the messages that should have left. */
export async function countUnsent(
  db: Database,
  modules: Deps['modules'],
): Promise<Map<TransportKind, Unsent>> {
  const queues = modules.flatMap(({ office }) => office?.mails ?? []).map(({ queue }) => queue)
  const others = modules.flatMap(({ office }) => office?.unsent ?? [])
  const parts = [
    { transport: 'mail' as const, rows: unsentJobs(queues) },
    ...others.map(({ transport, rows }) => ({ transport, rows })),
  ].map(
    ({ transport, rows }) => sql`select ${transport}::text as kind, n.count, n.oldest_at from (${rows}) n`,
  )
  const { rows } = await sql<Unsent>`
    select kind, sum(count)::int as count, min(oldest_at) as oldest_at
    from (${sql.join(parts, sql` union all `)}) parts group by kind`.execute(db)
  return new Map(rows.map((row) => [row.kind, row]))
}

/** Selects the jobs of these queues that are due or wait for a retry. A mail that an undo can still cancel is not due. */
export const unsentJobs = (queues: readonly string[]) => sql`
  select count(*) as count, min(created_on) as oldest_at from unnest(${queues}::text[]) q(name) cross join lateral (
    select created_on from pgboss.job j
    where j.name = q.name and j.state < 'completed' and (j.start_after <= now() or j.retry_count > 0)
    order by created_on limit 1000) waiting`

/** Says in words what went wrong, and quotes the error. */
function inWords(error: string, language: keyof Text): string {
  const [, words] = reasons.find(([pattern]) => pattern.test(error)) ?? []
  return words === undefined ? error : `${words[language]} (${error})`
}

const reasons: [RegExp, Text][] = [
  [/ECONNREFUSED/, { en: 'The server refuses the connection', fr: 'Le serveur refuse la connexion' }],
  [/ENOTFOUND|EAI_AGAIN/, { en: 'The server’s name is not found', fr: 'Le nom du serveur est introuvable' }],
  [
    /EHOSTUNREACH|ENETUNREACH/,
    { en: 'The server cannot be reached', fr: 'Le serveur est injoignable sur le réseau' },
  ],
  [
    /timeout|timed out|ETIMEDOUT|Not done within/i,
    { en: 'The server does not answer in time', fr: 'Le serveur ne répond pas à temps' },
  ],
  [
    /certificate|self-signed|\bTLS\b|\bSSL\b/i,
    { en: 'The secure connection fails', fr: 'La connexion sécurisée échoue' },
  ],
  [
    /\b53[045]\b|authenticat|invalid login/i,
    {
      en: 'The server refuses the user name or password',
      fr: 'Le serveur refuse l’identifiant ou le mot de passe',
    },
  ],
  [
    /\brelay/i,
    { en: 'The server takes no mail for others', fr: 'Le serveur refuse de transmettre nos courriels' },
  ],
  [
    /connection ended|closed|ECONNRESET|EPIPE|was cut/i,
    { en: 'The server broke off', fr: 'Le serveur a coupé la connexion' },
  ],
  [
    /ENOSPC|EACCES|EROFS/,
    { en: 'The folder of mails cannot be written', fr: 'Le dossier des courriels ne peut pas être écrit' },
  ],
]
