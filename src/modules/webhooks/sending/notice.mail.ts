import type { Notice } from '../../users/administrators.ts'

/** Why the owner of a webhook is written to. `failing`: ten attempts in a row failed. `disabled`: none succeeded for three days. */
export type NoticeKind = 'failing' | 'gone' | 'disabled'

type Noticed = {
  id: string
  /** Only the host is named: the rest of an address may hold a password. */
  host: string
  since: Date
}

/** Says that a webhook fails or was disabled. `page`: where its owner sees the answers. */
export function webhookNotice(kind: NoticeKind, { id, host, since }: Noticed, page: string | null): Notice {
  const fr = texts.fr[kind](host)
  const en = texts.en[kind](host)
  const at = (address: string) => (page === null ? '' : `\n\n${address}\n${page}`)
  return {
    key: `webhook-${kind}-${id}-${since.getTime().toString(36)}`,
    fr: { subject: fr.subject, text: `${fr.text}${at('Les réponses reçues sont à cette adresse :')}\n` },
    en: { subject: en.subject, text: `${en.text}${at('Its answers are at this address:')}\n` },
  }
}

const texts = {
  fr: {
    failing: (host: string) => ({
      subject: `Le webhook vers ${host} échoue`,
      text: `Les dix derniers envois à ${host} ont échoué. Les messages attendent et seront renvoyés. Sans succès pendant trois jours, le webhook sera désactivé.`,
    }),
    gone: (host: string) => ({
      subject: `Le webhook vers ${host} est désactivé`,
      text: `${host} a répondu qu’il ne veut plus de messages (410). Le webhook est désactivé ; vous pouvez le réactiver.`,
    }),
    disabled: (host: string) => ({
      subject: `Le webhook vers ${host} est désactivé`,
      text: `Aucun envoi à ${host} n’a réussi depuis trois jours. Le webhook est désactivé ; réactivez-le quand le programme fonctionne, puis renvoyez ce qui manque.`,
    }),
  },
  en: {
    failing: (host: string) => ({
      subject: `The webhook to ${host} is failing`,
      text: `The last ten attempts to reach ${host} failed. Messages wait and will be sent again. Without a success in three days, the webhook will be disabled.`,
    }),
    gone: (host: string) => ({
      subject: `The webhook to ${host} is disabled`,
      text: `${host} answered that it wants no more messages (410). The webhook is disabled; you can enable it again.`,
    }),
    disabled: (host: string) => ({
      subject: `The webhook to ${host} is disabled`,
      text: `No attempt to reach ${host} has succeeded for three days. The webhook is disabled; enable it when the program works, then send again what is missing.`,
    }),
  },
}
