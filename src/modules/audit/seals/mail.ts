import type { Notice } from '../../users/administrators/jobs.ts'
import type { SealFault } from './rules.ts'

/** Tells administrators that somebody wrote to the seals. */
export function sealNotice(faults: Pick<SealFault, 'number'>[]): Notice {
  const numbers = faults.map(({ number }) => number)
  return {
    key: `audit-seal-${Math.max(...numbers)}`,
    subject: 'Alerte : le journal d’audit porte un scellé falsifié',
    text: `Ces scellés du journal d’audit ne sont pas tels que le service les a faits : ${numbers.join(', ')}.

Quelqu’un a écrit dans la table audit_seals. Les entrées concernées sont scellées à nouveau, à partir du dernier scellé valable.

Vérifiez le journal avec « npm run audit -- verify --anchor … », puis changez le mot de passe du rôle de la base de données qu’utilise le service.
`,
  }
}
