import { days, type Mail, mailOf } from '../../../platform/mail/mail.ts'

/** Somebody who joined the team of an acteur, or is invited until a time. */
export type AddedMember = {
  acteur_id: string
  user_id: string
  acteur_nom: string
  role: string
  email: string
  langue: 'fr' | 'en'
  invited_until: Date | null
}

/** Tells somebody of whose team they are, and where its space is. `page`: null where no application is served. */
export function memberMail(
  { acteur_id, user_id, acteur_nom, role, email, langue, invited_until }: AddedMember,
  { from, page }: { from: string; page: string | null },
): Mail {
  const texts = textsIn[langue]
  const isOwner = role === 'owner'
  const { subject, first, last } =
    invited_until === null
      ? texts.joined(acteur_nom, isOwner)
      : texts.invited(acteur_nom, isOwner, days[langue].format(invited_until))
  return mailOf({ to: email, from, name: `member-${acteur_id}-${user_id}` }, subject, [
    texts.hello,
    first,
    ...(page === null ? [] : [texts.open, page]),
    last,
    texts.farewell,
  ])
}

const textsIn = {
  fr: {
    hello: 'Bonjour,',
    open: 'Votre espace est à cette adresse :',
    farewell: 'Vous n’attendiez pas ce message ? Ignorez-le.',
    joined: (nom: string, isOwner: boolean) => ({
      subject: `Vous faites partie de l’équipe de « ${nom} »`,
      first: isOwner
        ? `Vous êtes maintenant propriétaire de « ${nom} » : vous gérez sa page, ses publications et son équipe.`
        : `Vous faites maintenant partie de l’équipe de « ${nom} ».`,
      last: 'Connectez-vous comme d’habitude.',
    }),
    invited: (nom: string, isOwner: boolean, until: string) => ({
      subject: `Rejoignez l’équipe de « ${nom} »`,
      first: isOwner
        ? `« ${nom} » vous invite à en devenir propriétaire : vous gérerez sa page, ses publications et son équipe.`
        : `« ${nom} » vous invite à rejoindre son équipe.`,
      last: `Pour accepter, connectez-vous avant le ${until} avec l’adresse à laquelle vous recevez ce message : vous recevrez un code, valable 15 minutes. Aucun mot de passe n’est nécessaire.`,
    }),
  },
  en: {
    hello: 'Hello,',
    open: 'Your space is at this address:',
    farewell: 'You did not expect this message? Ignore it.',
    joined: (nom: string, isOwner: boolean) => ({
      subject: `You are in the team of “${nom}”`,
      first: isOwner
        ? `You are now an owner of “${nom}”: you manage its page, its publications and its team.`
        : `You are now in the team of “${nom}”.`,
      last: 'Sign in as usual.',
    }),
    invited: (nom: string, isOwner: boolean, until: string) => ({
      subject: `Join the team of “${nom}”`,
      first: isOwner
        ? `“${nom}” invites you to become one of its owners: you will manage its page, its publications and its team.`
        : `“${nom}” invites you to join its team.`,
      last: `To accept, sign in before ${until} with the address at which you receive this message: you will get a code, valid for 15 minutes. No password is needed.`,
    }),
  },
}
