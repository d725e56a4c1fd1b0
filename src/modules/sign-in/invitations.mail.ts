import { type Mail, mailOf } from '../../platform/mail/mail.ts'

export type Invitee = { email: string; langue: 'fr' | 'en' }
type Envelope = { from: string; answers: Pick<Mail, 'replyTo' | 'bouncesTo'> }

/** Beginning of the names of these mails. */
export const named = 'invitation-'

/** Tells a user that an administrator has given them access, and where to sign in. */
export function invitationMail(
  { id, email, langue }: Invitee & { id: string },
  { from, answers }: Envelope,
  page: string,
): Mail {
  const { subject, paragraphs } = texts[langue](page)
  return { ...mailOf({ to: email, from, name: `${named}${id}` }, subject, paragraphs), ...answers }
}

const texts = {
  fr: (page: string) => ({
    subject: 'Votre accès à Parvis vous attend',
    paragraphs: [
      'Bonjour,',
      'Un administrateur vous a ouvert un accès à Parvis. Pour vous connecter, ouvrez cette page et saisissez l’adresse à laquelle vous recevez ce message :',
      page,
      'Vous recevrez alors un code, valable 15 minutes. Aucun mot de passe n’est nécessaire.',
      'Vous n’attendiez pas ce message ? Ignorez-le.',
    ],
  }),
  en: (page: string) => ({
    subject: 'Your access to Parvis is ready',
    paragraphs: [
      'Hello,',
      'An administrator has given you access to Parvis. To sign in, open this page and type the address at which you receive this message:',
      page,
      'You will then get a code, valid for 15 minutes. No password is needed.',
      'You did not expect this message? Ignore it.',
    ],
  }),
}
