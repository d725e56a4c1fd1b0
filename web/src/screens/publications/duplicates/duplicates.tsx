import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useShortcuts } from '../../../shell/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Difference, plainText } from '../../../ui/difference.tsx'
import { Empty, Skeleton } from '../../../ui/empty.tsx'
import { Facts, Page } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { useDecisions } from '../deciding/decisions.ts'
import { Status } from '../detail/status.tsx'
import type { Listed } from '../queries.ts'
import styles from './duplicates.module.css'
import { type Group, groupsQuery, keepOne } from './queries.ts'

const route = getRouteApi('/signed-in/duplicates')

/** Shows one group at a time, side by side. The user keeps one publication, which rejects the others. */
export function DuplicatesScreen() {
  const words = useTranslations('duplicates')
  const common = useTranslations('queue')
  const { group: wanted } = route.useSearch()
  const navigate = useNavigate()
  const found = useQuery(groupsQuery)
  const show = (key: string | undefined) =>
    void navigate({ to: '/duplicates', search: key === undefined ? {} : { group: key }, replace: true })
  const decisions = useDecisions({
    onUndone: (id) =>
      show(found.data?.find(({ members }) => members.some((member) => member.id === id))?.key),
    onReview: (id) => void navigate({ to: '/publications/$id', params: { id } }),
    onNothingToUndo: () => {},
  })
  const groups = (found.data ?? []).filter(({ members }) => members.every(decisions.isOpen))
  const index = Math.max(
    0,
    groups.findIndex(({ key }) => key === wanted),
  )
  const group = groups[index]
  const keep = (kept: Listed) => {
    if (group === undefined) return
    const others = group.members.filter(({ id }) => id !== kept.id).map(({ id }) => id)
    decisions.change(group.members, () => keepOne(kept.id, others))
    show((groups[index + 1] ?? groups[index - 1])?.key)
  }
  useShortcuts(words('title'), [
    { key: 'j', label: words('next'), run: () => show((groups[index + 1] ?? group)?.key), repeats: true },
    { key: 'k', label: words('previous'), run: () => show((groups[index - 1] ?? group)?.key), repeats: true },
    ...(group?.members ?? []).slice(0, 9).map((member, place) => ({
      key: String(place + 1),
      label: words('keepOf', { titre: member.titre }),
      run: () => keep(member),
    })),
    { key: 'u', label: common('undo'), run: decisions.undo },
  ])
  return (
    <Page
      title={words('title')}
      actions={
        group && (
          <nav className={styles.steps} aria-label={words('groups')}>
            <span>{words('place', { place: index + 1, count: groups.length })}</span>
            <Button small shortcut="k" isDisabled={index === 0} onPress={() => show(groups[index - 1]?.key)}>
              {words('previous')}
            </Button>
            <Button
              small
              shortcut="j"
              isDisabled={index >= groups.length - 1}
              onPress={() => show(groups[index + 1]?.key)}
            >
              {words('next')}
            </Button>
          </nav>
        )
      }
    >
      {found.isPending && <Skeleton lines={10} />}
      {found.isError && <ShownFailure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && group === undefined && (
        <Empty icon="check" title={words('empty.title')}>
          <p>{words('empty.text')}</p>
        </Empty>
      )}
      {group && <Compared key={group.key} group={group} onKeep={keep} />}
    </Page>
  )
}

function Compared({ group, onKeep }: { group: Group; onKeep: (kept: Listed) => void }) {
  const words = useTranslations('duplicates')
  const common = useTranslations('queue')
  const [first, second] = group.members
  return (
    <>
      <p className={styles.why}>{words(`reason.${group.reason}`)}</p>
      <ul className={styles.members} aria-label={words('members')}>
        {group.members.map((member, place) => {
          const other = (place === 0 ? second : first) ?? member
          return (
            <li key={member.id}>
              <article className={styles.member} aria-labelledby={`title-${member.id}`}>
                <h2 id={`title-${member.id}`} className={styles.title}>
                  <Difference before={other.titre} after={member.titre} side="after" />
                </h2>
                <p className={styles.meta}>
                  <Status publication={member} />
                  <span>
                    {common('created')} <Time at={member.created_at} />
                  </span>
                </p>
                <Difference before={plainText(other.body)} after={plainText(member.body)} side="after" />
                <Facts
                  facts={[
                    [common('acteur'), member.acteur?.nom ?? common('nobody')],
                    [common('commune'), member.commune?.nom ?? common('none')],
                    ...(member.source_url ? [[common('source'), member.source_url] as const] : []),
                  ]}
                />
                <div className={styles.deeds}>
                  <Button
                    look="primary"
                    {...(place < 9 && { shortcut: String(place + 1) })}
                    onPress={() => onKeep(member)}
                  >
                    {words('keep')}
                  </Button>
                  <Link to="/publications/$id" params={{ id: member.id }}>
                    {words('open')}
                  </Link>
                </div>
              </article>
            </li>
          )
        })}
      </ul>
    </>
  )
}
