import type { Notice } from '../../users/administrators.ts'
import type { SourceRow } from '../queries.ts'
import type { Run } from '../schema.ts'

/** Tells administrators that a large import waits for a decision. */
export const heldNotice = (
  { nom }: Pick<SourceRow, 'nom'>,
  { id, held, fetched }: Pick<Run, 'id' | 'held' | 'fetched'>,
): Notice => ({
  key: `import-held-${id}`,
  fr: {
    subject: `Un import inhabituel attend votre décision : ${nom}`,
    text: `La source d’import « ${nom} » a envoyé ${fetched} éléments, bien plus que d’habitude. Ses ${held} nouvelles publications ne sont pas visibles : elles attendent votre décision.

Voyez-les dans l’écran Imports, sous « À décider », puis choisissez « Tout publier » ou « Tout refuser ».
`,
  },
  en: {
    subject: `An unusual import is waiting for your decision: ${nom}`,
    text: `The import source “${nom}” sent ${fetched} items, far more than usual. Its ${held} new publications are not visible: they are waiting for your decision.

Look at them on the Imports screen, under “To decide”, then choose “Publish all” or “Refuse all”.
`,
  },
})

/** Tells administrators that a source is no longer read after so many failures. The stored error is in English. */
export const pausedNotice = (
  { nom }: Pick<SourceRow, 'nom'>,
  { id, error }: Pick<Run, 'id' | 'error'>,
  failures: number,
): Notice => ({
  key: `import-paused-${id}`,
  fr: {
    subject: `Une source d’import est en pause : ${nom}`,
    text: `La source d’import « ${nom} » a échoué ${failures} fois de suite et ne sera plus lue.

Ouvrez-la dans l’écran Imports, qui donne la dernière erreur. Corrigez son adresse ou ses réglages si besoin, puis choisissez « Reprendre ».
`,
  },
  en: {
    subject: `An import source has been paused: ${nom}`,
    text: `The import source “${nom}” failed ${failures} times in a row and will no longer be read.

Last error: ${error}

Open it on the Imports screen, correct its address or its settings if needed, then choose “Resume”.
`,
  },
})
