import { days, type Mail, mailOf } from '../../../platform/mail/mail.ts'

/** An address that is invited to the team of an acteur. */
export type Invited = {
  id: string
  acteur_nom: string
  role: string
  email: string
  langue: 'fr' | 'en'
  invited_until: Date
}

/** Invites somebody, with an account or without. `page`: where they accept; null where no application is served. */
export function teamInvitationMail(
  { id, acteur_nom, role, email, langue, invited_until }: Invited,
  { from, page }: { from: string; page: string | null },
): Mail {
  const texts = textsIn[langue]
  return mailOf({ to: email, from, name: `team-invitation-${id}` }, texts.subject(acteur_nom), [
    texts.hello,
    role === 'owner' ? texts.asOwner(acteur_nom) : texts.asEditor(acteur_nom),
    texts.accept(days[langue].format(invited_until)),
    ...(page === null ? [] : [page]),
    texts.signIn,
    texts.farewell,
  ])
}

const textsIn = {
  fr: {
    hello: 'Bonjour,',
    subject: (nom: string) => `Rejoignez l’équipe de « ${nom} »`,
    asOwner: (nom: string) =>
      `« ${nom} » vous invite à en devenir propriétaire : vous gérerez sa page, ses publications et son équipe.`,
    asEditor: (nom: string) => `« ${nom} » vous invite à rejoindre son équipe.`,
    accept: (until: string) => `Acceptez ou refusez l’invitation avant le ${until}, dans votre espace :`,
    signIn:
      'Connectez-vous avec l’adresse à laquelle vous recevez ce message. Si vous n’avez pas encore de compte, vous recevrez un code, valable 15 minutes : aucun mot de passe n’est nécessaire.',
    farewell: 'Vous n’attendiez pas ce message ? Ignorez-le.',
  },
  en: {
    hello: 'Hello,',
    subject: (nom: string) => `Join the team of “${nom}”`,
    asOwner: (nom: string) =>
      `“${nom}” invites you to become one of its owners: you will manage its page, its publications and its team.`,
    asEditor: (nom: string) => `“${nom}” invites you to join its team.`,
    accept: (until: string) => `Accept or decline the invitation before ${until}, in your space:`,
    signIn:
      'Sign in with the address at which you receive this message. If you have no account yet, you will get a code, valid for 15 minutes: no password is needed.',
    farewell: 'You did not expect this message? Ignore it.',
  },
}
