import { sql } from 'kysely'
import { isAdmin, type SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { type Problem, scopeViolation, validationFailed } from '../../../platform/errors.ts'

export type Attachment = { commune_id: string | null; commune_ids: string[] }
type Asked = { commune_id?: string | null; commune_ids?: string[] }
type Acteur = { id: string; commune_id: string | null }

/**
 * The communes that a publication of this acteur is shown in: its own commune, or for a mairie those that name it; an
 * administrator may choose any. What is not asked stays as it was, or is the acteur's.
 */
export async function attach(
  tx: Database,
  caller: SignedIn,
  acteur: Acteur | null,
  asked: Asked,
  now: Attachment | null = null,
): Promise<Attachment> {
  const named = [asked.commune_id, ...(asked.commune_ids ?? [])].filter((id) => typeof id === 'string')
  const { known, own } = await listCommunes(tx, acteur, named)
  refuseUnknown(asked, known)
  const attachment = choose(asked, own, now)
  if (now !== null && same(attachment, now)) return now
  if (!isAdmin(caller.user) && attachment.commune_ids.some((id) => !own.includes(id))) throw scopeViolation()
  requireSource(caller, attachment)
  return attachment
}

/** An application that is restricted to communes puts nothing anywhere else. */
function requireSource({ source }: SignedIn, { commune_ids }: Attachment): void {
  const allowed = source?.communeIds ?? null
  if (allowed === null) return
  if (commune_ids.length === 0 || commune_ids.some((id) => !allowed.includes(id))) throw scopeViolation()
}

/** Held, so that no mairie loses its commune in between. */
async function listCommunes(tx: Database, acteur: Acteur | null, named: string[]) {
  const own = acteur?.commune_id ?? null
  const { rows } = await sql<{ id: string; own: boolean }>`
    select id, (id = ${own}::uuid) is true or (mairie_actor_id = ${acteur?.id ?? null}::uuid) is true as own
    from communes
    where id = any(${[...named, ...(own === null ? [] : [own])]}::uuid[]) or mairie_actor_id = ${acteur?.id ?? null}
    order by id for share`.execute(tx)
  const ids = rows.filter((row) => row.own).map((row) => row.id)
  // The acteur's own first, then those that name it.
  ids.sort((one, other) => Number(other === own) - Number(one === own))
  return { known: new Set(rows.map((row) => row.id)), own: ids }
}

function choose(asked: Asked, own: string[], now: Attachment | null): Attachment {
  const { commune_id, commune_ids } = asked
  const acteurs = own[0] ?? null
  const usual = commune_id === undefined && now !== null ? now.commune_id : (commune_id ?? acteurs)
  if (commune_ids !== undefined) {
    // The list says it all, unless it leaves out the one that is named beside it.
    const [head = usual] = commune_ids
    const first = typeof commune_id === 'string' || commune_ids.includes(usual ?? '') ? usual : head
    return attachment(first, commune_ids)
  }
  const others = now?.commune_ids ?? []
  // Moved: the first gives way to the new one, the others stay.
  const kept =
    usual !== null && others.includes(usual) ? others : others.filter((id) => id !== now?.commune_id)
  return attachment(usual, kept)
}

function attachment(first: string | null, others: string[]): Attachment {
  return {
    commune_id: first,
    commune_ids: [...new Set([...(first === null ? [] : [first]), ...others])].sort(),
  }
}

function same(one: Attachment, other: Attachment): boolean {
  return one.commune_id === other.commune_id && `${one.commune_ids}` === `${[...other.commune_ids].sort()}`
}

function refuseUnknown({ commune_id, commune_ids = [] }: Asked, known: Set<string>): void {
  const fields = [
    ...(typeof commune_id === 'string' ? [{ field: 'commune_id', id: commune_id }] : []),
    ...commune_ids.map((id, index) => ({ field: `commune_ids.${index}`, id })),
  ]
  const problems: Problem[] = fields
    .filter(({ id }) => !known.has(id))
    .map(({ field }) => ({ field, message: { en: 'must be a commune', fr: 'doit être une commune' } }))
  if (problems.length > 0) throw validationFailed(problems)
}
