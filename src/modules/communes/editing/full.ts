import type { Database } from '../../../platform/database/connect.ts'
import { withNextDates } from '../calendar.ts'
import { mergeInfos } from '../infos.ts'
import { findMairieContact } from '../queries.ts'
import { getLists } from './lists.ts'
import { countOfCommune, findMairie, getCommune } from './queries.ts'
import type { CommuneFull } from './schema.ts'

/** All there is of a commune, read statement by statement: the transaction says as of when. */
export async function readFull(
  tx: Database,
  id: string,
  { today, claimTtlDays }: { today: string; claimTtlDays: number },
): Promise<CommuneFull> {
  const commune = await getCommune(tx, id)
  const { elus, collectes, infos } = await getLists(tx, id)
  return {
    ...commune,
    mairie: await findMairie(tx, id),
    infos: mergeInfos(await findMairieContact(tx, id), infos),
    commune_infos: infos,
    elus,
    collectes: collectes.map((collecte) => withNextDates(collecte, today)),
    counts: await countOfCommune(tx, id, claimTtlDays),
  }
}
