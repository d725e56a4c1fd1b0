import { type RawBuilder, sql } from 'kysely'
import type { Mail } from '../../../platform/mail/mail.ts'
import type { FollowedPlace } from '../choices.ts'

/** The content of a broadcast, read again for each batch: a correction reaches everybody who has not been sent the former text. */
export type Message = {
  /** Matches choices, as `ch` of `followed_places`, that ask for it. */
  asks: RawBuilder<boolean>
  /** Nothing is sent before. */
  startsAt: Date | null
  /** The record of its audit entry, and what the entry says beside the number. */
  audited: { entity: string; entityId: string; after: Record<string, unknown> }
  /** From when on a message covers what was published, for the subscriber of the choice `ch`; absent where it covers nothing of that kind. */
  since?: RawBuilder<Date>
  mailTo(recipient: Recipient): Mail
  notice(recipient: Pick<Recipient, 'since' | 'places'>): Notice
}
/** A message as a notification of a browser. */
export type Notice = {
  title: string
  body: string
  /** Path of the page that a click opens. */
  path: string
  /** A later notice with the same tag replaces it, also while a push service still keeps it. At most 32 letters and digits. */
  tag: string
  urgency: 'low' | 'normal' | 'high'
  /** How long a push service keeps it for a device that is off. */
  ttlSeconds: number
}

export type Recipient = {
  id: string
  to: string
  from: string
  site: string
  link: string
  since: Date | null
  /** The places of the message for which the subscriber gets it: communes, then groups, by name. */
  places: readonly NamedPlace[]
}

/** A commune or a group, with the path of its page. */
export type NamedPlace = FollowedPlace & { path: string; nom: string }

export type Broadcast = {
  id: string
  kind: AlerteKind | 'actualites' | 'collectes'
  author_id: string | null
  alerte_id: string | null
  commune_id: string | null
  group_id: string | null
  day: string | null
  hour: number | null
  secteur: string | null
  publication_ids: string[] | null
}

/** The columns of a broadcast. */
export const broadcastColumns = sql`
  id, kind, author_id, alerte_id, commune_id, group_id, day::text as day, hour, secteur, publication_ids`

export type AlerteKind = 'alerte' | 'alerte_correction' | 'alerte_fin'

export type AlerteText = {
  kind: AlerteKind
  alerteId: string
  broadcastId: string
  titre: string
  message: string
  niveau: 'info' | 'attention' | 'urgence'
  debut: Date | null
  fin: Date | null
  /** The commune, the mairie or the acteur of a group that speaks. */
  nom: string
}

export const levelNames = { info: 'Information', attention: 'Attention', urgence: 'Urgence' }

/** The first words of a message about an alerte. */
export const alerteHead = (kind: AlerteKind, niveau: AlerteText['niveau']): string =>
  ({ alerte: levelNames[niveau], alerte_correction: 'Correction', alerte_fin: 'Fin de l’alerte' })[kind]

/** The collections of a day in a commune, or in one of its secteurs. */
export type DayOfCollectes = {
  commune: { id: string; nom: string; slug: string }
  day: string
  collectes: { libelle: string; secteur: string | null; consignes: string | null; jour_ferie: boolean }[]
  /** Their labels, with the secteur where those of all are shown. */
  names: string[]
  /** The secteur that was chosen and that no collection has any more: all are shown then. */
  lostSecteur: string | null
}

/** A reminder, on the day before or in the morning of the day itself. */
export type CollectesReminder = DayOfCollectes & { isToday: boolean }
