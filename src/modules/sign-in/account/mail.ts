const texts = {
  fr: {
    subject: 'L’adresse de votre compte a changé',
    text: `Bonjour,

Votre compte a désormais une autre adresse e-mail : celle-ci ne sert plus à se connecter.

C’était vous ? Il n’y a rien à faire.

Ce n’était pas vous ? Prévenez tout de suite un administrateur.
`,
  },
  en: {
    subject: 'The address of your account has changed',
    text: `Hello,

Your account has another e-mail address now: this one no longer signs in.

Was it you? There is nothing to do.

It was not? Tell an administrator at once.
`,
  },
}

/** Does not mention the new address, because the former mailbox may belong to somebody else. */
export const formerAddressText = (langue: 'fr' | 'en') => texts[langue]
