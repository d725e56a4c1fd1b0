import type { RecordKind } from '../../../platform/change.ts'
import { getLists, type Lists, replaceLists } from './lists.ts'
import { getCommuneForUpdate, updateCommune } from './queries.ts'
import type { CommuneRow } from './schema.ts'

export type CommuneRecord = CommuneRow & Lists

/** A commune with its lists, as it changes. Its élus are people, and its infos may speak of some. */
export const commune = {
  entity: 'commune',
  personal: ['elus', 'infos'],
  // Whoever changes a list holds its commune first.
  hold: async (tx, id) => ({ ...(await getCommuneForUpdate(tx, id)), ...(await getLists(tx, id)) }),
  async write(tx, before, values) {
    const { elus, collectes, infos, ...fields } = values
    await replaceLists(tx, before.id, { elus, collectes, infos }, before)
    return { ...before, ...values, ...(await updateCommune(tx, before.id, fields)) }
  },
} satisfies RecordKind<CommuneRecord>
