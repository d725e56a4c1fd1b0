import { type Mail, mailOf } from '../../../platform/mail/mail.ts'

export type Former = { address: string; langue: 'fr' | 'en' }

/** Does not mention the new address, because the former mailbox may belong to somebody else. */
export function formerAddressMail({ id, address, langue }: Former & { id: string }, from: string): Mail {
  const { subject, paragraphs } = texts[langue]
  return mailOf({ to: address, from, name: `former-address-${id}` }, subject, paragraphs)
}

const texts = {
  fr: {
    subject: 'L’adresse de votre compte Parvis a changé',
    paragraphs: [
      'Bonjour,',
      'Votre compte Parvis a désormais une autre adresse e-mail : celle-ci ne sert plus à se connecter.',
      'C’était vous ? Il n’y a rien à faire.',
      'Ce n’était pas vous ? Prévenez tout de suite un administrateur.',
    ],
  },
  en: {
    subject: 'The address of your Parvis account has changed',
    paragraphs: [
      'Hello,',
      'Your Parvis account now has another e-mail address: you can no longer sign in with this one.',
      'Was it you? There is nothing to do.',
      'It was not you? Tell an administrator at once.',
    ],
  },
}
