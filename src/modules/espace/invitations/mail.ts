import { days, type Mail, mailOf } from '../../../platform/mail/mail.ts'

/** An address that is invited to the team of an acteur. */
export type Invited = {
  id: string
  acteur_nom: string
  acteur_type: string
  role: string
  email: string
  langue: 'fr' | 'en'
  invited_until: Date
}

type Envelope = {
  from: string
  answers: Pick<Mail, 'replyTo' | 'bouncesTo'>
  page: string | null
  inviter: string | null
}

/** Beginning of the names of these mails. */
export const named = 'team-invitation-'

/**
 * Invites somebody, with an account or without. `page`: where they accept; null where no application is served. `inviter`:
 * the name of who invites, if they have one.
 */
export function teamInvitationMail(
  { id, acteur_nom, acteur_type, role, email, langue, invited_until }: Invited,
  { from, answers, page, inviter }: Envelope,
): Mail {
  const texts = textsIn[langue]
  const invites = inviter === null ? texts.invited : texts.invites(inviter)
  const mail = mailOf({ to: email, from, name: `${named}${id}` }, texts.subject(acteur_nom), [
    texts.hello,
    `${invites} ${role === 'owner' ? texts.asOwner(acteur_nom) : texts.asEditor(acteur_nom)}`,
    acteur_type === 'mairie' ? texts.aboutMairie : texts.about,
    texts.accept(days[langue].format(invited_until)),
    ...(page === null ? [] : [page]),
    texts.signIn,
    texts.farewell,
  ])
  return { ...mail, ...answers }
}

const textsIn = {
  fr: {
    hello: 'Bonjour,',
    subject: (nom: string) => `Rejoignez l’équipe de « ${nom} »`,
    invited: 'Vous recevez une invitation à',
    invites: (name: string) => `${name} vous invite à`,
    asOwner: (nom: string) =>
      `devenir propriétaire de « ${nom} » : vous gérerez sa page, ses publications et son équipe.`,
    asEditor: (nom: string) => `rejoindre l’équipe de « ${nom} ».`,
    about:
      'Parvis est le site où les habitants trouvent ce qui se passe dans leur commune. Associations et commerces y publient eux-mêmes.',
    aboutMairie:
      'Parvis est le site où les habitants trouvent les horaires de la mairie, les collectes, les alertes et l’agenda de leur commune. La mairie y écrit elle-même, d’un ordinateur ou d’un téléphone.',
    accept: (until: string) => `Acceptez ou refusez l’invitation avant le ${until}, dans votre espace :`,
    signIn:
      'Connectez-vous avec l’adresse à laquelle vous recevez ce message. Si vous n’avez pas encore de compte, vous recevrez un code, valable 15 minutes : aucun mot de passe n’est nécessaire.',
    farewell: 'Vous n’attendiez pas ce message ? Ignorez-le.',
  },
  en: {
    hello: 'Hello,',
    subject: (nom: string) => `Join the team of “${nom}”`,
    invited: 'You are invited to',
    invites: (name: string) => `${name} invites you to`,
    asOwner: (nom: string) =>
      `become an owner of “${nom}”: you will manage its page, its publications and its team.`,
    asEditor: (nom: string) => `join the team of “${nom}”.`,
    about:
      'Parvis is the site where residents find what happens in their commune. Associations and shops publish there themselves.',
    aboutMairie:
      'Parvis is the site where residents find the opening hours of the town hall, the waste collections, the alerts and the events of their commune. The town hall writes there itself, on a computer or a phone.',
    accept: (until: string) => `Accept or decline the invitation before ${until}, in your space:`,
    signIn:
      'Sign in with the address at which you receive this message. If you have no account yet, you will get a code, valid for 15 minutes: no password is needed.',
    farewell: 'You did not expect this message? Ignore it.',
  },
}
