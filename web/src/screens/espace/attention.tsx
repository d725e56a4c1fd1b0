import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { OwnComplaint } from '../../shell/complain.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { noonOf } from '../../ui/moment.ts'
import { Notice } from '../../ui/notice.tsx'
import { type Managed, stateOf } from '../alertes/store.ts'
import { dueActsQuery } from './acts/queries.ts'
import { ownAlertesQuery } from './alertes.queries.ts'
import { communeOfMairieQuery } from './commune.queries.ts'
import { acteurPageQuery } from './page.queries.ts'
import { isRecent, ownPublicationsQuery, type Statement, statementsQuery } from './queries.ts'
import {
  isPublicBody,
  mayAlert,
  mayEditCommune,
  mayEditPage,
  mayPublishActs,
  maySupervise,
  mayWrite,
  type OwnActeur,
} from './rights.ts'
import { Contest } from './statement.tsx'
import { supervisedQuery } from './supervision.queries.ts'

const shown = 3
const dayMs = 86_400_000
/** An alerte that ends within this time can still be prolonged. */
const soonMs = 2 * dayMs
/** An alerte without an end is forgotten more easily than one with. */
const forgottenMs = 7 * dayMs
const oldMs = 365 * dayMs
/** Communes of one mairie whose age is looked at. */
const maxCommunes = 3

type Line = {
  id: string
  icon: IconName
  title: ReactNode
  note?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

type AttentionProps = {
  acteur: OwnActeur
  /** Whether nothing else stands beside it: it then says when there is nothing. */
  isAlone?: boolean
}

/** What needs the attention of an acteur's members, with the way to each. */
export function Attention({ acteur, isAlone = true }: AttentionProps) {
  const words = useTranslations('espace.attention')
  const { acteur_id: acteurId } = acteur
  const rejected = useQuery(
    ownPublicationsQuery(acteurId, { status: 'rejected', sort: 'updated_at_desc', size: shown }),
  )
  const restrictions = useQuery(statementsQuery(acteurId))
  const linesOf = useRestrictionLines(acteurId)
  const pending = useQuery(
    ownPublicationsQuery(acteurId, { status: 'pending', sort: 'created_at_asc', size: 1 }),
  )
  const supervised = useQuery({ ...supervisedQuery(acteurId, { size: 1 }), enabled: maySupervise(acteur) })
  const alertes = useQuery({ ...ownAlertesQuery(acteur), enabled: isPublicBody(acteur) })
  const page = useQuery({ ...acteurPageQuery(acteurId), enabled: mayEditPage(acteur) })
  const acts = useActLines(acteur)
  const lineOfAlerte = useAlerteLine(acteur)
  const communes = useQueries({
    queries: mayEditCommune(acteur)
      ? acteur.mairie_of.slice(0, maxCommunes).map(({ id }) => communeOfMairieQuery(id))
      : [],
  })
  const since = useSince()
  const now = Date.now()
  const failed = [rejected, pending, supervised, alertes, restrictions].find(({ isError }) => isError)
  const isLoading = [rejected, pending, supervised, alertes, restrictions].some(({ isLoading }) => isLoading)
  if (failed) return <QueryState query={failed} lines={3} />
  if (isLoading) return <QueryState query={{ ...rejected, isPending: true, isError: false }} lines={3} />
  const lines = linesOf(restrictions.data ?? [])
  for (const { id, titre, moderation_reason } of rejected.data?.data ?? [])
    lines.push({
      id,
      icon: 'error',
      title: (
        <Link to="/espace/$acteurId/publications/$id" params={{ acteurId, id }}>
          {words('rejected', { titre })}
        </Link>
      ),
      note: [moderation_reason, mayWrite(acteur) && words('correct')].filter(Boolean).join(' '),
    })
  const others = (rejected.data?.meta.total ?? 0) - shown
  if (others > 0)
    lines.push({
      id: 'rejected',
      icon: 'error',
      title: (
        <Link to="/espace/$acteurId/publications" params={{ acteurId }} search={{ status: 'rejected' }}>
          {words('moreRejected', { count: others })}
        </Link>
      ),
    })
  const toRead = supervised.data?.meta.total ?? 0
  if (toRead > 0)
    lines.push({
      id: 'supervised',
      icon: 'inbox',
      title: (
        <Link to="/espace/$acteurId/supervision" params={{ acteurId }}>
          {words('supervised', { count: toRead })}
        </Link>
      ),
    })
  const [oldest] = pending.data?.data ?? []
  if (oldest !== undefined)
    lines.push({
      id: 'pending',
      icon: 'clock',
      title: (
        <Link to="/espace/$acteurId/publications" params={{ acteurId }} search={{ status: 'pending' }}>
          {words('pending', { count: pending.data?.meta.total ?? 0 })}
        </Link>
      ),
      note: words('since', { ago: since(oldest.created_at) }),
    })
  lines.push(...acts)
  lines.push(...(alertes.data?.alertes ?? []).filter(isToWatch).map(lineOfAlerte))
  if (page.data && now - new Date(page.data.updated_at).getTime() > oldMs)
    lines.push({
      id: 'page',
      icon: 'shop',
      title: (
        <Link to="/espace/$acteurId/page" params={{ acteurId }}>
          {words('oldPage')}
        </Link>
      ),
      note: words('check'),
    })
  for (const { data: commune } of communes) {
    if (!commune || now - new Date(commune.updated_at).getTime() <= oldMs) continue
    lines.push({
      id: commune.id,
      icon: 'place',
      title: (
        <Link to="/espace/$acteurId/commune" params={{ acteurId }} search={{ commune: commune.id }}>
          {words('oldCommune', { nom: commune.nom })}
        </Link>
      ),
      note: words('checkCommune'),
    })
  }
  if (lines.length === 0) return isAlone && <Notice icon="check" title={words('nothing')} />
  return (
    <Lines label={words('title')}>
      {lines.map(({ id, ...line }) => (
        <OneLine key={id} {...line} />
      ))}
    </Lines>
  )
}

/** Returns a function that names what decisions took lately, and why. Rejections are listed as publications. */
function useRestrictionLines(acteurId: string) {
  const words = useTranslations('espace.attention')
  const lineOf = (statement: Statement): Line => {
    const { id, entity, record_id, title, restriction, ground, reason, complaint } = statement
    const text = words(`restrictions.${restriction}`, { titre: title })
    return {
      id,
      icon: 'error',
      title:
        restriction === 'deleted' || entity === 'acteur' ? (
          text
        ) : (
          <Link to="/espace/$acteurId/publications/$id" params={{ acteurId, id: record_id }}>
            {text}
          </Link>
        ),
      note: [`${ground.label}.`, ground.text, reason].filter(Boolean).join(' '),
      // Complaints about a publication are on its page.
      ...(entity === 'acteur' && {
        actions: <Contest statement={statement} />,
        children: complaint !== null && <OwnComplaint complaint={complaint} />,
      }),
    }
  }
  return (statements: readonly Statement[]) =>
    statements
      .filter((one) => one.entity === 'acteur' || (one.restriction !== 'rejected' && isRecent(one)))
      .slice(0, shown)
      .map(lineOf)
}

/** True for an alerte in force that ends soon, or that has no end and may be forgotten. */
function isToWatch(alerte: Managed): boolean {
  if (stateOf(alerte) !== 'current') return false
  const { fin, debut, created_at } = alerte
  const now = Date.now()
  return fin === null
    ? now - new Date(debut ?? created_at).getTime() > forgottenMs
    : new Date(fin).getTime() - now < soonMs
}

/** Returns a function that says of an alerte when it ends, or how long it has been shown. */
function useAlerteLine(acteur: OwnActeur) {
  const words = useTranslations('espace.attention')
  const since = useSince()
  const { acteur_id: acteurId } = acteur
  return ({ id, titre, fin, debut, created_at }: Managed): Line => ({
    id,
    icon: 'bell',
    title: (
      <Link to="/espace/$acteurId/alertes" params={{ acteurId }}>
        {words('alerte', { titre })}
      </Link>
    ),
    note: [
      fin === null
        ? words('endless', { ago: since(debut ?? created_at) })
        : words('ends', { ago: since(fin) }),
      mayAlert(acteur) && words('prolong'),
    ]
      .filter(Boolean)
      .join(' '),
  })
}

/** Names the acts that councils make necessary, and until when. */
function useActLines(acteur: OwnActeur): Line[] {
  const words = useTranslations('espace.attention')
  const format = useFormatter()
  const { acteur_id: acteurId } = acteur
  const { data = [] } = useQuery({ ...dueActsQuery(acteurId), enabled: mayPublishActs(acteur) })
  const dayOf = (day: string) => format.dateTime(noonOf(day), { day: 'numeric', month: 'long' })
  return data.slice(0, shown).map(({ kind, council, due }) => ({
    id: `${kind} ${council}`,
    icon: 'calendar',
    title: (
      <Link to="/espace/$acteurId/actes" params={{ acteurId }}>
        {words(`due.${kind}`, { council: dayOf(council) })}
      </Link>
    ),
    note: words('due.until', { day: dayOf(due) }),
  }))
}

/** Returns a function that formats a time as relative to now. */
export function useSince() {
  const format = useFormatter()
  const now = useNow({ updateInterval: 60_000 })
  return (at: string) => format.relativeTime(new Date(at), now)
}
