import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type Device, DeviceLine, useDeviceName } from '../../shell/device-line.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Lines } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { devicesQuery, signOutDevice, signOutOthers } from './queries.ts'

export function Devices() {
  const words = useTranslations('account')
  const client = useQueryClient()
  const devices = useQuery(devicesQuery)
  const onSuccess = () => client.invalidateQueries(devicesQuery)
  const others = useSubmit({
    mutationFn: signOutOthers,
    onSuccess: async ({ ended }) => {
      showToast({ title: words('signedOut', { count: ended }) })
      await onSuccess()
    },
  })
  return (
    <Section title={words('devices')} note={words('devicesNote')}>
      <QueryState query={devices} lines={4} />
      {devices.data && (
        <Lines>
          {devices.data.map((device) => (
            <OwnDevice key={device.id} device={device} onSuccess={onSuccess} />
          ))}
        </Lines>
      )}
      {others.isError && <ShownFailure error={others.error} />}
      {(devices.data?.length ?? 0) > 1 && (
        <div>
          <Button icon="leave" isPending={others.isPending} onPress={() => others.submit()}>
            {words('signOutOthers')}
          </Button>
        </div>
      )}
    </Section>
  )
}

function OwnDevice({ device, onSuccess }: { device: Device; onSuccess: () => Promise<void> }) {
  const words = useTranslations('account')
  const ending = useSubmit({ mutationFn: signOutDevice, onSuccess })
  const name = useDeviceName()(device)
  const button = (
    <Button
      small
      aria-label={words('signOutDevice', { name })}
      isPending={ending.isPending}
      onPress={() => ending.submit(device.id)}
    >
      {words('signOut')}
    </Button>
  )
  return (
    <DeviceLine device={device} actions={!device.current && button}>
      {ending.isError && <ShownFailure error={ending.error} />}
    </DeviceLine>
  )
}
