import type { Static } from 'typebox'
import { nextDates } from './calendar.ts'
import { mergeInfos } from './infos.ts'
import type { CommuneCounts, CommuneRow, findMairie } from './queries.admin.ts'
import type { CollecteRow, Contact, EluRow, InfoRow } from './queries.ts'
import type { CommuneFull } from './schema.admin.ts'
import type { Collecte } from './schema.ts'

type Presented = Static<typeof Collecte>

export function presentCollecte(row: CollecteRow, today: string): Presented {
  const collecte = row as Omit<Presented, 'prochaines'>
  return { ...collecte, prochaines: nextDates(collecte, today) }
}

type Full = {
  commune: CommuneRow
  elus: EluRow[]
  collectes: CollecteRow[]
  infos: InfoRow[]
  mairie: Awaited<ReturnType<typeof findMairie>>
  contact: Contact | undefined
  counts: CommuneCounts
  today: string
}

export function presentFull({
  commune,
  elus,
  collectes,
  infos,
  mairie,
  contact,
  counts,
  today,
}: Full): Static<typeof CommuneFull> {
  return {
    ...commune,
    created_at: commune.created_at.toISOString(),
    updated_at: commune.updated_at.toISOString(),
    mairie: mairie === undefined ? null : { ...mairie, deleted_at: mairie.deleted_at?.toISOString() ?? null },
    infos: mergeInfos(contact, infos),
    commune_infos: infos,
    elus,
    collectes: collectes.map((collecte) => presentCollecte(collecte, today)),
    counts,
  }
}
