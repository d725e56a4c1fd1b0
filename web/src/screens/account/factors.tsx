import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { methodsQuery } from '../../api/auth.ts'
import { factorsQuery, type MyFactors } from '../../api/factors.ts'
import { isStatus } from '../../api/failure.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { AddFactor, type Adding } from './add-factor.tsx'
import { removeApp, removePasskey } from './queries.ts'

/** Factor to remove: `app` or the id of a passkey, and its name for the dialog. */
type Removing = { id: string; name: string }

export function Factors() {
  const words = useTranslations('account.factors')
  const factors = useQuery(factorsQuery)
  const required = factors.data?.required ?? false
  return (
    <Section title={words('title')} note={`${words('note')}${required ? ` ${words('required')}` : ''}`}>
      <QueryState query={factors} lines={4} />
      {factors.data && <OwnFactors {...factors.data} />}
    </Section>
  )
}

function OwnFactors({ totp, passkeys, recovery_codes }: MyFactors) {
  const words = useTranslations('account.factors')
  const [adding, setAdding] = useState<Adding | null>(null)
  const [removing, setRemoving] = useState<Removing | null>(null)
  const methods = useQuery(methodsQuery)
  const hasAny = totp || passkeys.length > 0
  return (
    <>
      <Lines label={words('title')}>
        <OneLine
          icon="phone"
          title={words('app')}
          badge={totp && <Badge tone="good">{words('appOn')}</Badge>}
          note={!totp && words('appOff')}
          actions={
            <>
              <Button small onPress={() => setAdding('app')}>
                {words(totp ? 'replaceApp' : 'addApp')}
              </Button>
              {totp && <Remove id="app" name={words('app')} onRemove={setRemoving} />}
            </>
          }
        />
        {passkeys.map(({ id, label, created_at, last_used_at }) => (
          <OneLine
            key={id}
            icon="key"
            title={label}
            note={
              <>
                {words('created')} <Time at={created_at} /> ·{' '}
                {last_used_at === null ? (
                  words('neverUsed')
                ) : (
                  <>
                    {words('used')} <Time at={last_used_at} />
                  </>
                )}
              </>
            }
            actions={<Remove id={id} name={label} onRemove={setRemoving} />}
          />
        ))}
        {hasAny && (
          <OneLine
            icon="shield"
            title={words('codes')}
            badge={
              recovery_codes < 3 && <Badge tone="warn">{words('codesLeft', { count: recovery_codes })}</Badge>
            }
            note={recovery_codes >= 3 && words('codesLeft', { count: recovery_codes })}
            actions={
              <Button small onPress={() => setAdding('codes')}>
                {words('renewCodes')}
              </Button>
            }
          />
        )}
      </Lines>
      {methods.data?.passkey && knowsPasskeys() && (
        <div>
          <Button icon="key" onPress={() => setAdding('passkey')}>
            {words('addPasskey')}
          </Button>
        </div>
      )}
      <AddFactor adding={adding} needsCodes={recovery_codes === 0} onClose={() => setAdding(null)} />
      {removing && <RemoveFactor {...removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

function Remove({ id, name, onRemove }: Removing & { onRemove: (removing: Removing) => void }) {
  const words = useTranslations('account.factors')
  return (
    <Button small aria-label={words('removeNamed', { name })} onPress={() => onRemove({ id, name })}>
      {words('remove')}
    </Button>
  )
}

function RemoveFactor({ id, name, onClose }: Removing & { onClose: () => void }) {
  const words = useTranslations('account.factors')
  const client = useQueryClient()
  const removal = useSubmit({
    mutationFn: () => (id === 'app' ? removeApp() : removePasskey(id)),
    onSuccess: async () => {
      await client.invalidateQueries(factorsQuery)
      showToast({ title: words('removed') })
      onClose()
    },
  })
  const isLast = isStatus(removal.error, 409)
  return (
    <Confirm
      title={words('removeTitle', { name })}
      action={words('remove')}
      isOpen
      isPending={removal.isPending}
      onClose={onClose}
      onConfirm={() => removal.submit()}
    >
      <p>{words('removeText')}</p>
      {isLast && <Failure message={words('last')} />}
      {removal.isError && !isLast && <ShownFailure error={removal.error} />}
    </Confirm>
  )
}
