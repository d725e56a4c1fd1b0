import Type from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import { Id } from '../../../platform/http/validation/schemas.ts'
import { takeDeleted } from '../../deletions/deleted.ts'
import { lockExistingFiles } from '../../media/images.ts'
import type { CollecteRow } from '../schema.ts'
import { listSecteurs, presentName } from '../secteurs/names.ts'
import { type CommuneRecord, commune } from './record.ts'
import { maxRows } from './schema.ts'
import type { Lists, Removed } from './sub-lists.ts'

export const DeletedOfCommune = Type.Object({
  communeId: Id('Identifier of the commune'),
  id: Id('Identifier of the row that was deleted'),
})
export const kindsOfCommune = ['collecte', 'elu', 'info'] as const

const listOf = { collecte: 'collectes', elu: 'elus', info: 'infos' } as const

/** Restores a row of a sub-list at its place. `authorise` as for a change of the commune. */
export function restoreRow<Answer>(
  db: Database,
  caller: SignedIn,
  { communeId, id }: { communeId: string; id: string },
  read: (tx: Database, commune: { id: string }) => Promise<Answer>,
  authorise?: (tx: Database, commune: CommuneRecord) => void,
): Promise<Answer> {
  const asked = { id: communeId, action: 'commune.restore', ...(authorise && { authorise }) }
  return change(db, caller, commune, asked, async (tx, before, save) => {
    const { kind, content } = await takeDeleted<Removed>(tx, id, kindsOfCommune, { commune_id: communeId })
    if (kind === 'alerte' || kind === 'page') throw conflict()
    const name = listOf[kind]
    const rows: Lists[typeof name][number][] = before[name]
    if (rows.length >= maxRows[name]) throw conflict()
    const row = await presentRow(tx, before, content.row)
    return read(tx, await save({ [name]: rows.toSpliced(content.at, 0, row) }))
  })
}

/** Returns a row as it can be restored: its secteur may have another name since, and its portrait be gone. */
async function presentRow(tx: Database, before: CommuneRecord, row: Removed['row']) {
  if ('secteur' in row) return inPresentSecteur(tx, before, row)
  if (!('prenom' in row)) return row
  // A row that was removed before élus had portraits has no such field.
  const [photo = null] = (await lockExistingFiles(tx, 'image', row.photo ? [row.photo] : null)) ?? []
  return { ...row, photo }
}

async function inPresentSecteur(tx: Database, { id, collectes }: CommuneRecord, row: CollecteRow) {
  if (row.secteur === null) return row
  const present = presentName(row.secteur, collectes, await listSecteurs(tx, id))
  return { ...row, secteur: present ?? row.secteur }
}
