import { type Mail, mailOf } from '../../../platform/mail/mail.ts'

type Language = 'fr' | 'en'
type To = { to: string; from: string; id: string; langue: Language }

/** The subject contains the code too: a telephone shows it without opening the mail. */
export function signInMail(
  { to, from, id, langue }: To,
  { code, link }: { code: string; link: string },
): Mail {
  const { subject, paragraphs } = signInTexts[langue]({ code, link })
  return mailOf({ to, from, name: `sign-in-${id}` }, subject, paragraphs)
}

const signInTexts = {
  fr: ({ code, link }: { code: string; link: string }) => ({
    subject: `Votre code de connexion : ${code}`,
    paragraphs: [
      'Bonjour,',
      `Voici votre code de connexion à Parvis, à saisir dans la fenêtre où vous l’avez demandé :\n\n${code}`,
      `Ou ouvrez ce lien, sur l’appareil de votre choix :\n\n${link}`,
      'Le code et le lien servent une seule fois, dans les 15 minutes. Ne les transmettez à personne.',
      'Vous n’avez rien demandé ? Ignorez ce message : personne ne peut se connecter sans lui.',
    ],
  }),
  en: ({ code, link }: { code: string; link: string }) => ({
    subject: `Your sign-in code: ${code}`,
    paragraphs: [
      'Hello,',
      `Here is your Parvis sign-in code. Type it in the window in which you asked for it:\n\n${code}`,
      `Or open this link, on any device:\n\n${link}`,
      'The code and the link work once, within 15 minutes. Do not give them to anybody.',
      'You did not ask for this mail? Ignore it: nobody can sign in without it.',
    ],
  }),
}

/** Builds the mail with a code that confirms a session or a new address. */
export function codeMail(
  { to, from, id, langue }: To,
  purpose: 'confirmation' | 'address',
  code: string,
): Mail {
  const { subject, about, warning } = codeTexts[langue][purpose]
  const hello = langue === 'fr' ? 'Bonjour,' : 'Hello,'
  const name = `${purpose}-${id}`
  return mailOf({ to, from, name }, `${subject}${code}`, [hello, `${about}\n\n${code}`, warning])
}

const codeTexts = {
  fr: {
    confirmation: {
      subject: 'Votre code de confirmation : ',
      about: 'Voici le code qui confirme que c’est bien vous, valable 15 minutes :',
      warning:
        'Vous n’avez rien demandé ? Quelqu’un se sert de votre compte : prévenez tout de suite un administrateur.',
    },
    address: {
      subject: 'Le code de votre nouvelle adresse : ',
      about: 'Voici le code qui donne cette adresse à votre compte Parvis, valable 15 minutes :',
      warning: 'Vous n’avez rien demandé ? Ignorez ce message : sans ce code, rien ne change.',
    },
  },
  en: {
    confirmation: {
      subject: 'Your confirmation code: ',
      about: 'Here is the code that confirms that it is you, valid for 15 minutes:',
      warning: 'You did not ask for this? Somebody is using your account: tell an administrator at once.',
    },
    address: {
      subject: 'The code for your new address: ',
      about: 'Here is the code that gives this address to your Parvis account, valid for 15 minutes:',
      warning: 'You did not ask for this mail? Ignore it: without this code nothing changes.',
    },
  },
}
