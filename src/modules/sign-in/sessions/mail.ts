import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import type { NewDevice } from './queries.ts'

/** Says when and with which browser the user signed in, and what to do if it was somebody else. */
export function deviceMail(
  { id, email, langue, browser, network, created_at }: NewDevice,
  from: string,
  page: string,
): Mail {
  const about = [browser, network].filter((part) => part !== null).join(', ')
  const { subject, paragraphs } = texts[langue]({ at: clocks[langue].format(created_at), about, page })
  return mailOf({ to: email, from, name: `new-device-${id}` }, subject, paragraphs)
}

const clocks = {
  fr: new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Paris' }),
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Paris' }),
}

type About = { at: string; about: string; page: string }

const texts = {
  fr: ({ at, about, page }: About) => ({
    subject: 'Connexion à Parvis depuis un nouvel appareil',
    paragraphs: [
      'Bonjour,',
      `Votre compte Parvis vient de servir sur un appareil que nous ne connaissions pas, le ${at}${about && ` (${about})`}.`,
      'C’était vous ? Il n’y a rien à faire.',
      `Ce n’était pas vous ? Déconnectez cet appareil sur la page de votre compte, puis prévenez un administrateur :\n\n${page}`,
    ],
  }),
  en: ({ at, about, page }: About) => ({
    subject: 'Sign-in to Parvis from a new device',
    paragraphs: [
      'Hello,',
      `Your Parvis account was just used on a device that we did not know, on ${at}${about && ` (${about})`}.`,
      'Was it you? There is nothing to do.',
      `It was not you? Sign that device out on your account page, then tell an administrator:\n\n${page}`,
    ],
  }),
}
