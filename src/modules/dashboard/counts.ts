import { sql } from 'kysely'
import { opens } from '../../platform/access/areas.ts'
import type { SignedIn } from '../../platform/access/caller.ts'
import { isOfKind, type MailKind } from '../../platform/mail/row-mails.ts'
import type { Deps, Waiting } from '../../platform/module.ts'

type Count = { count: number; oldest_at: Date | null }
export type Counts = Record<string, Count>

/** Counts the mails of all modules that are `uncertain`, and that nobody has settled; only administrators see the count. */
const mailsWaiting = (kinds: readonly MailKind[]): Waiting => ({
  key: 'mails',
  area: 'mails',
  rows: () => {
    const each = kinds.map(
      (kind) => sql`
        select email_status_at from ${sql.table(kind.table)}
        where ${isOfKind(kind)} and email_status = 'uncertain' and email_settled_at is null`,
    )
    return sql`
      select count(*) as count, min(email_status_at) as oldest_at
      from (${sql.join(each, sql` union all `)}) m`
  },
})

/** Lists the kinds of waiting work of all modules. */
export const waitingIn = (modules: Deps['modules']): Waiting[] => [
  ...modules.flatMap(({ office }) => office?.waiting ?? []),
  mailsWaiting(modules.flatMap(({ office }) => office?.mails ?? [])),
]

/** Counts, in one statement, the waiting work in the areas that the caller's roles open. */
export async function countWaiting(
  deps: Pick<Deps, 'reads' | 'config'>,
  all: readonly Waiting[],
  { user }: SignedIn,
): Promise<Counts> {
  return countAll(
    deps,
    all.filter(({ area }) => opens(user.roles, area)),
  )
}

export async function countAll(
  { reads, config }: Pick<Deps, 'reads' | 'config'>,
  seen: readonly Waiting[],
): Promise<Counts> {
  if (seen.length === 0) return {}
  const parts = seen.map(
    ({ key, rows }) =>
      sql`select ${key}::text as key, w.count::int as count, w.oldest_at from (${rows(config)}) w`,
  )
  const { rows } = await sql<Count & { key: string }>`${sql.join(parts, sql` union all `)}`.execute(reads)
  return Object.fromEntries(rows.map(({ key, ...count }) => [key, count]))
}
