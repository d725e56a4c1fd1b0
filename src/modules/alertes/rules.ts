import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../platform/access/caller.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, notFound, scopeViolation } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Deps } from '../../platform/module.ts'
import { keepDeleted, takeDeleted } from '../deletions/deleted.ts'
import {
  announceAlerte,
  followAlerte,
  resumeAlerte,
  withdrawAlerte,
} from '../subscribers/broadcasts/announce.ts'
import {
  type AlerteRow,
  deleteAlerte,
  type Hiding,
  insertAlerte,
  insertDeletedAlerte,
  insertDeletedHidings,
  listCommunesOfActeur,
  listHidings,
  type Owner,
} from './queries.ts'
import { alerte, deletedAlerte } from './record.ts'
import type { AlerteOfActeurCreate, AlerteOfActeurUpdate } from './schema.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'config'>

/** Creates an alert, and announces it to subscribers. */
export function createAlerte(
  tools: Tools,
  caller: Caller,
  owner: Owner,
  { debut, fin, commune_ids: named = [], ...body }: AlerteOfActeurCreate,
  now: Date,
): Promise<AlerteRow> {
  const period = { debut: momentOf('debut', debut), fin: momentOf('fin', fin) }
  const created_by = caller.user?.id ?? null
  return create(tools.db, caller, alerte, { action: 'alerte.create' }, async (tx) => {
    refuseReversed(period)
    // An alert that has already ended would never be shown: it is a typing error.
    if (period.fin !== null && period.fin <= now) throw invalid('fin', messages.past)
    const commune_ids = await requireCommunesOf(tx, owner, named)
    const row = await insertAlerte(tx, {
      id: uuidv7(),
      ...owner,
      commune_ids,
      ...body,
      ...period,
      created_by,
    })
    await announceAlerte(tx, tools, row, created_by)
    return row
  })
}

/** Corrects, extends or ends an alert. `owner` is null for administrators, who may change every alert. */
export function updateAlerteOf(
  tools: Tools,
  caller: Caller,
  owner: Owner | null,
  id: string,
  { debut, fin, prevenir = false, notify = false, commune_ids, ...body }: AlerteOfActeurUpdate,
  now: Date,
): Promise<AlerteRow> {
  const end = fin === undefined ? undefined : momentOf('fin', fin)
  const period = {
    ...(debut !== undefined && { debut: momentOf('debut', debut) }),
    ...(end !== undefined && { fin: prevenir ? notAhead(end, now) : end }),
  }
  const asked = { id, action: 'alerte.update', authorise: requireOwner(owner) }
  return change(tools.db, caller, alerte, asked, async (tx, before, save) => {
    const places = commune_ids !== undefined && {
      commune_ids: await requireCommunesOf(tx, ownerOf(before), commune_ids),
    }
    const after = { ...before, ...body, ...period, ...places }
    refuseReversed(after)
    if (notify && after.fin !== null && after.fin <= now) throw invalid('notify', messages.over)
    if (prevenir && (after.fin === null || after.fin > now)) throw invalid('prevenir', messages.goesOn)
    const isChanged = !isDeepStrictEqual(after, before)
    const authorId = caller.user?.id ?? null
    const telling = { end: prevenir, correction: notify, isChanged, authorId, now }
    await followAlerte(tx, tools, before, after, telling)
    return save({ ...body, ...period, ...places })
  })
}

/** Deletes an alert and returns its last state. It can be restored for 30 days, with who was told of it. */
export function deleteAlerteOf(
  db: Database,
  caller: Caller,
  owner: Owner | null,
  id: string,
): Promise<AlerteRow> {
  const asked = { id, action: 'alerte.delete', authorise: requireOwner(owner) }
  return change(db, caller, deletedAlerte, asked, async (tx, before, save) => {
    const broadcasts = await withdrawAlerte(tx, id)
    const hidings = await listHidings(tx, id)
    const content: Deleted = { row: await deleteAlerte(tx, id), broadcasts, hidings }
    const { titre: label, message: detail } = before
    await keepDeleted(tx, ownerOf(before), [{ id, kind: 'alerte', label, detail, content }])
    return save({ isDeleted: true as const })
  })
}

/** Restores an alert as it was. What had not left when it was deleted is sent, if it is still in force. */
export function restoreAlerteOf(
  db: Database,
  caller: Caller,
  owner: Owner | null,
  id: string,
): Promise<AlerteRow> {
  return create(db, caller, alerte, { action: 'alerte.restore' }, async (tx) => {
    const { content } = await takeDeleted<Deleted>(tx, id, ['alerte'], owner)
    await insertDeletedHidings(tx, id, content.hidings ?? [])
    const restored = await insertDeletedAlerte(tx, content.row)
    await resumeAlerte(tx, id, content.broadcasts)
    return restored
  })
}

/** Returns these communes once each, in order; 403 if one is none of the acteur's. */
async function requireCommunesOf(tx: Database, owner: Owner, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const named = [...new Set(ids.map((id) => id.toLowerCase()))].sort()
  const communes = 'acteur_id' in owner ? await listCommunesOfActeur(tx, owner.acteur_id) : []
  if (named.some((id) => !communes.includes(id))) throw scopeViolation()
  return named
}

/** What is kept of a deleted alert: its row, the messages about it, and where it was hidden, save by the version before. */
type Deleted = { row: object; broadcasts: string[]; hidings?: Hiding[] }

const ownerOf = ({ commune_id, acteur_id }: AlerteRow): Owner =>
  commune_id === null ? { acteur_id: acteur_id ?? '' } : { commune_id }

const requireOwner = (owner: Owner | null) => (_tx: Database, row: AlerteRow) => {
  if (owner === null) return
  const isTheirs =
    'commune_id' in owner ? row.commune_id === owner.commune_id : row.acteur_id === owner.acteur_id
  if (!isTheirs) throw notFound()
}

function refuseReversed({ debut, fin }: { debut: Date | null; fin: Date | null }): void {
  if (fin !== null && debut !== null && fin <= debut) throw invalid('fin', messages.reversed)
}

/** Returns now for an end that is a little ahead: the clock of a phone that ends an alert "now" may be fast. */
const notAhead = (end: Date | null, now: Date): Date | null =>
  end !== null && end > now && end.getTime() - now.getTime() <= maxAheadMs ? now : end

const maxAheadMs = 60_000

/** Parses a timestamp. Refuses one that its offset moves outside the four-digit years of responses. */
function momentOf(field: string, text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null
  const date = new Date(text)
  if (date >= firstMoment && date <= lastMoment) return date
  throw invalid(field, messages.unreadable)
}

const firstMoment = new Date('0001-01-01T00:00:00.000Z')
const lastMoment = new Date('9999-12-31T23:59:59.999Z')

const messages = {
  reversed: { en: 'must be after debut', fr: 'doit être postérieur à debut' },
  past: { en: 'must be in the future', fr: 'doit être dans le futur' },
  over: {
    en: 'needs an alert that goes on: prevenir tells its end',
    fr: 'suppose une alerte qui continue : prevenir annonce sa fin',
  },
  goesOn: { en: 'needs an end that has passed', fr: 'suppose une fin déjà passée' },
  unreadable: { en: 'must be a valid date-time', fr: 'doit être une date et heure valide' },
}
