import type { Notice } from '../../users/administrators/jobs.ts'

/** Tells administrators that payment events failed. */
export function failureNotice(failed: number): Omit<Notice, 'key'> {
  const what = failed === 1 ? 'Un événement de paiement attend' : `${failed} événements de paiement attendent`
  const text = `Bonjour,

${what} votre attention : leur effet sur les abonnements n’a pas pu être appliqué.

L’écran Abonnements indique lesquels, et pourquoi. Une fois la cause écartée, ils se relancent sur cet écran ; la personne qui exploite le service peut aussi les relancer tous :

  npm run payments -- replay --failed

ou, pour un événement dont personne n’a besoin :

  npm run payments -- ignore --id evt_…

Ce message revient chaque heure tant qu’il en reste.
`
  return { subject: `${what} votre attention`, text }
}
