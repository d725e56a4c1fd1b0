import { messageIdOf } from '../../platform/formats/mail-address.ts'
import { htmlOf } from '../../platform/mail/html.ts'
import type { Mail } from '../../platform/mail/mail.ts'

type Envelope = { id: string; to: string; from: string; langue: 'fr' | 'en'; url: string }

/** Builds a mail by which an administrator tests the mail settings. */
export function testMail({ id, to, from, langue, url }: Envelope): Mail {
  const { subject, text } = texts[langue](url)
  return { messageId: messageIdOf(`test-${id}`, from), to, subject, text, html: htmlOf(text, langue) }
}

const texts = {
  fr: (url: string) => ({
    subject: 'Courriel d’essai',
    text: `Bonjour,

Ce courriel d’essai vient de ${url}. Si vous le lisez, l’envoi de courriels fonctionne.

Vous ne l’avez pas demandé ? Quelqu’un a utilisé votre compte : déconnectez vos appareils.
`,
  }),
  en: (url: string) => ({
    subject: 'Test mail',
    text: `Hello,

This test mail comes from ${url}. If you can read it, sending mail works.

You did not ask for it? Somebody used your account: sign out your devices.
`,
  }),
}
