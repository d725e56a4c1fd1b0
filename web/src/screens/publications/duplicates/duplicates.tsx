import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ModerationTabs } from '../../../shell/navigation/moderation-tabs.tsx'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Difference, plainText } from '../../../ui/difference.tsx'
import { Empty, Skeleton } from '../../../ui/empty.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Facts, Page } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { WebLink } from '../../../ui/web-link.tsx'
import { useDecisions } from '../deciding/decisions.ts'
import { useFacts } from '../detail/facts.ts'
import { Status } from '../detail/status.tsx'
import { type ListedPublication, publicationQuery } from '../queries.ts'
import styles from './duplicates.module.css'
import {
  distinguish,
  type Group,
  groupQuery,
  groupsQuery,
  keepOne,
  loadedGroups,
  maxDistinct,
  maxMembers,
} from './queries.ts'
import { useWhy } from './why.tsx'

const route = getRouteApi('/signed-in/duplicates')

/** The next groups are loaded when only so many follow the one on the screen. */
const ahead = 5

/** Shows one group at a time, side by side. The user keeps one publication, which rejects the others. */
export function DuplicatesScreen() {
  const words = useTranslations('duplicates')
  const common = useTranslations('queue')
  const { group: wanted } = route.useSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const found = useInfiniteQuery(groupsQuery)
  const loaded = loadedGroups(found.data)
  const isWanted = ({ key }: Group) => key === wanted
  // A link may lead to a group beyond those that are loaded.
  const isElsewhere = wanted !== undefined && found.isSuccess && !loaded.groups.some(isWanted)
  const linked = useQuery({ ...groupQuery(wanted ?? ''), enabled: isElsewhere })
  const known = isElsewhere && linked.data ? [linked.data, ...loaded.groups] : loaded.groups
  const show = (key: string | undefined) =>
    void navigate({ to: '/duplicates', search: key === undefined ? {} : { group: key }, replace: true })
  const decisions = useDecisions({
    onUndone: (id) =>
      void client.fetchQuery(publicationQuery(id)).then(
        ({ duplicate_group }) => show(duplicate_group ?? undefined),
        () => {},
      ),
    onReview: (id) => void navigate({ to: '/publications/$id', params: { id } }),
    onNothingToUndo: () => {},
    reloads: true,
  })
  const groups = known.filter(({ members }) => members.some(decisions.isOpen))
  const [shown, setShown] = useState<{ key: string; index: number } | null>(null)
  const place = groups.findIndex(isWanted)
  // The rest of a large group comes with the reload after a decision.
  const isComing = place < 0 && known.some(isWanted)
  const isSought = isElsewhere && place < 0
  // Settled by a colleague: no other group takes its place unseen, as a key press would decide on that one.
  const isGone = isSought && !isComing && (shown?.key === wanted || linked.data === null)
  const former = shown !== null && shown.key === wanted ? shown.index : 0
  const index = isGone ? Math.min(former, groups.length) - 1 : Math.max(0, place)
  const group = isComing || isSought ? undefined : groups[index]
  const key = group?.key
  const rejecting = useWhy(group)
  useEffect(() => {
    if (key === undefined) return
    setShown({ key, index })
    if (key !== wanted) void navigate({ to: '/duplicates', search: { group: key }, replace: true })
  }, [key, index, wanted, navigate])
  const { hasNextPage, isFetching, isError, fetchNextPage } = found
  const needsMore = hasNextPage && !isFetching && !isError && index >= groups.length - ahead
  useEffect(() => {
    if (needsMore) void fetchNextPage()
  }, [needsMore, fetchNextPage])
  const isEmpty = loaded.isWhole && loaded.groups.length === 0
  const isLast = index >= groups.length - 1
  const keep = (kept: ListedPublication) => {
    if (group === undefined) return
    const others = group.members.filter(({ id }) => id !== kept.id).map(({ id }) => id)
    const send = () => keepOne(kept.id, others, rejecting.why)
    decisions.change(group.members, send, undefined, rejecting.onSuccess)
    const next = group.ids.length > maxMembers ? group : (groups[index + 1] ?? groups[index - 1])
    show(next?.key)
  }
  const settle =
    group && group.ids.length <= maxDistinct
      ? () => {
          const title = words('distinguished', { count: group.ids.length })
          decisions.change(group.members, () => distinguish(group.ids), title)
          show((groups[index + 1] ?? groups[index - 1])?.key)
        }
      : undefined
  useShortcuts(words('title'), [
    { key: 'j', label: words('next'), run: () => show((groups[index + 1] ?? group)?.key), repeats: true },
    {
      key: 'k',
      label: words('previous'),
      run: () => show((groups[isGone ? index : index - 1] ?? group)?.key),
      repeats: true,
    },
    ...(group?.members ?? []).slice(0, 9).map((member, place) => ({
      key: String(place + 1),
      label: words('keepOf', { titre: member.titre }),
      run: () => keep(member),
    })),
    ...(group ? [{ key: 'm', label: words('why'), run: rejecting.ask }] : []),
    ...(settle ? [{ key: 'n', label: words('distinguish'), run: settle }] : []),
    { key: 'u', label: common('undo'), run: decisions.undo },
  ])
  return (
    <Page
      title={words('title')}
      actions={
        group && (
          <nav className={styles.steps} aria-label={words('groups')}>
            <span>
              {words(loaded.isWhole ? 'place' : 'placeOfMore', { place: index + 1, count: groups.length })}
            </span>
            <Button small shortcut="k" isDisabled={index === 0} onPress={() => show(groups[index - 1]?.key)}>
              {words('previous')}
            </Button>
            <Button small shortcut="j" isDisabled={isLast} onPress={() => show(groups[index + 1]?.key)}>
              {words('next')}
            </Button>
          </nav>
        )
      }
    >
      <ModerationTabs />
      {isError && <ShownFailure error={found.error} onRetry={() => void found.refetch()} />}
      {isSought && linked.isError && (
        <ShownFailure error={linked.error} onRetry={() => void linked.refetch()} />
      )}
      {isEmpty && (
        <Empty icon="check" title={words('empty.title')}>
          <p>{words('empty.text')}</p>
        </Empty>
      )}
      {isGone && !isEmpty && (
        <Empty icon="check" title={words('gone.title')}>
          <p>{words('gone.text')}</p>
          <Button shortcut="j" onPress={() => show(groups[index + 1]?.key)}>
            {words('next')}
          </Button>
        </Empty>
      )}
      {group === undefined && !isGone && !isEmpty && !isError && !linked.isError && <Skeleton lines={10} />}
      {group && <Compared key={group.key} {...{ group, rejecting }} onKeep={keep} onSettle={settle} />}
      {group && isLast && !loaded.isWhole && !hasNextPage && <p className={styles.why}>{words('later')}</p>}
    </Page>
  )
}

type Choices = {
  rejecting: ReturnType<typeof useWhy>
  onKeep: (kept: ListedPublication) => void
  onSettle: (() => void) | undefined
}

function Compared({ group, rejecting, onKeep, onSettle }: Choices & { group: Group }) {
  const words = useTranslations('duplicates')
  const common = useTranslations('queue')
  const factsOf = useFacts()
  const [first, second] = group.members
  return (
    <>
      <p className={styles.why}>
        {words('count', { count: group.ids.length })} {words(`reason.${group.reason}`)}
      </p>
      <div className={styles.steps}>
        {onSettle && (
          <Button shortcut="n" onPress={onSettle}>
            {words('distinguish')}
          </Button>
        )}
        <Button shortcut="m" onPress={rejecting.ask}>
          {rejecting.label}
        </Button>
      </div>
      {rejecting.dialog}
      {group.ids.length > maxMembers && <p>{words('cut', { shown: maxMembers, others: maxMembers - 1 })}</p>}
      <ul className={styles.members} aria-label={words('members')}>
        {group.members.map((member, place) => {
          const other = (place === 0 ? second : first) ?? member
          return (
            <li key={member.id}>
              <article className={styles.member} aria-labelledby={`title-${member.id}`}>
                <h2 id={`title-${member.id}`} className={styles.title}>
                  <Difference before={other.titre} after={member.titre} side="after" ifUnlike={null} />
                </h2>
                <Row isSoft as="p">
                  <Status publication={member} />
                  <span>
                    {common('created')} <Time at={member.created_at} />
                  </span>
                </Row>
                <Difference
                  before={plainText(other.body)}
                  after={plainText(member.body)}
                  side="after"
                  ifUnlike={<Badge>{words('unlike')}</Badge>}
                />
                <Facts
                  facts={[
                    [common('acteur'), member.acteur?.nom ?? common('nobody')],
                    [common('commune'), member.commune?.nom ?? common('none')],
                    ...factsOf(member).map(
                      ({ label, text, isLink }) =>
                        [label, isLink ? <Source key={label} url={text} /> : text] as const,
                    ),
                  ]}
                />
                <div className={styles.actions}>
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

/** Link to the source by its site: the whole address would take more space than the text. */
const Source = ({ url }: { url: string }) => <WebLink address={url}>{URL.parse(url)?.host ?? url}</WebLink>
