import type { Caller } from '../../../platform/access/caller.ts'
import { changeMany } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { validationFailed } from '../../../platform/errors.ts'
import { acteur } from '../record.ts'
import { isLive } from '../schema.ts'
import { type Decided, type DecidedRow, listForUpdate, updateDecided } from './queries.ts'
import type { BulkAnswer, BulkDecision } from './schema.ts'

/** The audit action of each decision, the same as for a single acteur. */
const actions = {
  valide: 'acteur.validate',
  active: 'acteur.active',
  can_publish: 'acteur.can_publish',
  badge: 'acteur.badge',
} satisfies Record<keyof Decided, string>
const fields = Object.keys(actions) as (keyof Decided)[]

const acteurs = {
  ...acteur,
  lock: listForUpdate,
  write: updateDecided,
  entries: (before: DecidedRow, after: DecidedRow) =>
    fields.map((field) => ({
      action: actions[field],
      before: { [field]: before[field] },
      after: { [field]: after[field] },
    })),
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
