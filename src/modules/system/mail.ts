import { type Mail, mailOf } from '../../platform/mail/mail.ts'

type Envelope = { id: string; to: string; from: string; langue: 'fr' | 'en'; url: string }

/** Builds a mail by which an administrator tests the mail settings. */
export function testMail({ id, to, from, langue, url }: Envelope): Mail {
  const { subject, paragraphs } = texts[langue](url)
  return mailOf({ to, from, name: `test-${id}`, html: langue }, subject, paragraphs)
}

const texts = {
  fr: (url: string) => ({
    subject: 'Courriel d’essai de Parvis',
    paragraphs: [
      'Bonjour,',
      `Ce courriel d’essai vient de ${url}. Si vous le lisez, l’envoi de courriels fonctionne.`,
      'Vous ne l’avez pas demandé ? Quelqu’un a utilisé votre compte : déconnectez vos appareils dans « Mon compte », et prévenez un administrateur.',
    ],
  }),
  en: (url: string) => ({
    subject: 'Parvis test mail',
    paragraphs: [
      'Hello,',
      `This test mail comes from ${url}. If you can read it, sending mail works.`,
      'You did not ask for it? Somebody used your account: sign out your devices in “My account”, and tell an administrator.',
    ],
  }),
}
