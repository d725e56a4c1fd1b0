import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ScreenLink } from '../records/links.tsx'
import { ShownFailure, useFailureToast } from '../shown-failure.tsx'
import { WebhookBadge } from './badge.tsx'
import { Deliveries } from './deliveries.tsx'
import { type Done, WebhookDialog } from './form.tsx'
import { deleteWebhook, rotateWebhook, testWebhook, updateWebhook, type Webhook } from './queries.ts'
import type { WebhooksSearch } from './search.ts'
import { useTypeName } from './types.ts'

type OpenProps = {
  webhook: Webhook
  search: WebhooksSearch
  onSearch: (search: WebhooksSearch) => void
  /** Called with the webhook as it is now, if the response said so. */
  onChanged: (changed?: Webhook) => void
  onDeleted: () => void
  onSecret: (secret: string) => void
}

type Asked = 'edit' | 'disable' | 'rotate' | 'delete'

/** One webhook: how it is, what may be done with it, and what it was sent. */
export function OpenWebhook(props: OpenProps) {
  const { webhook, search, onSearch, onChanged, onDeleted, onSecret } = props
  const words = useTranslations('webhooks')
  const nameOf = useTypeName()
  const showFailure = useFailureToast()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const isDisabled = webhook.disabled_at !== null
  const testing = useSubmit({
    mutationFn: () => testWebhook(webhook),
    onSuccess: () => showToast({ title: words('tested') }),
    onError: (error) => showFailure(words('notTested'), error),
    onSettled: () => onChanged(),
  })
  const enabling = useSubmit({
    mutationFn: () => updateWebhook(webhook, { enabled: true }),
    onSuccess: (changed) => {
      onChanged(changed)
      showToast({ title: words('enabled') })
    },
    onError: (error) => {
      onChanged()
      showFailure(words('notEnabled'), error)
    },
  })
  return (
    <Page
      title={webhook.url}
      back={
        <ScreenLink
          look="quiet"
          small
          icon="back"
          to="."
          search={{} as never}
          activeOptions={{ exact: true }}
        >
          {words('title')}
        </ScreenLink>
      }
      actions={
        isDisabled ? (
          <Button
            look="primary"
            icon="check"
            isPending={enabling.isPending}
            onPress={() => enabling.submit()}
          >
            {words('enable')}
          </Button>
        ) : (
          <Button look="primary" icon="bell" isPending={testing.isPending} onPress={() => testing.submit()}>
            {words('test')}
          </Button>
        )
      }
    >
      <Row>
        <WebhookBadge webhook={webhook} />
        <Soft as="span">{webhook.types.map(nameOf).join(' · ')}</Soft>
      </Row>
      <Condition webhook={webhook} />
      <Row>
        <Button icon="edit" onPress={() => setAsked('edit')}>
          {words('edit')}
        </Button>
        <Button icon="key" onPress={() => setAsked('rotate')}>
          {words('rotate')}
        </Button>
        {!isDisabled && <Button onPress={() => setAsked('disable')}>{words('disable')}</Button>}
        <Button look="quiet" onPress={() => setAsked('delete')}>
          {words('delete')}
        </Button>
      </Row>
      <Section title={words('deliveries')} note={words('deliveriesNote')}>
        <Deliveries webhook={webhook} search={search} onSearch={onSearch} />
      </Section>
      <WebhookDialog
        acteurId={webhook.acteur_id}
        webhook={webhook}
        isOpen={asked === 'edit'}
        onClose={close}
        onDone={(changed) => {
          close()
          onChanged(changed)
          showToast({ title: words('saved') })
        }}
      />
      {asked !== null && asked !== 'edit' && (
        <Question
          deed={asked}
          webhook={webhook}
          onClose={close}
          onDone={({ secret, ...changed }) => {
            close()
            if (asked === 'delete') return onDeleted()
            if (secret !== undefined) onSecret(secret)
            onChanged(changed)
          }}
        />
      )}
    </Page>
  )
}

/** Says what is wrong with a webhook, and how to mend it. */
function Condition({ webhook }: { webhook: Webhook }) {
  const words = useTranslations('webhooks')
  const { disabled_at, disabled_reason, failing_since, failures, former_until } = webhook
  const isRotating = former_until !== null && new Date(former_until) > new Date()
  return (
    <>
      {disabled_at !== null && (
        <Notice tone="warn" title={words(`why.${disabled_reason ?? 'owner'}.title`)}>
          <p>
            {words(`why.${disabled_reason ?? 'owner'}.text`)} {words('disabledAt')} <Time at={disabled_at} />.
          </p>
        </Notice>
      )}
      {disabled_at === null && failing_since !== null && (
        <Notice tone="warn" title={words('failing.title', { count: failures })}>
          <p>
            {words('failing.text')} {words('failing.since')} <Time at={failing_since} />.
          </p>
        </Notice>
      )}
      {isRotating && (
        <Soft>
          {words('rotating')} <Time at={former_until} />.
        </Soft>
      )}
    </>
  )
}

type QuestionProps = {
  deed: Exclude<Asked, 'edit'>
  webhook: Webhook
  onClose: () => void
  /** Called with the webhook as it is now; with the new secret, if there is one. */
  onDone: (changed: Done) => void
}

function Question({ deed, webhook, onClose, onDone }: QuestionProps) {
  const words = useTranslations('webhooks')
  const doing = useSubmit({
    mutationFn: async (): Promise<Done> => {
      if (deed === 'rotate') return rotateWebhook(webhook)
      return deed === 'delete' ? deleteWebhook(webhook) : updateWebhook(webhook, { enabled: false })
    },
    onSuccess: (changed) => {
      onDone(changed)
      if (deed !== 'rotate') showToast({ title: words(deed === 'delete' ? 'deleted' : 'disabled') })
    },
  })
  return (
    <Confirm
      title={words(`${deed}Title`)}
      action={words(deed)}
      look={deed === 'delete' ? 'danger' : 'primary'}
      isOpen
      isPending={doing.isPending}
      onClose={onClose}
      onConfirm={() => doing.submit()}
    >
      <p>{words(`${deed}Text`)}</p>
      {doing.isError && <ShownFailure error={doing.error} />}
    </Confirm>
  )
}
