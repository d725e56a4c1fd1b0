import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import type { Me } from '../../api/queries.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { ShownOnce } from '../../shell/shown-once.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { NewKeyDialog } from './new-key.tsx'
import { endKey, keysQuery, rotateKey } from './queries.ts'
import { scopeName } from './scopes.ts'

type AccessKey = components['schemas']['AccessKey']
type Asked = { deed: 'rotate' | 'end'; accessKey: AccessKey }

/** Keys with which programs act for the user. */
export function Keys({ me }: { me: Me }) {
  const words = useTranslations('account.keys')
  const client = useQueryClient()
  const keys = useQuery(keysQuery)
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const refresh = () => client.invalidateQueries(keysQuery)
  return (
    <Section title={words('title')} note={words('note')}>
      <QueryState query={keys} lines={2} />
      {keys.data && keys.data.length > 0 && (
        <Lines label={words('title')}>
          {keys.data.map((key) => (
            <KeyLine
              key={key.id}
              accessKey={key}
              me={me}
              onAsk={(deed) => setAsked({ deed, accessKey: key })}
            />
          ))}
        </Lines>
      )}
      <div>
        <Button icon="key" onPress={() => setAdding(true)}>
          {words('add')}
        </Button>
      </div>
      <NewKeyDialog
        me={me}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onMade={(value) => {
          setAdding(false)
          setShown(value)
          void refresh()
        }}
      />
      {asked && (
        <ConfirmKey
          {...asked}
          onClose={() => setAsked(null)}
          onDone={(value) => {
            setAsked(null)
            setShown(value)
            void refresh()
          }}
        />
      )}
      <ShownOnce
        title={words('shownTitle')}
        text={words('onceText')}
        value={shown}
        onClose={() => setShown(null)}
      />
    </Section>
  )
}

type LineProps = { accessKey: AccessKey; me: Me; onAsk: (deed: Asked['deed']) => void }

function KeyLine({ accessKey, me, onAsk }: LineProps) {
  const words = useTranslations('account.keys')
  const { name, scopes, acteur_id, commune_id, app_source, last_used_at, network, expires_at } = accessKey
  const acteur = me.acteurs.find((one) => one.acteur_id === acteur_id)
  const commune = me.acteurs.find((one) => one.commune?.id === commune_id)?.commune
  return (
    <OneLine
      icon="key"
      title={name}
      note={
        <>
          {words('until')} <Time at={expires_at} /> ·{' '}
          {last_used_at === null ? (
            words('neverUsed')
          ) : (
            <>
              {words('used')} <Time at={last_used_at} />
              {network !== null && ` (${network})`}
            </>
          )}
        </>
      }
      actions={
        <>
          <Button small aria-label={words('rotateNamed', { name })} onPress={() => onAsk('rotate')}>
            {words('rotate')}
          </Button>
          <Button small aria-label={words('endNamed', { name })} onPress={() => onAsk('end')}>
            {words('end')}
          </Button>
        </>
      }
    >
      <p>
        {[
          acteur?.nom,
          commune && words('forCommune', { nom: commune.nom }),
          app_source,
          ...scopes.map((scope) => words(`scopes.${scopeName(scope)}`)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </OneLine>
  )
}

type ConfirmProps = Asked & { onClose: () => void; onDone: (value: string | null) => void }

function ConfirmKey({ deed, accessKey: { id, name }, onClose, onDone }: ConfirmProps) {
  const words = useTranslations('account.keys')
  const saving = useSubmit({
    mutationFn: async () => {
      if (deed === 'rotate') return (await rotateKey(id)).key
      await endKey(id)
      return null
    },
    onSuccess: (value) => {
      if (value === null) showToast({ title: words('ended', { name }) })
      onDone(value)
    },
  })
  return (
    <Confirm
      title={words(`${deed}Title`, { name })}
      action={words(deed)}
      isOpen
      isPending={saving.isPending}
      onClose={onClose}
      onConfirm={() => saving.submit()}
    >
      <p>{words(`${deed}Text`)}</p>
      {saving.isError && <ShownFailure error={saving.error} />}
    </Confirm>
  )
}
