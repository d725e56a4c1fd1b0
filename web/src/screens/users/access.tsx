import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { DeviceLine } from '../../shell/device-line.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { resetFactors, setActive, signOutUser, type User, userDevicesQuery } from './queries.ts'

const frame = getRouteApi('/signed-in')

export function Access({ user }: { user: User }) {
  const words = useTranslations('users')
  const { me } = frame.useRouteContext()
  return (
    <>
      <Devices userId={user.id} />
      {user.can.includes('edit') && (
        <Section title={words('access')}>
          <Lines label={words('access')}>
            {user.id === me.id ? (
              <OneLine
                icon="key"
                title={<Link to="/account">{words('ownFactors')}</Link>}
                note={words('ownFactorsNote')}
              />
            ) : (
              user.can.includes('reset') && <Action name="reset" user={user} run={resetFactors} icon="key" />
            )}
            {user.actif ? (
              <Action name="disable" user={user} run={(id) => setActive(id, false)} icon="leave" />
            ) : (
              <Enable user={user} />
            )}
          </Lines>
        </Section>
      )}
    </>
  )
}

function useChange(mutationFn: () => Promise<unknown>, done: string, onDone = () => {}) {
  const client = useQueryClient()
  return useSubmit({
    mutationFn,
    onSuccess: async () => {
      showToast({ title: done })
      onDone()
      await client.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

function Devices({ userId }: { userId: string }) {
  const words = useTranslations('users')
  const client = useQueryClient()
  const devices = useQuery(userDevicesQuery(userId))
  const ending = useSubmit({
    mutationFn: () => signOutUser(userId),
    onSuccess: async (count) => {
      showToast({ title: words('signedOut', { count }) })
      await client.invalidateQueries({ queryKey: ['users', userId] })
    },
  })
  return (
    <Section title={words('devices')}>
      <QueryState query={devices} lines={3} />
      {devices.data?.length === 0 && <Soft>{words('noDevice')}</Soft>}
      {devices.data && devices.data.length > 0 && (
        <>
          <Lines label={words('devices')}>
            {devices.data.map((device) => (
              <DeviceLine key={device.id} device={device} />
            ))}
          </Lines>
          <div>
            <Button icon="leave" isPending={ending.isPending} onPress={() => ending.submit()}>
              {words('signOut')}
            </Button>
          </div>
        </>
      )}
      {ending.isError && <ShownFailure error={ending.error} />}
    </Section>
  )
}

type ActionProps = {
  name: 'reset' | 'disable'
  user: User
  run: (userId: string) => Promise<void>
  icon: 'key' | 'leave'
}

/** Action with a dialog that explains the effect and asks for confirmation. */
function Action({ name, user, run, icon }: ActionProps) {
  const words = useTranslations('users')
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const doing = useChange(() => run(user.id), words(`${name}.done`), close)
  return (
    <OneLine
      icon={icon}
      title={words(`${name}.action`)}
      note={words(`${name}.note`)}
      actions={
        <Button small aria-label={words(`${name}.action`)} onPress={() => setAsking(true)}>
          {words(`${name}.short`)}
        </Button>
      }
    >
      <Confirm
        title={words(`${name}.title`)}
        action={words(`${name}.action`)}
        isOpen={isAsking}
        isPending={doing.isPending}
        onClose={close}
        onConfirm={() => doing.submit()}
      >
        <p>{words(`${name}.text`)}</p>
        {doing.isError && <ShownFailure error={doing.error} />}
      </Confirm>
    </OneLine>
  )
}

function Enable({ user }: { user: User }) {
  const words = useTranslations('users.enable')
  const enabling = useChange(() => setActive(user.id, true), words('done'))
  return (
    <OneLine
      icon="check"
      title={words('action')}
      note={words('note')}
      actions={
        <Button
          small
          aria-label={words('action')}
          isPending={enabling.isPending}
          onPress={() => enabling.submit()}
        >
          {words('short')}
        </Button>
      }
    >
      {enabling.isError && <ShownFailure error={enabling.error} />}
    </OneLine>
  )
}
