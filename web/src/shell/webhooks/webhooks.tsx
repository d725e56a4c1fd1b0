import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { queryClient } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryState } from '../query-state.tsx'
import { TitleLink } from '../records/links.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { WebhookBadge } from './badge.tsx'
import { WebhookDialog } from './form.tsx'
import { OpenWebhook } from './one.tsx'
import { type Owner, type Webhook, webhooksQuery } from './queries.ts'
import type { WebhooksSearch } from './search.ts'
import { useTypeName } from './types.ts'

type WebhooksProps = {
  acteurId: Owner
  search: WebhooksSearch
  /** Replaces the search of the URL. */
  onSearch: (search: WebhooksSearch) => void
}

/** The programs that are told of the changes of an acteur, or of all: a list, or the one that is open. */
export function Webhooks({ acteurId, search, onSearch }: WebhooksProps) {
  const words = useTranslations('webhooks')
  const webhooks = useQuery(webhooksQuery(acteurId))
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const opened = webhooks.data?.find(({ id }) => id === search.webhook)
  const { queryKey } = webhooksQuery(acteurId)
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  const change = (edit: (all: Webhook[]) => Webhook[]) =>
    queryClient.setQueryData(queryKey, (all = []) => edit(all))
  return (
    <>
      {opened ? (
        <OpenWebhook
          webhook={opened}
          search={search}
          onSearch={onSearch}
          onChanged={(changed) => {
            // The next change names this version, even if the list is not read again yet.
            if (changed) change((all) => all.map((one) => (one.id === changed.id ? changed : one)))
            void refresh()
          }}
          onDeleted={() => {
            change((all) => all.filter(({ id }) => id !== opened.id))
            onSearch({})
          }}
          onSecret={setSecret}
        />
      ) : (
        <Page
          title={words('title')}
          actions={
            <Button look="primary" icon="link" onPress={() => setAdding(true)}>
              {words('add')}
            </Button>
          }
        >
          <Soft>{words(acteurId === null ? 'noteOfAll' : 'note')}</Soft>
          <QueryState query={webhooks} lines={4} />
          {webhooks.data && <WebhookLines webhooks={webhooks.data} />}
        </Page>
      )}
      <WebhookDialog
        acteurId={acteurId}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onDone={({ id, secret: made }) => {
          setAdding(false)
          setSecret(made ?? null)
          void refresh().then(() => onSearch({ webhook: id }))
        }}
      />
      <ShownOnce
        title={words('secretTitle')}
        text={words('secretText')}
        value={secret}
        onClose={() => setSecret(null)}
      />
    </>
  )
}

function WebhookLines({ webhooks }: { webhooks: readonly Webhook[] }) {
  const words = useTranslations('webhooks')
  const nameOf = useTypeName()
  if (webhooks.length === 0)
    return (
      <Empty icon="link" title={words('empty.title')}>
        <p>{words('empty.text')}</p>
      </Empty>
    )
  return (
    <Lines label={words('title')}>
      {webhooks.map((webhook) => (
        <OneLine
          key={webhook.id}
          icon="link"
          title={
            <TitleLink to="." search={{ webhook: webhook.id } as never}>
              {webhook.url}
            </TitleLink>
          }
          badge={<WebhookBadge webhook={webhook} />}
          note={webhook.types.map(nameOf).join(' · ')}
        />
      ))}
    </Lines>
  )
}
