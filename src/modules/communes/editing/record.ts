import type { RecordKind } from '../../../platform/change.ts'
import { getCommuneForUpdate, updateCommune } from './queries.ts'
import type { StoredCommune } from './schema.ts'
import { getLists, type Lists, replaceLists } from './sub-lists.ts'

export type CommuneRecord = StoredCommune & Lists

/** Audited record of a commune with its sub-lists. Élus are personal data, and infos may contain some. */
export const commune = {
  entity: 'commune',
  personal: ['elus', 'infos'],
  // Every change of a sub-list locks the commune first.
  lock: async (tx, id) => ({ ...(await getCommuneForUpdate(tx, id)), ...(await getLists(tx, id)) }),
  async write(tx, before, values) {
    const { elus, collectes, infos, ...fields } = values
    await replaceLists(tx, before.id, { elus, collectes, infos }, before)
    return { ...before, ...values, ...(await updateCommune(tx, before.id, fields)) }
  },
} satisfies RecordKind<CommuneRecord>
