const texts = {
  fr: (page: string) => ({
    subject: 'Votre accès vous attend',
    text: `Bonjour,

Un administrateur vous a ouvert un accès. Pour vous connecter, ouvrez cette page et saisissez l’adresse à laquelle vous recevez ce message :

${page}

Vous recevrez alors un code, valable 15 minutes. Aucun mot de passe n’est nécessaire.

Vous n’attendiez pas ce message ? Ignorez-le.
`,
  }),
  en: (page: string) => ({
    subject: 'Your access is ready',
    text: `Hello,

An administrator has given you access. To sign in, open this page and type the address at which you receive this message:

${page}

You will then get a code, valid for 15 minutes. No password is needed.

You did not expect this message? Ignore it.
`,
  }),
}

export const invitationText = (langue: 'fr' | 'en', page: string) => texts[langue](page)
