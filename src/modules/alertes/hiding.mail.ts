import { type Mail, mailOf } from '../../platform/mail/mail.ts'
import { hiddenInCommune } from '../communes/hiding.mail.ts'

export type HiddenAlerte = {
  id: string
  titre: string
  /** Whose mairie hides it. */
  commune: string
  nom: string | null
  address: string
  langue: 'fr' | 'en'
}

/** Builds the mail to a member of the team of a group about an alert that a mairie hides. Retries keep the same Message-ID. */
export function hiddenMail(
  { id, titre, commune, nom, langue }: HiddenAlerte,
  to: string,
  from: string,
): Mail {
  const { hello, residents, farewell } = texts[langue]
  const { subject, first, last } = hiddenInCommune[langue](titre, commune)
  const name = nom?.trim() ?? ''
  return mailOf({ to, from, name: `alerte-hidden-${id}` }, subject, [
    name === '' ? `${hello},` : `${hello} ${name},`,
    first,
    residents,
    last,
    farewell,
  ])
}

const texts = {
  fr: {
    hello: 'Bonjour',
    residents:
      'Les habitants de cette commune à qui cette alerte n’a pas encore été envoyée ne la recevront pas.',
    farewell: 'Bien à vous,\nL’équipe',
  },
  en: {
    hello: 'Hello',
    residents: 'Residents of this commune who have not been sent this alert yet will not get it.',
    farewell: 'Kind regards,\nThe team',
  },
}
