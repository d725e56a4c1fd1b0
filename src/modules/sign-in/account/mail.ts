import { type Mail, mailOf } from '../../../platform/mail/mail.ts'

export type Former = { address: string; langue: 'fr' | 'en' }

/**
 * Does not mention the new address, because the former mailbox may belong to somebody else. Without a link where the
 * account has gone back to an address that it had before this one.
 */
export function formerAddressMail(
  { id, address, langue, link }: Former & { id: string; link: string | null },
  from: string,
): Mail {
  const { subject, paragraphs, undo, tell } = texts[langue]
  const mail = { to: address, from, name: `former-address-${id}` }
  return mailOf(mail, subject, [...paragraphs, ...(link === null ? [] : [undo(link)]), tell(link !== null)])
}

const texts = {
  fr: {
    subject: 'L’adresse de votre compte Parvis a changé',
    paragraphs: [
      'Bonjour,',
      'Votre compte Parvis a désormais une autre adresse e-mail : celle-ci ne sert plus à se connecter.',
      'C’était vous ? Il n’y a rien à faire.',
    ],
    undo: (link: string) =>
      `Ce n’était pas vous ? Annulez ce changement dans les 72 heures : votre adresse revient, et tous les appareils, jetons et clés d’API du compte sont déconnectés.\n\n${link}`,
    tell: (isUndone: boolean) =>
      isUndone
        ? 'Prévenez ensuite un administrateur.'
        : 'Ce n’était pas vous ? Prévenez tout de suite un administrateur.',
  },
  en: {
    subject: 'The address of your Parvis account has changed',
    paragraphs: [
      'Hello,',
      'Your Parvis account now has another e-mail address: you can no longer sign in with this one.',
      'Was it you? There is nothing to do.',
    ],
    undo: (link: string) =>
      `It was not you? Undo the change within 72 hours: your address comes back, and all devices, tokens and access keys of the account are signed out.\n\n${link}`,
    tell: (isUndone: boolean) =>
      isUndone ? 'Then tell an administrator.' : 'It was not you? Tell an administrator at once.',
  },
}
