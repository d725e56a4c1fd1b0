import { isDeepStrictEqual } from 'node:util'
import type { AuditRow } from './seal.ts'

type Values = Record<string, unknown> | null

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isId = (text: unknown): text is string => typeof text === 'string' && idPattern.test(text)

/**
 * True unless the acteur of an entry contradicts its other columns, which a seal of the first format covers: what the trigger
 * `stamp_audit_acteur` takes from them must be there. `since`: when it began; entries before have none.
 */
export function hasSealedActeur({ values }: AuditRow, since: Date | null): boolean {
  const [at, , , entity, entityId, before, after, , , acteurId] = values
  // An archive of the first format says nothing of it.
  if (acteurId === undefined) return true
  const isEarlier = since === null || Number(at) * 1_000 < since.getTime()
  if (acteurId === null && isEarlier) return true
  const said = acteurSaid({ entity, entityId, before: parsed(before), after: parsed(after) })
  return said === undefined || said === acteurId
}

const parsed = (text: string | null | undefined): Values => JSON.parse(text ?? 'null')

type Entry = { entity: unknown; entityId: unknown; before: Values; after: Values }

/** Returns the acteur that an entry names, null if it concerns none; undefined if another table said it. */
function acteurSaid({ entity, entityId, before, after }: Entry): string | null | undefined {
  const named = after?.acteur_id ?? before?.acteur_id
  if (isId(named)) return named
  if (!isId(entityId)) return null
  if (entity === 'acteur') return entityId
  if (entity === 'user') return onlyChanged(listIn(before), listIn(after))
  return ofOtherTables.includes(entity) ? undefined : null
}

const ofOtherTables: unknown[] = ['publication', 'act', 'claim', 'commune', 'alerte', 'page']

const listIn = (values: Values): unknown[] => (Array.isArray(values?.acteurs) ? values.acteurs : [])

/** Returns the acteur of the memberships that are in one list alone; null if there are none, or several. */
function onlyChanged(before: unknown[], after: unknown[]): string | null {
  const missingIn = (list: unknown[]) => (one: unknown) =>
    !list.some((other) => isDeepStrictEqual(one, other))
  const changed = [...before.filter(missingIn(after)), ...after.filter(missingIn(before))]
  const ids = [...new Set(changed.map((one) => (one as { acteur_id?: unknown }).acteur_id))]
  const [id] = ids
  return ids.length === 1 && typeof id === 'string' ? id : null
}
