import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { components } from '../api/api.generated.ts'
import { Badge } from '../ui/badge.tsx'
import { OneLine } from '../ui/lines.tsx'
import { Time } from '../ui/time.tsx'

export type Device = components['schemas']['Device']

export function useDeviceName() {
  const words = useTranslations('devices')
  return ({ browser }: Device) => browser ?? words('unknownBrowser')
}

type DeviceLineProps = { device: Device; actions?: ReactNode; children?: ReactNode }

/** Line that describes a session by network and browser. */
export function DeviceLine({ device, actions, children }: DeviceLineProps) {
  const words = useTranslations('devices')
  const name = useDeviceName()(device)
  return (
    <OneLine
      icon={/Android|iPhone|iOS/.test(name) ? 'phone' : 'screen'}
      title={name}
      badge={device.current && <Badge tone="good">{words('this')}</Badge>}
      note={
        <>
          {words(`method.${device.method}`)}
          {device.network !== null && <> · {device.network}</>} · {words('lastSeen')}{' '}
          <Time at={device.last_seen_at} />
        </>
      }
      actions={actions}
    >
      {children}
    </OneLine>
  )
}
