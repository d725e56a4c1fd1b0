import type { Notice } from '../../users/administrators/jobs.ts'
import type { SourceRow } from '../queries.ts'
import type { Run } from '../schema.ts'

/** Tells administrators that a large import waits for a decision. */
export const heldNotice = (
  { nom }: Pick<SourceRow, 'nom'>,
  { id, held, fetched }: Pick<Run, 'id' | 'held' | 'fetched'>,
): Notice => ({
  key: `import-held-${id}`,
  subject: 'Une importation inhabituelle attend votre décision',
  text: `La source d’import « ${nom} » a envoyé ${fetched} éléments, bien plus que d’habitude. Ses ${held} nouvelles publications ne sont pas visibles : elles attendent une décision.

Si la source est saine, approuvez-les. Sinon, désactivez la source et retirez ses publications dans l’administration.`,
})

/** Tells administrators that a source is no longer read after so many failures. */
export const pausedNotice = (
  { nom }: Pick<SourceRow, 'nom'>,
  { id, error }: Pick<Run, 'id' | 'error'>,
  failures: number,
): Notice => ({
  key: `import-paused-${id}`,
  subject: 'Une source d’import est suspendue',
  text: `La source d’import « ${nom} » a échoué ${failures} fois de suite et ne sera plus lue.

Dernière erreur : ${error}

Corrigez-la puis réactivez-la dans l’administration.`,
})
