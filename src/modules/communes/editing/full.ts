import { leftOf } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { presentManagedAt } from '../../defibrillateurs/present.ts'
import { listOfCommune } from '../../defibrillateurs/queries.ts'
import { withNextDates } from '../calendar.ts'
import { gapsOf } from '../gaps.ts'
import { mergeInfos } from '../infos.ts'
import { findMairieContact } from '../queries.ts'
import { countOfCommune, findMairie, getCommune } from './queries.ts'
import { type CommuneFull, communeActions } from './schema.ts'
import { getLists } from './sub-lists.ts'

/** Reads the complete commune in several statements; the caller's transaction makes them consistent. */
export async function readFull(
  tx: Database,
  id: string,
  { now, claimTtlDays }: { now: Date; claimTtlDays: number },
): Promise<CommuneFull> {
  const commune = await getCommune(tx, id)
  const { elus, collectes, infos } = await getLists(tx, id)
  const today = todayInParis(now)
  const defibrillateurs = (await listOfCommune(tx, id)).map(presentManagedAt(now))
  const counts = await countOfCommune(tx, id, claimTtlDays)
  const contact = await findMairieContact(tx, id)
  const merged = mergeInfos(contact, infos)
  return {
    ...commune,
    can: leftOf(communeActions, commune),
    mairie: await findMairie(tx, id),
    infos: merged,
    commune_infos: infos,
    elus,
    collectes: collectes.map((collecte) => withNextDates(collecte, today, commune.departement)),
    defibrillateurs,
    gaps: gapsOf({ elus, collectes, infos: merged, hasMairie: contact !== null }),
    counts: { ...counts, defibrillateurs: defibrillateurs.length },
  }
}
