import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { AddDomain } from './add.tsx'
import { type Domain, domainsQuery, perPage } from './queries.ts'

const route = getRouteApi('/signed-in/domains')

/** Lists the host names of communes and groups, and whether each is proven. */
export function DomainsScreen() {
  const words = useTranslations('domains')
  const { page } = route.useSearch()
  const navigate = useNavigate()
  const domains = useQuery(domainsQuery(page))
  const [isAdding, setAdding] = useState(false)
  return (
    <Page
      title={words('title')}
      actions={
        <Button icon="plus" onPress={() => setAdding(true)}>
          {words('new.title')}
        </Button>
      }
    >
      <QueryState query={domains} lines={6} />
      {domains.data?.data.length === 0 && (
        <Empty icon="link" title={words('empty.title')}>
          <p>{words('empty.text')}</p>
        </Empty>
      )}
      {domains.data && domains.data.data.length > 0 && (
        <Lines label={words('title')}>
          {domains.data.data.map((domain) => (
            <DomainLine key={domain.id} domain={domain} />
          ))}
        </Lines>
      )}
      <ListPager list={domains} perPage={perPage} hidesSinglePage />
      {isAdding && (
        <AddDomain
          onClose={() => setAdding(false)}
          onAdded={(id) => void navigate({ to: '/domains/$id', params: { id } })}
        />
      )}
    </Page>
  )
}

function DomainLine({ domain: { id, host, commune, group, verified_at, is_canonical } }: { domain: Domain }) {
  const words = useTranslations('domains')
  const home = commune ?? group
  return (
    <OneLine
      icon="link"
      title={
        <TitleLink to="/domains/$id" params={{ id }}>
          {host}
        </TitleLink>
      }
      note={
        <>
          {home?.nom} · {words(verified_at === null ? 'unproven' : 'proven')}
          {is_canonical && ` · ${words('primary')}`}
        </>
      }
    />
  )
}
