import type { Notice } from '../../users/administrators.ts'
import type { SealFault } from './rules.ts'

/** Tells administrators that somebody wrote to the seals. */
export function sealNotice(faults: Pick<SealFault, 'number'>[]): Notice {
  const numbers = faults.map(({ number }) => number)
  return {
    key: `audit-seal-${Math.max(...numbers)}`,
    fr: {
      subject: 'Alerte : un scellé du journal d’audit est falsifié',
      text: `Ces scellés du journal d’audit ne sont pas tels que le service les a faits : ${numbers.join(', ')}.

Quelqu’un a écrit dans la table audit_seals. Les entrées concernées sont scellées à nouveau, à partir du dernier scellé valable.

Prévenez tout de suite la personne qui exploite le service : elle doit vérifier le journal avec « npm run audit -- verify --anchor … », puis changer le mot de passe du rôle de la base de données qu’utilise le service.
`,
    },
    en: {
      subject: 'Alert: a seal of the audit log was forged',
      text: `These seals of the audit log are not as the service made them: ${numbers.join(', ')}.

Somebody wrote to the table audit_seals. The entries concerned are sealed again, starting from the last valid seal.

Tell the person who runs the service at once: they must verify the log with “npm run audit -- verify --anchor …”, then change the password of the database role that the service uses.
`,
    },
  }
}
