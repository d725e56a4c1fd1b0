/** Says that a mairie hides in its commune what a group made for it: a publication or an alert. */
export const hiddenInCommune = {
  fr: (title: string, commune: string) => ({
    subject: `${commune} ne montre plus « ${title} »`,
    first: `La mairie de ${commune} ne montre plus « ${title} » sur les pages de sa commune. Rien ne change dans les autres communes.`,
    last: 'La mairie peut la montrer de nouveau. Pour en parler, adressez-vous à elle.',
  }),
  en: (title: string, commune: string) => ({
    subject: `${commune} no longer shows “${title}”`,
    first: `The mairie of ${commune} no longer shows “${title}” on the pages of its commune. Nothing changes in other communes.`,
    last: 'The mairie can show it again. Please talk to it about this.',
  }),
}
