import { type Mail, mailOf } from '../../platform/mail/mail.ts'
import { hiddenInCommune } from '../communes/hiding.mail.ts'

export type HiddenAlerte = {
  id: string
  titre: string
  /** The group. */
  acteur_id: string
  /** Whose mairie hides it. */
  commune: string
  nom: string | null
  address: string
  langue: 'fr' | 'en'
}

/** Builds the mail to a member of the team of a group about an alert that a mairie hides. Retries keep the same Message-ID. `page`: its alerts. */
export function hiddenMail(
  { id, titre, commune, nom, langue }: HiddenAlerte,
  to: string,
  { from, page }: { from: string; page: string | null },
): Mail {
  const { hello, residents, alerts, farewell } = texts[langue]
  const { subject, first, last } = hiddenInCommune[langue](titre, commune)
  const name = nom?.trim() ?? ''
  return mailOf({ to, from, name: `alerte-hidden-${id}` }, subject, [
    name === '' ? `${hello},` : `${hello} ${name},`,
    first,
    residents,
    last,
    ...(page === null ? [] : [`${alerts}\n${page}`]),
    farewell,
  ])
}

const texts = {
  fr: {
    hello: 'Bonjour',
    residents:
      'Les habitants de cette commune à qui cette alerte n’a pas encore été envoyée ne la recevront pas.',
    alerts: 'Vos alertes sont à cette adresse :',
    farewell: 'Bien à vous,\nL’équipe',
  },
  en: {
    hello: 'Hello',
    residents: 'Residents of this commune who have not been sent this alert yet will not get it.',
    alerts: 'Your alerts are at this address:',
    farewell: 'Kind regards,\nThe team',
  },
}
