import { type Mail, mailOf } from '../../platform/mail/mail.ts'

/** Somebody whom an administrator has added to teams. */
export type Added = {
  nom: string | null
  address: string
  langue: 'fr' | 'en'
  acteurs: { id: string; nom: string }[]
}

type Options = { key: string; from: string; space: string | null }

/** Tells somebody of the teams that they belong to now. `space`: where they work; null where no application is served. */
export function addedMail({ nom, langue, acteurs }: Added, to: string, { key, from, space }: Options): Mail {
  const texts = textsIn[langue]
  const [one, ...others] = acteurs.map(({ nom }) => texts.quoted(nom))
  const isOne = one !== undefined && others.length === 0
  return mailOf(
    { to, from, name: `membership-${key}` },
    isOne ? texts.subject(one) : texts.subjectOf(acteurs.length),
    [
      nom === null || nom.trim() === '' ? `${texts.hello},` : `${texts.hello} ${nom.trim()},`,
      isOne
        ? texts.one(one)
        : [texts.several, ...acteurs.map((each) => `– ${texts.quoted(each.nom)}`)].join('\n'),
      space === null ? texts.signIn : `${texts.signIn} ${texts.space}\n${space}`,
      texts.farewell,
    ],
  )
}

const fr = {
  hello: 'Bonjour',
  quoted: (nom: string) => `« ${nom} »`,
  subject: (nom: string) => `Vous faites partie de l’équipe de ${nom}`,
  subjectOf: (count: number) => `Vous faites partie de ${count} équipes de plus`,
  one: (nom: string) => `Vous faites désormais partie de l’équipe de ${nom}, que nous vous avons ouverte.`,
  several: 'Vous faites désormais partie de ces équipes, que nous vous avons ouvertes :',
  signIn: 'Connectez-vous comme d’habitude.',
  space: 'Votre espace est à cette adresse :',
  farewell: 'Bien à vous,\nL’équipe',
}

const en: typeof fr = {
  hello: 'Hello',
  quoted: (nom) => `“${nom}”`,
  subject: (nom) => `You belong to the team of ${nom}`,
  subjectOf: (count) => `You belong to ${count} more teams`,
  one: (nom) => `You now belong to the team of ${nom}, to which we have given you access.`,
  several: 'You now belong to these teams, to which we have given you access:',
  signIn: 'Sign in as usual.',
  space: 'Your space is at this address:',
  farewell: 'Kind regards,\nThe team',
}

const textsIn = { fr, en }
