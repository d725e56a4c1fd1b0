import type { Caller } from '../../platform/access/caller.ts'
import { create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { type AlerteRow, insertAlerte, type Owner } from './queries.ts'
import { alerte } from './record.ts'
import type { AlerteCreate } from './schema.ts'

export function createAlerte(
  db: Database,
  caller: Caller,
  owner: Owner,
  { debut, fin, ...body }: AlerteCreate,
  now: Date,
): Promise<AlerteRow> {
  const period = { debut: momentOf('debut', debut), fin: momentOf('fin', fin) }
  const created_by = caller.user?.id ?? null
  return create(db, caller, alerte, { action: 'alerte.create' }, async (tx) => {
    refuseEnded(period, now)
    return insertAlerte(tx, { id: uuidv7(), ...owner, ...body, ...period, created_by })
  })
}

/** An alert that nobody would ever see is a slip of whoever writes it. */
function refuseEnded({ debut, fin }: { debut: Date | null; fin: Date | null }, now: Date): void {
  if (fin === null) return
  if (debut !== null && fin <= debut)
    throw invalid('fin', { en: 'must be after debut', fr: 'doit suivre debut' })
  if (fin <= now) throw invalid('fin', { en: 'must be still to come', fr: 'doit être à venir' })
}

/** An offset can push a moment out of the years of four digits that answers are written in. */
function momentOf(field: string, text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null
  const date = new Date(text)
  if (date >= firstMoment && date <= lastMoment) return date
  const message = { en: 'must be a valid date-time', fr: 'doit être au format date-time' }
  throw invalid(field, message)
}

const firstMoment = new Date('0001-01-01T00:00:00.000Z')
const lastMoment = new Date('9999-12-31T23:59:59.999Z')
