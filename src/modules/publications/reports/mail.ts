import { type Mail, mailOf } from '../../../platform/mail/mail.ts'

type Envelope = { to: string; from: string }
type About = {
  id: string
  title: string
  /** Null where the address is not confirmed: a stranger could greet its owner with anything. */
  name: string | null
  /** The page that confirms the address; null: it is confirmed, or there is no site. */
  link: string | null
}

/** Tells a reporter that the report arrived. */
export function receiptMail({ id, title, name, link }: About, { to, from }: Envelope): Mail {
  return mailOf({ to, from, name: `signalement-${id}`, html: 'fr' }, `Votre signalement : « ${title} »`, [
    greeting(name),
    `Nous avons bien reçu votre signalement de « ${title} ». Une personne va le lire. L’auteur de la publication ne saura pas qui l’a signalée.`,
    ...(link === null
      ? []
      : [`Confirmez ici que cette adresse est la vôtre, pour ne manquer aucune réponse :\n${link}`]),
    'Si vous n’avez rien signalé, quelqu’un a donné votre adresse par erreur : il n’y a rien à faire.',
  ])
}

const greeting = (name: string | null) => (name === null || !isName(name) ? 'Bonjour,' : `Bonjour ${name},`)

/** Letters only: no address of a page, no number to call. */
const isName = (name: string) => /^[\p{L}\p{M}'’ -]{1,80}$/u.test(name)
