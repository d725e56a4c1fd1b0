import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { ScreenLink, TitleLink } from '../../shell/records/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Facts, Section } from '../../ui/page.tsx'
import { Ago, Time } from '../../ui/time.tsx'
import { claimsQuery, publicationsQuery, subscriptionsQuery, yearQuery } from './queries.ts'

/** Numbers of the last year, the subscription, and the latest publications and claims. */
export function Activity({ id }: { id: string }) {
  return (
    <>
      <Year id={id} />
      <Subscriptions id={id} />
      <Publications id={id} />
      <Claims id={id} />
    </>
  )
}

function Year({ id }: { id: string }) {
  const words = useTranslations('acteurs.year')
  const { data: year, ...loaded } = useQuery(yearQuery(id))
  return (
    <Section title={words('title')}>
      <QueryState query={loaded} lines={3} />
      {year && (
        <Facts
          facts={[
            [
              words('publications'),
              year.publications.created === 0 ? words('none') : words('publicationsOf', year.publications),
            ],
            [
              words('latest'),
              year.publications.latest_at === null ? (
                words('never')
              ) : (
                <Time key="latest" at={year.publications.latest_at} />
              ),
            ],
            [words('claims'), year.claims.created === 0 ? words('none') : words('claimsOf', year.claims)],
            [words('members'), words('membersOf', { members: year.members, owners: year.owners })],
          ]}
        />
      )}
    </Section>
  )
}

function Subscriptions({ id }: { id: string }) {
  const words = useTranslations()
  const { data } = useQuery(subscriptionsQuery(id))
  if (data === undefined) return null
  return (
    <Section title={words('acteurs.subscription')}>
      {data.length === 0 && <Soft>{words('acteurs.noSubscription')}</Soft>}
      <Lines label={words('acteurs.subscription')}>
        {data.map(({ id, label, status, current_period_end }) => (
          <OneLine
            key={id}
            icon="star"
            title={
              <TitleLink to="/subscriptions/$id" params={{ id }}>
                {label ?? words('subscriptions.noPlan')}
              </TitleLink>
            }
            badge={<Badge>{words(`subscriptions.status.${status}`)}</Badge>}
            note={
              current_period_end && (
                <>
                  {words('subscriptions.until')} <Time at={current_period_end} />
                </>
              )
            }
          />
        ))}
      </Lines>
    </Section>
  )
}

function Publications({ id }: { id: string }) {
  const words = useTranslations()
  const list = useQuery(publicationsQuery(id)).data
  if (list === undefined) return null
  const { data, meta } = list
  return (
    <Section title={words('acteurs.publications')}>
      {data.length === 0 && <Soft>{words('acteurs.noPublication')}</Soft>}
      <Lines label={words('acteurs.publications')}>
        {data.map(({ id, titre, moderation_status, created_at }) => (
          <OneLine
            key={id}
            icon="list"
            title={
              <TitleLink to="/publications/$id" params={{ id }}>
                {titre}
              </TitleLink>
            }
            badge={<Badge>{words(`queue.status.${moderation_status}`)}</Badge>}
            note={<Ago at={created_at} />}
          />
        ))}
      </Lines>
      {meta.total > 0 && (
        <Row>
          <ScreenLink small icon="list" to="/publications" search={{ acteur: id }}>
            {words('acteurs.allPublications', { count: meta.total })}
          </ScreenLink>
        </Row>
      )}
    </Section>
  )
}

function Claims({ id }: { id: string }) {
  const words = useTranslations()
  const { data = [] } = useQuery(claimsQuery(id))
  if (data.length === 0) return null
  return (
    <Section title={words('acteurs.claims')}>
      <Lines label={words('acteurs.claims')}>
        {data.map(({ id, nom, email, status, created_at }) => (
          <OneLine
            key={id}
            icon="claim"
            title={
              <TitleLink to="/claims/$id" params={{ id }}>
                {nom ?? email ?? words('claims.unnamed')}
              </TitleLink>
            }
            badge={<Badge>{words(`claims.status.${status}`)}</Badge>}
            note={<Ago at={created_at} />}
          />
        ))}
      </Lines>
    </Section>
  )
}
