import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { maxPictureBytes } from '../../../../../src/modules/media/limits.ts'
import { RecordLink } from '../../../shell/records/record-link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { asFrenchWrites } from '../../../ui/moment.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Facts } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { WebLink } from '../../../ui/web-link.tsx'
import type { ListedPublication, Report, ReportedPublication } from '../queries.ts'
import styles from './detail.module.css'
import { type Content, useFacts } from './facts.ts'

type ForeignProps = { publication: Pick<ListedPublication, 'images' | 'image_url' | 'image_problem'> }

/** Says that the picture of another site is not here yet, or why it does not come. Nothing is loaded from there. */
export function ForeignPicture({ publication: { images, image_url, image_problem } }: ForeignProps) {
  const words = useTranslations('queue')
  if (image_url === null || images.length > 0) return null
  return (
    <Notice
      tone={image_problem === null ? 'info' : 'warn'}
      title={
        image_problem === null
          ? words('imageWaits')
          : words(`imageProblem.${image_problem}`, { megabytes: maxPictureBytes / 1e6 })
      }
    >
      {image_problem !== null && <p>{words('imageAdvice')}</p>}
      <WebLink address={image_url} />
    </Notice>
  )
}

type HiddenPublication = Pick<
  ListedPublication,
  'hidden_because' | 'moderation_status' | 'publie_le' | 'moderation_reason' | 'resubmitted'
>

/** The reasons from the one that decides to those that follow from it. */
const byWeight = [
  'deleted',
  'rejected',
  'acteur_deleted',
  'acteur_inactive',
  'pending',
  'not_valid',
  'no_time',
  'not_yet',
] as const

/**
 * Says in the words of the moderator, then in one sentence, why readers do not see it. While it is pending: only a reason
 * that a decision does not remove.
 */
export function Hidden({ publication }: { publication: HiddenPublication }) {
  const words = useTranslations('queue')
  const format = useFormatter()
  const { hidden_because, moderation_status, publie_le, resubmitted, moderation_reason } = publication
  const because = byWeight.find(
    (reason) => hidden_because.includes(reason) && (moderation_status !== 'pending' || lasting.has(reason)),
  )
  if (because === undefined) return null
  const at =
    publie_le === null
      ? ''
      : asFrenchWrites(format.dateTime(new Date(publie_le), { dateStyle: 'full', timeStyle: 'short' }))
  return (
    <Notice title={words('hidden.title')}>
      {moderation_reason && !resubmitted && <p>{words('reasonGiven', { reason: moderation_reason })}</p>}
      <p>{words(`hidden.${because}`, { at })}</p>
    </Notice>
  )
}

/** Says that it waits again after a rejection, and why it was rejected. */
export function Resubmitted({
  publication: { resubmitted, moderation_reason, rejected_at },
}: {
  publication: HiddenPublication & { rejected_at?: string | null }
}) {
  const words = useTranslations('queue')
  const format = useFormatter()
  if (!resubmitted) return null
  return (
    <Notice
      tone="warn"
      title={
        moderation_reason === null
          ? words('resubmitted.unexplained')
          : words('resubmitted.because', {
              at: rejected_at ? format.dateTime(new Date(rejected_at), { dateStyle: 'long' }) : 'unknown',
              reason: moderation_reason,
            })
      }
    />
  )
}

const lasting: ReadonlySet<string> = new Set(['deleted', 'acteur_inactive', 'acteur_deleted'])

export function Reports({ reports }: { reports: readonly Report[] }) {
  const words = useTranslations('queue')
  return (
    <section className={styles.reports} aria-label={words('reportsTitle')}>
      <h3>{words('reportsTitle')}</h3>
      <ul>
        {reports.map(({ id, category, reason, message, created_at }) => (
          <li key={id} className={styles.report}>
            <Icon name="flag" />
            <div>
              <strong>{words(`category.${category ?? 'other'}`)}</strong> <Time at={created_at} />
              {(reason ?? message) && <p>{[reason, message].filter(Boolean).join(' · ')}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const signedIn = getRouteApi('/signed-in')

type Described = Content &
  Pick<ListedPublication, 'acteur' | 'commune'> &
  Partial<Pick<ListedPublication, 'created_by_user' | 'record' | 'source' | 'featured_until' | 'epingle'>> & {
    refusals?: ReportedPublication['refusals']
  }

export function About({ publication }: { publication: Described }) {
  const words = useTranslations('queue')
  const { me } = signedIn.useRouteContext()
  const factsOf = useFacts()
  const { acteur, commune } = publication
  const linked = (entity: 'acteur' | 'commune', area: string, { id, nom }: { id: string; nom: string }) =>
    me.areas.includes(area) ? (
      <RecordLink key={entity} entity={entity} id={id}>
        {nom}
      </RecordLink>
    ) : (
      nom
    )
  const facts: [string, ReactNode][] = [
    [words('acteur'), acteur ? linked('acteur', 'acteurs', acteur) : words('nobody')],
    [words('commune'), commune ? linked('commune', 'communes', commune) : words('none')],
  ]
  const { created_by_user, record, refusals, source } = publication
  if (created_by_user) {
    const author = created_by_user.id === me.id ? words('yourself') : created_by_user.nom
    facts.push([words('author'), author ?? words('somebody')])
  }
  if (record) facts.push([words('record'), words('recordOf', record)])
  if (refusals && refusals.length > 0)
    facts.push([words('refusals'), <Refusals key="refusals" all={refusals} />])
  if (publication.featured_until) {
    facts.push([words('featuredUntil'), <Time key="featured" at={publication.featured_until} />])
  }
  if (publication.epingle) facts.push([words('pinned'), words('pinnedText')])
  if (source) facts.push([words('import'), source.nom])
  for (const { label, text, isLink } of factsOf(publication))
    facts.push([label, isLink ? <WebLink key={label} address={text} /> : text])
  return (
    <section className={styles.about}>
      <Facts facts={facts} />
    </section>
  )
}

/** What was rejected of an acteur, and why. */
function Refusals({ all }: { all: ReportedPublication['refusals'] }) {
  return (
    <ul className={styles.refusals}>
      {all.map(({ id, titre, moderation_reason, created_at }) => (
        <li key={id}>
          <RecordLink entity="publication" id={id}>
            {titre}
          </RecordLink>{' '}
          <Time at={created_at} />
          {moderation_reason && <p>{moderation_reason}</p>}
        </li>
      ))}
    </ul>
  )
}
