import { days, type Mail, mailOf } from '../../platform/mail/mail.ts'
import { hiddenInCommune } from '../communes/hiding.mail.ts'
import { type Ground, groundIn } from '../grounds/grounds.ts'
import type { Restriction } from '../grounds/statements.ts'

export type MailReason = 'corrected' | 'hidden_in_commune' | Exclude<Restriction, 'deactivated'>

/** A publication that a mail is about. */
export type Subject = {
  publication_id: string
  /** Whose space has its page; null for an author who is no member. */
  acteur_id: string | null
  title: string
  reason: string | null
  /** Null: a correction, or a decision of the version before. */
  by_report: boolean | null
  by_machine: boolean | null
  /** To which the recipient can object; null: there is none. */
  statement_id: string | null
  /** Effect of an edit by the recipient; null: they may not edit it. */
  edit: 'read_again' | 'stays' | null
}

export type MailRow = {
  id: string
  kind: MailReason
  user_id: string
  nom: string | null
  address: string
  langue: 'fr' | 'en'
  /** Whose mairie hides them; null: no hiding. */
  commune: string | null
  /** Several for a decision on several; the first of `total`. */
  subjects: Subject[]
  total: number
  /** Null: a correction, or a decision of the version before. */
  decided: { ground: Ground; at: string; until: string } | null
}

type Options = {
  from: string
  pageOf: (subject: Subject) => string | null
  /** The page where the recipient objects to a statement; null: there is no site. */
  objectionTo: (statementId: string, publicationId: string) => string | null
}

/** Builds the mail about a decision or correction. Its Message-ID is kept across retries. */
export function authorMail(row: MailRow, to: string, { from, pageOf, objectionTo }: Options): Mail {
  const { id, kind, nom, langue, commune, subjects, total, decided } = row
  const texts = textsIn[langue]
  const [one] = subjects
  const isOne = total === 1 && one !== undefined
  const { subject, first, last } = isOne
    ? texts.one[kind](one.title, commune ?? '')
    : texts.several[kind](total, commune ?? '')
  const edits = new Set(subjects.map(({ edit }) => edit))
  const [edit = null] = edits.size === 1 ? edits : []
  const next = edit === null ? null : last[edit]
  // A deleted publication has no page.
  const linkOf = kind === 'deleted' ? () => null : pageOf
  const reasons = new Set(subjects.map(({ reason }) => reason?.trim() ?? ''))
  const [reason = ''] = reasons.size === 1 ? reasons : []
  const lines = (one: Subject) =>
    [texts.line(one), ...(reasons.size > 1 ? [one.reason?.trim()] : []), linkOf(one)]
      .filter(Boolean)
      .join('\n  ')
  return mailOf({ to, from, name: `publication-${kind}-${id}` }, subject, [
    nom === null || nom.trim() === '' ? `${texts.hello},` : `${texts.hello} ${nom.trim()},`,
    first,
    ...(isOne ? [] : [[...subjects.map(lines), ...texts.others(total - subjects.length)].join('\n')]),
    ...(decided === null ? [] : [texts.facts(decided, subjects, isOne)]),
    ...(reason === '' ? [] : [`${texts.why}\n\n${reason}`]),
    ...[[next, isOne ? linkOf(one) : null].filter(Boolean).join('\n')].filter((text) => text !== ''),
    ...(decided === null ? [] : [objecting(langue, decided.until, subjects, { isOne, objectionTo })]),
    texts.farewell,
  ])
}

/** Says how to object, and until when. */
function objecting(
  langue: MailRow['langue'],
  until: string,
  subjects: Subject[],
  { isOne, objectionTo }: Pick<Options, 'objectionTo'> & { isOne: boolean },
): string {
  const links = subjects.flatMap(({ title, statement_id, publication_id }) => {
    const link = statement_id === null ? null : objectionTo(statement_id, publication_id)
    if (link === null) return []
    return [isOne ? link : `– ${langue === 'fr' ? `« ${title} »` : `“${title}”`}\n  ${link}`]
  })
  return [textsIn[langue].object(days[langue].format(new Date(until)), links.length > 0), ...links].join('\n')
}

type Last = { read_again: string | null; stays: string | null }
const always = (text: string | null): Last => ({ read_again: text, stays: text })
const lasting = ({ last, ...text }: { subject: string; first: string; last: string }) => ({
  ...text,
  last: always(last),
})

const fr = {
  hello: 'Bonjour',
  why: 'Voici pourquoi :',
  farewell: 'Bien à vous,\nL’équipe',
  object: (until: string, hasLink: boolean) =>
    `Si vous n’êtes pas d’accord, vous pouvez contester jusqu’au ${until}${hasLink ? '' : ', dans votre espace'} ; une autre personne examinera votre réclamation${hasLink ? ' :' : '.'}`,
  line: ({ title, by_report, by_machine }: Subject) => {
    const marks = [by_report && 'signalée', by_machine && 'repérée par une machine'].filter(Boolean)
    return `– « ${title} »${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`
  },
  others: (count: number) => (count === 0 ? [] : [`Et ${count} ${count === 1 ? 'autre' : 'autres'}.`]),
  facts: ({ ground, at }: NonNullable<MailRow['decided']>, subjects: Subject[], isOne: boolean) => {
    const isReported = subjects.some(({ by_report }) => by_report)
    return [
      `Depuis le ${days.fr.format(new Date(at))}.`,
      `${ground.kind === 'law' ? 'Loi' : 'Règle'} : ${groundIn(ground)}`,
      ...(isReported && !isOne
        ? []
        : [isReported ? 'Un signalement a été reçu.' : 'Aucun signalement n’en est à l’origine.']),
      subjects.some(({ by_machine }) => by_machine)
        ? `${isOne ? 'Une machine l’a repérée ; une' : 'Une'} personne a décidé.`
        : 'Une personne a décidé, sans l’aide d’une machine.',
    ].join('\n')
  },
  one: {
    rejected: (title: string) => ({
      subject: `« ${title} » a été rejetée`,
      first: `Nous avons relu « ${title} », mais nous ne pouvons pas la montrer au public.`,
      last: always('Vous pouvez la modifier : elle sera alors relue.'),
    }),
    hidden: (title: string) => ({
      subject: `« ${title} » n’est plus visible`,
      first: `Nous avons retiré « ${title} » de la vue du public.`,
      last: {
        read_again: 'Vous pouvez la modifier : elle sera alors relue.',
        stays: 'Vous pouvez la modifier ; elle reste cachée jusqu’à ce que nous la montrions de nouveau.',
      },
    }),
    deleted: (title: string) => ({
      subject: `« ${title} » a été supprimée`,
      first: `Nous avons supprimé « ${title} ».`,
      last: always('Vous pouvez en écrire une autre, sans ce que nous lui reprochons.'),
    }),
    unfeatured: (title: string) => ({
      subject: `« ${title} » n’est plus mise en avant`,
      first: `Nous ne mettons plus « ${title} » en avant.`,
      last: always(null),
    }),
    corrected: (title: string) => ({
      subject: `« ${title} » a été corrigée`,
      first: `Nous avons corrigé « ${title} ». Vous la retrouvez, telle qu’elle est maintenant, parmi vos publications.`,
      last: always('Si quelque chose ne vous convient pas, vous pouvez la modifier à votre tour.'),
    }),
    hidden_in_commune: (title: string, commune: string) => lasting(hiddenInCommune.fr(title, commune)),
  },
  several: {
    rejected: (total: number) => ({
      subject: `${total} publications ont été rejetées`,
      first: 'Nous avons relu ces publications, mais nous ne pouvons pas les montrer au public :',
      last: always('Vous pouvez les modifier : elles seront alors relues.'),
    }),
    hidden: (total: number) => ({
      subject: `${total} publications ne sont plus visibles`,
      first: 'Nous avons retiré ces publications de la vue du public :',
      last: {
        read_again: 'Vous pouvez les modifier : elles seront alors relues.',
        stays:
          'Vous pouvez les modifier ; elles restent cachées jusqu’à ce que nous les montrions de nouveau.',
      },
    }),
    deleted: (total: number) => ({
      subject: `${total} publications ont été supprimées`,
      first: 'Nous avons supprimé ces publications :',
      last: always('Vous pouvez en écrire d’autres, sans ce que nous leur reprochons.'),
    }),
    unfeatured: (total: number) => ({
      subject: `${total} publications ne sont plus mises en avant`,
      first: 'Nous ne mettons plus ces publications en avant :',
      last: always(null),
    }),
    corrected: (total: number) => ({
      subject: `${total} publications ont été corrigées`,
      first: 'Nous avons corrigé ces publications :',
      last: always('Si quelque chose ne vous convient pas, vous pouvez les modifier à votre tour.'),
    }),
    hidden_in_commune: (total: number, commune: string) => ({
      subject: `${commune} ne montre plus ${total} publications`,
      first: `La mairie de ${commune} ne montre plus ces publications sur les pages de sa commune :`,
      last: always('La mairie peut les montrer de nouveau. Pour en parler, adressez-vous à elle.'),
    }),
  },
}

const en: typeof fr = {
  hello: 'Hello',
  why: 'Here is why:',
  farewell: 'Kind regards,\nThe team',
  object: (until, hasLink) =>
    `If you disagree, you can complain until ${until}${hasLink ? '' : ', in your space'}; somebody else will examine your complaint${hasLink ? ':' : '.'}`,
  line: ({ title, by_report, by_machine }) => {
    const marks = [by_report && 'reported', by_machine && 'found by a machine'].filter(Boolean)
    return `– “${title}”${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`
  },
  others: (count) => (count === 0 ? [] : [`And ${count} ${count === 1 ? 'other' : 'others'}.`]),
  facts: ({ ground, at }, subjects, isOne) => {
    const isReported = subjects.some(({ by_report }) => by_report)
    return [
      `Since ${days.en.format(new Date(at))}.`,
      `${ground.kind === 'law' ? 'Law' : 'Rule'}: ${groundIn(ground)}`,
      ...(isReported && !isOne ? [] : [isReported ? 'We received a report.' : 'No report led to this.']),
      subjects.some(({ by_machine }) => by_machine)
        ? `${isOne ? 'A machine found it; a' : 'A'} person decided.`
        : 'A person decided, without the help of a machine.',
    ].join('\n')
  },
  one: {
    rejected: (title) => ({
      subject: `“${title}” has been rejected`,
      first: `We have reviewed “${title}”, but we cannot show it to the public.`,
      last: always('You can edit it: we will then review it again.'),
    }),
    hidden: (title) => ({
      subject: `“${title}” is no longer visible`,
      first: `We have hidden “${title}” from the public.`,
      last: {
        read_again: 'You can edit it: we will then review it again.',
        stays: 'You can edit it; it stays hidden until we show it again.',
      },
    }),
    deleted: (title) => ({
      subject: `“${title}” has been deleted`,
      first: `We have deleted “${title}”.`,
      last: always('You can write another one, without what we object to.'),
    }),
    unfeatured: (title) => ({
      subject: `“${title}” is no longer featured`,
      first: `We no longer feature “${title}”.`,
      last: always(null),
    }),
    corrected: (title) => ({
      subject: `“${title}” has been corrected`,
      first: `We have corrected “${title}”. You can find it among your publications, as it is now.`,
      last: always('If you are not happy with something, you can edit it yourself.'),
    }),
    hidden_in_commune: (title, commune) => lasting(hiddenInCommune.en(title, commune)),
  },
  several: {
    rejected: (total) => ({
      subject: `${total} publications have been rejected`,
      first: 'We have reviewed these publications, but we cannot show them to the public:',
      last: always('You can edit them: we will then review them again.'),
    }),
    hidden: (total) => ({
      subject: `${total} publications are no longer visible`,
      first: 'We have hidden these publications from the public:',
      last: {
        read_again: 'You can edit them: we will then review them again.',
        stays: 'You can edit them; they stay hidden until we show them again.',
      },
    }),
    deleted: (total) => ({
      subject: `${total} publications have been deleted`,
      first: 'We have deleted these publications:',
      last: always('You can write others, without what we object to.'),
    }),
    unfeatured: (total) => ({
      subject: `${total} publications are no longer featured`,
      first: 'We no longer feature these publications:',
      last: always(null),
    }),
    corrected: (total) => ({
      subject: `${total} publications have been corrected`,
      first: 'We have corrected these publications:',
      last: always('If you are not happy with something, you can edit them yourself.'),
    }),
    hidden_in_commune: (total, commune) => ({
      subject: `${commune} no longer shows ${total} publications`,
      first: `The mairie of ${commune} no longer shows these publications on the pages of its commune:`,
      last: always('The mairie can show them again. Please talk to it about this.'),
    }),
  },
}

const textsIn = { fr, en }
