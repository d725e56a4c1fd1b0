import type { Notice } from '../../users/administrators.ts'

/** Tells administrators that payment events failed. */
export function failureNotice(failed: number): Omit<Notice, 'key'> {
  const attend =
    failed === 1 ? 'Un événement de paiement attend' : `${failed} événements de paiement attendent`
  const need = failed === 1 ? 'One payment event needs' : `${failed} payment events need`
  return {
    fr: {
      subject: `${attend} votre attention`,
      text: `Bonjour,

${attend} votre attention : l’effet sur les abonnements n’a pas pu être appliqué.

L’écran Abonnements indique de quoi il s’agit, et pourquoi. Une fois la cause corrigée, vous pouvez y appliquer de nouveau chaque événement, ou y indiquer qu’il n’y a rien à faire ; la personne qui exploite le service peut aussi les appliquer tous :

  npm run payments -- replay --failed

ou écarter un événement dont personne n’a besoin :

  npm run payments -- ignore --id evt_…

Ce message revient chaque heure tant qu’il en reste.
`,
    },
    en: {
      subject: `${need} your attention`,
      text: `Hello,

${need} your attention: the effect on subscriptions could not be applied.

The Subscriptions screen shows the details and the reason. Once the cause is corrected, you can apply each event again there, or say that nothing is to be done; the person who runs the service can also apply them all:

  npm run payments -- replay --failed

or ignore an event that nobody needs:

  npm run payments -- ignore --id evt_…

This mail is sent every hour while any remain.
`,
    },
  }
}
