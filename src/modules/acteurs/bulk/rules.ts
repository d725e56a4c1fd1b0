import type { Caller } from '../../../platform/access/caller.ts'
import { changeMany, entryPerField } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { validationFailed } from '../../../platform/errors.ts'
import { acteur } from '../record.ts'
import { isLive } from '../schema.ts'
import { type Decided, type DecidedRow, listForUpdate, updateDecided } from './queries.ts'
import type { BulkAnswer, BulkDecision } from './schema.ts'

/** The audit action of each decision, the same as for a single acteur. */
const entries = entryPerField<Decided>({
  valide: () => 'acteur.validate',
  active: () => 'acteur.active',
  can_publish: () => 'acteur.can_publish',
  badge: () => 'acteur.badge',
})

const acteurs = {
  ...acteur,
  lock: listForUpdate,
  write: updateDecided,
  entries,
  previous: ({ valide, active, can_publish, badge }: DecidedRow) => ({ valide, active, can_publish, badge }),
  refused: 'deleted' as const,
}

/** Takes the same decisions on up to a hundred acteurs. */
export async function decideBulk(
  db: Database,
  caller: Caller,
  { ids, versions, validate, ...rest }: BulkDecision,
): Promise<BulkAnswer> {
  const decision: Partial<Decided> = { ...rest, ...(validate !== undefined && { valide: validate }) }
  if (Object.keys(decision).length === 0) throw validationFailed([{ field: '', message: nothing }])
  return changeMany(db, caller, acteurs, { ids, versions }, (_tx, rows) =>
    rows.filter(isLive).map((before) => ({ before, after: { ...before, ...decision } })),
  )
}

const nothing = {
  en: 'must decide something: validate, active, can_publish or badge',
  fr: 'doit décider quelque chose : validate, active, can_publish ou badge',
}
